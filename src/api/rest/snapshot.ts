import type { Readable } from 'node:stream';
import type { KeyVerifier } from '../../access/keys/verify.ts';
import { type Counter, isExhausted, type Usage } from '../../access/limits/counter.ts';
import { ApiError } from '../../lib/errors.ts';
import { acceptedQuality } from '../../lib/http/header-values.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import type { Owner } from '../../lib/loop/time-slices.ts';
import type { Catalogue } from '../../startups/catalogue/catalogue.ts';
import type { LiveCatalogue } from '../../startups/catalogue/live-catalogue.ts';
import { createQueryReader, invalidParameters } from '../../startups/model/requests/query-parameters.ts';
import { authenticate, type Client } from '../gateway/authentication.ts';
import { hasTag, REVALIDATE } from '../gateway/conditional-requests.ts';
import type { Task } from '../gateway/surface.ts';
import { REST_BASE } from './find-endpoint.ts';
import { MOST_SNAPSHOTS, SNAPSHOT_COST, snapshotStream } from './snapshot-lines.ts';

/** The time for which a key gets one snapshot. */
const SNAPSHOT_WINDOW_MS = 3_600_000;

/** Seconds after which one of the snapshots that are being sent may have ended. */
const RETRY_SECONDS = 30;

/** A snapshot to send: a place among those that are sent at a time, and an hour of its key. */
interface Place {
  /** The snapshot was sent, or its client has left. */
  end(): void;
  /** Nothing was sent. */
  cancel(): void;
}

/** A request for a snapshot. Without a place, its response has no body. */
export interface SnapshotTask extends Task {
  readonly edition: Catalogue;
  readonly etag: string;
  readonly place: Place | undefined;
}

const readQuery = createQueryReader({});

export interface SnapshotNeeds {
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  /** Says whether a key may still have its snapshot while that is sent. */
  readonly verifier: Pick<KeyVerifier, 'verify'>;
  /** Counts the snapshots of keys too, in windows of {@link SNAPSHOT_WINDOW_MS}. */
  readonly counter: Counter;
  readonly now: () => number;
}

/** The steps of a request for a snapshot that differ from those of other endpoints: a stream is its body. */
export function openSnapshots({ catalogue, verifier, counter, now }: SnapshotNeeds) {
  let sending = 0;

  /** @throws ApiError RATE_LIMITED */
  async function takePlace(family: string): Promise<Place> {
    const name = `snapshot:${family}`;
    const hour = counter.peek(name, 1, SNAPSHOT_WINDOW_MS);
    if (isExhausted(hour)) {
      throw refusedUntil(hour, now());
    }
    if (sending >= MOST_SNAPSHOTS) {
      const message = `Rate limit exceeded: ${MOST_SNAPSHOTS} snapshots are being sent, the most at a time. Retry in ${RETRY_SECONDS} seconds`;
      throw new ApiError('RATE_LIMITED', message, [], RETRY_SECONDS);
    }
    let isSending = true;
    sending += 1;
    const end = (): void => {
      sending -= Number(isSending);
      isSending = false;
    };
    try {
      const reservation = await counter.reserve(name, 1, 1, SNAPSHOT_WINDOW_MS);
      if (!reservation.admitted) {
        throw refusedUntil(reservation, now());
      }
    } catch (error) {
      end();
      throw error;
    }
    return {
      end,
      cancel() {
        end();
        // What was reserved is given back.
        void counter.reserve(name, -1, 1, SNAPSHOT_WINDOW_MS);
      },
    };
  }

  return {
    async read(request: GatewayRequest, { key }: Pick<Client, 'key'>): Promise<SnapshotTask> {
      if (!isAllowed({ key })) {
        throw new ApiError(
          'SNAPSHOT_NOT_ALLOWED',
          'This API key may not download snapshots: ask the operator of this service to allow it',
        );
      }
      const { details } = readQuery(request.query);
      if (details.length > 0) {
        throw invalidParameters({}, details);
      }
      const edition = catalogue.current();
      const etag = `"${edition.identity}-${edition.revision}"`;
      const isSent = request.method === 'GET' && !hasTag(request, etag);
      const place = isSent && key ? await takePlace(key.family) : undefined;
      return { cost: SNAPSHOT_COST, edition, etag, place };
    },
    run({ edition, place }: SnapshotTask, request: GatewayRequest, owner: Owner): Readable | undefined {
      const stream = place && snapshotStream(edition, owner, acceptsGzip(request));
      stream?.once('close', place?.end ?? (() => {}));
      if (stream !== undefined) {
        endWithRight(stream, async () => isAllowed(await authenticate(request, verifier)));
      }
      return stream;
    },
    write(
      { edition, etag }: SnapshotTask,
      stream: Readable | undefined,
      request: GatewayRequest,
    ): GatewayResponse {
      const link = `<${REST_BASE}/changes?since=${edition.lastCursor}>; rel="next"`;
      const headers = ['ETag', `W/${etag}`, 'Cache-Control', REVALIDATE, 'Link', link];
      headers.push('Vary', 'Authorization, Accept-Encoding');
      if (hasTag(request, etag)) {
        return { status: 304, headers, body: '' };
      }
      headers.push('Content-Type', 'application/x-ndjson; charset=utf-8');
      if (acceptsGzip(request)) {
        headers.push('Content-Encoding', 'gzip');
      }
      return { status: 200, headers, body: '', stream };
    },
  };
}

/** Whether the key of a client may have snapshots. */
function isAllowed({ key }: Pick<Client, 'key'>): boolean {
  return key?.snapshot === true && key.state === 'active';
}

/** How often the right to a snapshot that is being sent is checked, in ms. */
const CHECK_MS = 250;

/** Ends a stream, which then lacks its end, as soon as its client may not have it any more. */
function endWithRight(stream: Readable, isStillAllowed: () => Promise<boolean>): void {
  const checking = setInterval(async () => {
    if (!(await isStillAllowed().catch(() => false))) {
      stream.destroy();
    }
  }, CHECK_MS);
  stream.once('close', () => clearInterval(checking));
}

function refusedUntil({ resetAt }: Usage, now: number): ApiError {
  const seconds = Math.min(Math.max(1, Math.ceil((resetAt - now) / 1_000)), SNAPSHOT_WINDOW_MS / 1_000);
  const until = new Date(1_000 * Math.ceil(resetAt / 1_000)).toISOString().replace('.000', '');
  const message = `Rate limit exceeded: a key gets one snapshot an hour. Retry after ${until}, or read the changes since the last one`;
  return new ApiError('RATE_LIMITED', message, [], seconds);
}

/** Whether a client accepts gzip. A quality is taken into account only where it is 0, which refuses. */
function acceptsGzip(request: GatewayRequest): boolean {
  return acceptedQuality(request.header('accept-encoding') ?? '', 'gzip', '*') > 0;
}

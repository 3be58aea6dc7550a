import { parseDocumentId } from '../../access/keys/documents/list.ts';
import type { DocumentStore } from '../../access/keys/documents/store.ts';
import { isWellFormed, keyPrefixes } from '../../access/keys/token.ts';
import type { KeyVerifier, VerifiedKey } from '../../access/keys/verify.ts';
import { embedSubject } from '../../access/limits/subject.ts';
import { shortName } from '../../access/usage/failures.ts';
import { ApiError } from '../../lib/errors.ts';
import type { GatewayRequest } from '../../lib/http/request-response.ts';
import type { LiveCatalogue } from '../../startups/catalogue/live-catalogue.ts';
import { addressClient, type Client, challenge } from '../gateway/authentication.ts';
import { conditional } from '../gateway/conditional-requests.ts';
import { errorResponse } from '../gateway/responses.ts';
import type { Surface } from '../gateway/surface.ts';
import { inputErrors } from '../graphql/errors.ts';
import type { Engine, OperationResult } from '../graphql/execution/engine.ts';
import { ATOM_TYPE, type FeedTask, prepareFeed, writeFeed } from './feed.ts';

/** Feeds are below this path. */
const FEED_BASE = '/feeds/';

const METHODS = ['GET', 'HEAD'];
/** Readers ask for a feed again and again, and proxies may answer them. */
const CACHED = 'public, max-age=600';

interface FeedInput {
  /** The hash of the document. */
  readonly hash: string;
  readonly text: string;
}

interface FeedNeeds {
  readonly engine: Engine;
  readonly verifier: Pick<KeyVerifier, 'verify'>;
  readonly documents: Pick<DocumentStore, 'findFeed'>;
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  /** Where this gateway is reached. */
  readonly origin: () => string;
  /** The name of the service. */
  readonly title: string;
}

/** How `/feeds/{document}.atom?key=rvg_pub_…` answers: the published document of an embed key, as an Atom feed. */
export function bindFeeds(needs: FeedNeeds): Surface<FeedInput, FeedTask & FeedInput, OperationResult> {
  const { engine, verifier, documents, catalogue, origin, title } = needs;
  return {
    name: 'feed',
    methods: METHODS,
    vary: '',
    authenticate: (request) => authenticateFeed(request, verifier),
    async read(request, { key }) {
      const hash = readPath(request.path);
      const unknown = [...new URLSearchParams(request.query).keys()].find((name) => name !== 'key');
      if (unknown !== undefined) {
        const parameter = unknown.slice(0, 50);
        throw inputErrors([{ parameter, message: 'unknown parameter, allowed: key' }]);
      }
      const text = await documents.findFeed((key as VerifiedKey).family, hash);
      if (text === null) {
        throw new ApiError('DOCUMENT_NOT_FOUND', `This key has no feed of a document sha256:${hash}`);
      }
      return { hash, text };
    },
    prepare: (input) => ({ ...input, ...prepareFeed(engine, input.text) }),
    run: ({ operation }, request, owner, budget) => engine.run(operation, request, owner, budget),
    write(task, result, request) {
      const { hash } = task;
      const address = `${origin()}${FEED_BASE}${hash}.atom?key=${keyOf(request)}`;
      const current = catalogue.current();
      const body = writeFeed(task, result, { document: hash, address, service: title, catalogue: current });
      return conditional(request, { status: 200, headers: ['Content-Type', ATOM_TYPE], body }, CACHED);
    },
    targetOf(_request, _input, task) {
      const name = shortName(task?.feed.name);
      return `${FEED_BASE}{document}.atom${name === undefined ? '' : ` ${name}`}`;
    },
    fail(error, request) {
      const response = errorResponse(error, request.id);
      if (error.status === 401) {
        response.headers.push('WWW-Authenticate', challenge({ missing: 'unknown' }));
      }
      return response;
    },
  };
}

/** The key in the address of a feed, which only an embed key may be: everyone can read that. */
async function authenticateFeed(
  request: GatewayRequest,
  verifier: Pick<KeyVerifier, 'verify'>,
): Promise<Client> {
  const token = keyOf(request);
  if (!token.startsWith(keyPrefixes.embed) || !isWellFormed(token)) {
    return { ...addressClient(request), missing: 'unembedded' };
  }
  const key = await verifier.verify(token);
  return key === null || !key.isEmbed
    ? { ...addressClient(request), missing: 'unknown' }
    : { key, isStranger: false, subject: embedSubject(key, request.address, true) };
}

function keyOf({ query }: GatewayRequest): string {
  return new URLSearchParams(query).get('key') ?? '';
}

/** @throws ApiError NOT_FOUND */
function readPath(path: string): string {
  const [, id = ''] = /^\/feeds\/(.{64,71})\.atom$/.exec(path) ?? [];
  const hash = parseDocumentId(id);
  if (hash === undefined) {
    throw new ApiError(
      'NOT_FOUND',
      `No such path: ${path.slice(0, 200)}. Feeds are at /feeds/{document}.atom, with the SHA-256 of a published document`,
    );
  }
  return hash;
}

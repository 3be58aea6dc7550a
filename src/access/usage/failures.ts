import type pg from 'pg';
import type { PrismaClient } from '../../db/generated/client/client.ts';
import type { ErrorCode, ErrorDetail } from '../../lib/errors.ts';

/** Why a request failed and what it asked for, in names alone: no value of a client is in it. */
export interface FailedRequest {
  readonly code: ErrorCode;
  /** Its path, and its operation or tool. Empty for requests over the limit, which are one group. */
  readonly target: string;
  /** The names of its invalid parameters. Those that the client made up are only counted: `limit, 2 unknown`. */
  readonly parameters: string;
}

/** The most characters of a name that a client chose: of an operation or a variable. */
const NAME_LENGTH = 60;
/** The most names of parameters. */
const MOST_NAMES = 12;

const OVER_LIMIT: FailedRequest = { code: 'RATE_LIMITED', target: '', parameters: '' };

/**
 * Describes a failed request.
 *
 * @param target computed only where it is needed: a client over its limit sends many requests.
 * @param isKnown whether a name of a parameter is one of ours. A name that is not may hold anything, also a secret.
 */
export function describeFailure(
  { code, details }: { readonly code: ErrorCode; readonly details: readonly ErrorDetail[] },
  target: () => string,
  isKnown: (name: string) => boolean,
): FailedRequest {
  return code === 'RATE_LIMITED'
    ? OVER_LIMIT
    : { code, target: target(), parameters: details.length === 0 ? '' : namesOf(details, isKnown) };
}

function namesOf(details: readonly ErrorDetail[], isKnown: (name: string) => boolean): string {
  const names: string[] = [];
  let unknown = 0;
  for (const { parameter } of details) {
    if (!isKnown(parameter)) {
      unknown += 1;
    } else if (names.length < MOST_NAMES && !names.includes(parameter)) {
      names.push(parameter);
    }
  }
  // The same parameters are one group, in whichever order a client sends them.
  names.sort();
  if (unknown > 0) {
    names.push(`${unknown} unknown`);
  }
  return names.join(', ');
}

/** A name of GraphQL that a client chose, as it is kept; undefined for any other text. */
export function shortName(text: string | null | undefined): string | undefined {
  return text && /^\w+$/.test(text) ? text.slice(0, NAME_LENGTH) : undefined;
}

/** How many groups of failed requests are kept of each key: those that failed last. */
const MOST_GROUPS = 50;
/** How long a failed request is kept, in days. */
export const FAILURES_KEPT_DAYS = 7;

/** What is known of the last failed request of a group. */
interface LastFailure {
  status: number;
  requestId: string;
  /** Of its client, if it sent `traceparent`. */
  traceId?: string | undefined;
}

/** Failed requests of a key with the same error and the same invalid parameters. */
export interface FailureGroup extends LastFailure {
  readonly keyId: string;
  readonly code: string;
  readonly target: string;
  readonly parameters: string;
  requests: number;
  /** ms since 1970. */
  firstAt: number;
  lastAt: number;
}

/** Adds groups to those that are stored. Rejects when none was added. */
export type AddFailures = (groups: readonly FailureGroup[]) => Promise<void>;

// Rows are locked in the order of their keys, to prevent deadlocks between nodes. A group whose first request is too old to
// be kept begins anew: its count is never of more than the days that are kept.
const ADD = `INSERT INTO key_failures AS stored (key_id, code, target, parameters, requests, first_at, last_at, last)
  SELECT * FROM jsonb_to_recordset($1::jsonb) AS groups ("keyId" text, code text, target text, parameters text,
    requests bigint, "firstAt" timestamptz, "lastAt" timestamptz, last jsonb)
  ORDER BY 1, 2, 3, 4
  ON CONFLICT (key_id, code, target, parameters) DO UPDATE SET
    requests = excluded.requests + CASE WHEN stored.first_at < $2 THEN 0 ELSE stored.requests END,
    first_at = CASE WHEN stored.first_at < $2 THEN excluded.first_at ELSE least(stored.first_at, excluded.first_at) END,
    last_at = greatest(stored.last_at, excluded.last_at),
    last = CASE WHEN stored.last_at > excluded.last_at THEN stored.last ELSE excluded.last END`;

/** Rows that other nodes change at the moment are left to them. */
const remove = (ranked: string, most: string): string => `DELETE FROM key_failures WHERE ctid = ANY (ARRAY(
    SELECT f.ctid FROM key_failures AS f JOIN (${ranked}) AS r USING (key_id, code, target, parameters)
    WHERE place > ${most} FOR UPDATE OF f SKIP LOCKED
  ))`;

const TRIM = remove(
  `SELECT *, row_number() OVER (PARTITION BY key_id ORDER BY last_at DESC, code, target, parameters) AS place
   FROM key_failures WHERE key_id = ANY ($1)`,
  String(MOST_GROUPS),
);

/** How many groups of all keys are kept. */
const MOST_OF_ALL = 20_000;
/** Rows that one statement removes: some 35 ms of the embedded engine's time. */
const PRUNED_ROWS = 2_000;
const PRUNE = `WITH ranked AS (
    SELECT ctid AS id, last_at, row_number() OVER (ORDER BY last_at DESC) AS place FROM key_failures
  )
  DELETE FROM key_failures WHERE ctid = ANY (ARRAY(
    SELECT f.ctid FROM key_failures AS f JOIN ranked ON f.ctid = id
    WHERE ranked.last_at < $1 OR place > $2 LIMIT ${PRUNED_ROWS} FOR UPDATE OF f SKIP LOCKED
  )) RETURNING 1`;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/**
 * Adds groups to the database, and removes those of the same keys that are too many. Groups that are too old, or too many
 * of all keys, are removed with the first that are added, and then once an hour.
 *
 * @param now the time in ms.
 */
export function createFailureStore(
  pool: Pick<pg.Pool, 'query'>,
  now: () => number,
  mostOfAll = MOST_OF_ALL,
): AddFailures {
  let prunedAt = Number.NEGATIVE_INFINITY;

  return async (groups) => {
    const kept = new Date(now() - FAILURES_KEPT_DAYS * DAY_MS);
    const rows = groups.map(({ status, requestId, traceId, firstAt, lastAt, ...group }) => ({
      ...group,
      firstAt: new Date(firstAt),
      lastAt: new Date(lastAt),
      last: { status, requestId, traceId } satisfies LastFailure,
    }));
    await pool.query(ADD, [JSON.stringify(rows), kept]);
    // Groups that are kept for longer are no error of those that were just added.
    await pool.query(TRIM, [groups.map(({ keyId }) => keyId)]).catch(() => {});
    if (now() - prunedAt >= HOUR_MS) {
      const { rows } = await pool.query(PRUNE, [kept, mostOfAll]).catch(() => ({ rows: [] }));
      if (rows.length < PRUNED_ROWS) {
        prunedAt = now();
      }
    }
  };
}

/** The failed requests of a key that are kept, in groups, the last one first. */
export async function readFailures(
  prisma: Pick<PrismaClient, 'keyFailure'>,
  keyId: string,
  now: number,
): Promise<(Omit<FailureGroup, 'keyId' | 'firstAt' | 'lastAt'> & { firstAt: Date; lastAt: Date })[]> {
  const rows = await prisma.keyFailure.findMany({
    where: { keyId, lastAt: { gte: new Date(now - FAILURES_KEPT_DAYS * DAY_MS) } },
    orderBy: [{ lastAt: 'desc' }, { code: 'asc' }, { target: 'asc' }, { parameters: 'asc' }],
    take: MOST_GROUPS,
  });
  return rows.map(({ code, target, parameters, requests, firstAt, lastAt, last }) => ({
    code,
    target,
    parameters,
    firstAt,
    lastAt,
    requests: Number(requests),
    ...(last as unknown as LastFailure),
  }));
}

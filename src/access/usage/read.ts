import { Prisma, type PrismaClient } from '../../db/generated/client/client.ts';
import { CLIENT_LEFT } from '../../lib/http/request-response.ts';
import { REFUSED_STATUS } from './store.ts';

type Queries = Pick<PrismaClient, '$queryRaw'>;

/** Buckets of time of the same length, one after another: whole hours. */
interface Buckets {
  readonly since: Date;
  readonly until: Date;
  /** ms. */
  readonly step: number;
}

const startIn = ({ since, step }: Buckets): Prisma.Sql =>
  Prisma.sql`date_bin(make_interval(secs => ${step / 1_000}::int), hour, ${since})`;

const isIn = ({ since, until }: Buckets): Prisma.Sql => Prisma.sql`hour >= ${since} AND hour < ${until}`;

/** The number of requests with the same outcome in one bucket of time. */
export interface UsageRow {
  /** The beginning of the bucket, in UTC. */
  readonly start: Date;
  /** rest or graphql. */
  readonly surface: string;
  /** The HTTP status; 429 means a request over the limit. */
  readonly status: number;
  readonly requests: number;
}

export interface UsageTotal {
  readonly requests: number;
  readonly refused: number;
  readonly errors: number;
}

/** The columns of a {@link UsageTotal}, each a sum of counts. A float8 is exact up to 2^53, and is read as a number. */
const totals = Prisma.sql`sum(requests)::float8 AS requests,
  coalesce(sum(requests) FILTER (WHERE status = ${REFUSED_STATUS}), 0)::float8 AS refused,
  coalesce(sum(requests) FILTER (WHERE status >= 400 AND status NOT IN (${REFUSED_STATUS}, ${CLIENT_LEFT})), 0)::float8 AS errors`;

/** Counts of some keys together, or of all, oldest first. Buckets without a request are missing. */
export async function readUsage(prisma: Queries, keyIds: readonly string[] | undefined, buckets: Buckets) {
  const ofKeys = keyIds === undefined ? Prisma.empty : Prisma.sql`AND key_id = ANY(${keyIds})`;
  return prisma.$queryRaw<UsageRow[]>`
    SELECT ${startIn(buckets)} AS start, surface, status, sum(requests)::float8 AS requests
    FROM key_usage WHERE ${isIn(buckets)} ${ofKeys}
    GROUP BY 1, surface, status ORDER BY 1, surface, status`;
}

/** The requests of each of some keys in buckets of time; keys without a request are missing. */
export async function readUsageTotals(prisma: Queries, keyIds: readonly string[], buckets: Buckets) {
  const rows = await prisma.$queryRaw<(UsageTotal & { readonly keyId: string })[]>`
    SELECT key_id AS "keyId", ${totals}
    FROM key_usage WHERE key_id = ANY(${keyIds}) AND ${isIn(buckets)} GROUP BY key_id`;
  return new Map(rows.map(({ keyId, ...total }) => [keyId, total]));
}

/** The requests with an embed key since a time from each origin, the busiest first. */
export async function readUsageByOrigin(prisma: Queries, keyId: string, since: Date) {
  return prisma.$queryRaw<(UsageTotal & { readonly origin: string })[]>`
    SELECT origin, ${totals}
    FROM key_usage WHERE key_id = ${keyId} AND hour >= ${since} AND origin <> ''
    GROUP BY origin ORDER BY requests DESC, origin`;
}

/** Requests, without those over the limit, by the range of their durations. */
export interface DurationRow {
  /** The upper end of the range, in ms; Infinity for the last one. */
  readonly upTo: number;
  readonly requests: number;
}

/** How long the requests of some keys together took in buckets of time, the shortest first. */
export async function readDurations(prisma: Queries, keyIds: readonly string[], buckets: Buckets) {
  const rows = await prisma.$queryRaw<
    { upTo: number; requests: bigint }[]
  >`SELECT up_to AS "upTo", sum(requests)::bigint AS requests
    FROM key_durations WHERE key_id = ANY(${keyIds}) AND ${isIn(buckets)} GROUP BY 1 ORDER BY 1`;
  return rows.map(({ upTo, requests }) => ({ upTo, requests: Number(requests) }));
}

/**
 * The upper end, in ms, of the range that a percentile is in; undefined without a request.
 *
 * @param rows the shortest first.
 * @param share a fraction: 0.5 for the median.
 */
export function percentile(rows: readonly DurationRow[], share: number): number | undefined {
  const all = rows.reduce((sum, { requests }) => sum + requests, 0);
  let seen = 0;
  return rows.find(({ requests }) => {
    seen += requests;
    return seen >= all * share;
  })?.upTo;
}

/** When the keys of an account were last used, accurate to some seconds; null: never. */
export async function readLastUse(prisma: Queries, accountId: string): Promise<Date | null> {
  const [row] = await prisma.$queryRaw<{ at: Date | null }[]>`SELECT max(last_used_at) AS at
    FROM key_last_uses JOIN api_keys ON id = key_id WHERE account_id = ${accountId}`;
  return row?.at ?? null;
}

/** The requests of a key or an account since a time. */
export interface BusyOwner extends UsageTotal {
  readonly id: string;
  /** The name of the key, or the address of the account; null: none, or deleted. */
  readonly label: string | null;
}

/** The keys with the most requests since a time, and the accounts, the busiest first. Keys without an account belong to none. */
export async function readBusiest(prisma: Queries, since: Date, most: number) {
  const rows = await prisma.$queryRaw<(BusyOwner & { readonly kind: 'keys' | 'accounts' })[]>`
    WITH used AS MATERIALIZED (
      SELECT key_id, ${totals} FROM key_usage WHERE hour >= ${since} GROUP BY key_id
    ), owners AS (
      SELECT 'keys' AS kind, key_id AS id, requests, refused, errors FROM used
      UNION ALL
      SELECT 'accounts', account_id, sum(requests), sum(refused), sum(errors)
      FROM used JOIN api_keys AS k ON k.id = key_id WHERE account_id IS NOT NULL GROUP BY account_id
    ), ranked AS (
      SELECT *, row_number() OVER (PARTITION BY kind ORDER BY requests DESC, id) AS place FROM owners
    )
    SELECT kind, r.id, coalesce(k.name, a.email, a.name) AS label, requests, refused, errors
    FROM ranked AS r
    LEFT JOIN api_keys AS k ON kind = 'keys' AND k.id = r.id
    LEFT JOIN accounts AS a ON kind = 'accounts' AND a.id = r.id
    WHERE place <= ${most} ORDER BY kind, place`;
  const of = (wanted: string): BusyOwner[] =>
    rows.filter(({ kind }) => kind === wanted).map(({ kind: _kind, ...owner }) => owner);
  return { keys: of('keys'), accounts: of('accounts') };
}

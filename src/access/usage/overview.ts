import type { PrismaClient } from '../../db/generated/client/client.ts';
import { totals, type UsageRow, type UsageTotal } from './read.ts';

type Queries = Pick<PrismaClient, '$queryRaw'>;

/** The requests of all keys since a time, by UTC day, API and status. */
export async function readDailyUsage(prisma: Queries, since: Date): Promise<UsageRow[]> {
  return prisma.$queryRaw<UsageRow[]>`
    SELECT date_bin('1 day', hour, 'epoch') AS start, surface, status, sum(requests)::float8 AS requests
    FROM key_usage WHERE hour >= ${since} GROUP BY 1, surface, status ORDER BY 1, surface, status`;
}

/** The requests of a key or an account since a time. */
export interface BusyOwner extends UsageTotal {
  /** The id of the key or the account. */
  readonly id: string;
  /** The name of the key, or the address of the account; null: none, or deleted. */
  readonly label: string | null;
}

/** The keys with the most requests since a time, and the accounts, the busiest first. Keys without an account belong to none. */
export async function readBusiest(
  prisma: Queries,
  since: Date,
  most: number,
): Promise<{ keys: BusyOwner[]; accounts: BusyOwner[] }> {
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

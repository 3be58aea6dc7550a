import type pg from 'pg';
import { escapeLike, type Paged, pageOfSearch, type Search } from '../../db/read-page.ts';
import type { ReadContext } from '../audit/audit-log.ts';
import { type KeyState, type KeySummary, summarize, summaryColumns } from './key.ts';

/** A key in a list. */
export interface ListedKey extends KeySummary {
  /** When it was last used, accurate to some seconds; null: never. */
  readonly lastUsedAt: Date | null;
}

type Row = Parameters<typeof summarize>[0];
type WholeRow = Omit<Row, 'account'> &
  Pick<ListedKey, 'lastUsedAt'> & { accountDisabledAt: Date | null; accountReason: string | null };

const { account: _account, ...ownColumns } = summaryColumns;
const snakeCase = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const SELECT = `SELECT ${Object.keys(ownColumns).map((name) => `k."${snakeCase(name)}" AS "${name}"`)},
    a."disabled_at" AS "accountDisabledAt", a."disabled_reason" AS "accountReason",
    u."last_used_at" AS "lastUsedAt"
  FROM "api_keys" AS k LEFT JOIN "accounts" AS a ON a."id" = k."account_id"
    LEFT JOIN "key_last_uses" AS u ON u."key_id" = k."id"`;

const WORKING = '(k."revoked_at" IS NULL AND (k."expires_at" IS NULL OR k."expires_at" > asked.at))';
const DISABLED = '(k."disabled_at" IS NOT NULL OR a."disabled_at" IS NOT NULL)';
/** The keys that `summarize` says are in a state at a time, those that work or are disabled, and all others. */
const conditions = {
  revoked: 'k."revoked_at" IS NOT NULL',
  expired: '(k."revoked_at" IS NULL AND k."expires_at" <= asked.at)',
  disabled: `${WORKING} AND ${DISABLED}`,
  active: `${WORKING} AND NOT ${DISABLED}`,
  working: WORKING,
  ended: `NOT ${WORKING}`,
} satisfies Record<KeyState | 'working' | 'ended', string>;

const toListed =
  (at: number) =>
  ({
    accountDisabledAt: disabledAt,
    accountReason: disabledReason,
    lastUsedAt,
    ...row
  }: WholeRow): ListedKey => ({
    ...summarize({ ...row, account: { disabledAt, disabledReason } }, at),
    lastUsedAt,
  });

/** All keys, oldest first, without Prisma: loading it would take longer than the rest of a command. */
export async function listAllKeys(pool: Pick<pg.Pool, 'query'>, at: number): Promise<ListedKey[]> {
  const { rows } = await pool.query<WholeRow>(`${SELECT} ORDER BY k."created_at", k."id"`);
  return rows.map(toListed(at));
}

type KeyContext = ReadContext<'$queryRawUnsafe'>;

/** Reads keys, the newest first. @param where a condition on `k`, `a`, `asked.at` and, from $3 on, more values. */
async function readNewest(
  { prisma, now, holder }: KeyContext,
  where: string,
  { take, skip = 0 }: { readonly take?: number | undefined; readonly skip?: number | undefined },
  ...values: string[]
): Promise<ListedKey[]> {
  const range = `${take === undefined ? '' : `LIMIT ${take}`} OFFSET ${skip}`;
  const rows = await prisma.$queryRawUnsafe<WholeRow[]>(
    `${SELECT} CROSS JOIN (SELECT $1::timestamptz AS at, $2::text AS holder) AS asked
     WHERE (asked.holder IS NULL OR k."account_id" = asked.holder) AND ${where}
     ORDER BY k."created_at" DESC, k."id" DESC ${range}`,
    ...[new Date(now()), holder ?? null, ...values],
  );
  return rows.map(toListed(now()));
}

interface ListedKeys {
  /** Only keys that work or are disabled, or only those that were revoked or have expired. */
  readonly which?: 'working' | 'ended';
  /** At most this many of the newest keys, after skipping `skip` of them. */
  readonly newest?: number;
  readonly skip?: number;
}

/** Keys, oldest first. */
export async function listKeys(
  context: KeyContext,
  { which, newest: take, skip }: ListedKeys = {},
): Promise<ListedKey[]> {
  const where = which === undefined ? 'true' : conditions[which];
  return (await readNewest(context, where, { take, skip })).reverse();
}

const TEXT_MAX = 100;

/**
 * All keys, newest first, a page at a time. They are found by their id, their first characters, the id of their account, or
 * part of their name.
 */
export async function searchKeys(context: KeyContext, search: Search<KeyState>): Promise<Paged<ListedKey>> {
  const { text, state } = search;
  const matches = `($3 = '' OR $3 IN (k."id", k."account_id") OR k."prefix" LIKE $4 || '%' OR k."name" ILIKE '%' || $4 || '%')`;
  const where = `${matches} AND ${state === undefined ? 'true' : conditions[state]}`;
  return pageOfSearch(search, TEXT_MAX, (range) => readNewest(context, where, range, text, escapeLike(text)));
}

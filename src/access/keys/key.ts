import type pg from 'pg';
import type { Prisma } from '../../db/generated/client/client.ts';
import { escapeLike, type Paged, pageOfSearch, type Search } from '../../db/read-page.ts';
import { found, lineErrors, OperatorError, quote } from '../../lib/errors.ts';
import type { ReadContext } from '../audit/audit-log.ts';
import { isTier, type Tier, tiers } from '../limits/tiers.ts';

/**
 * Revoked is final; expired depends on the clock; disabled, under the policy, can be reverted. A key is also
 * disabled while its account is.
 */
export type KeyState = 'active' | 'disabled' | 'expired' | 'revoked';

/** The columns of a {@link KeySummary}, see the model ApiKey; the hash is not among them. */
const summaryColumns = {
  id: true,
  name: true,
  prefix: true,
  tier: true,
  rateLimit: true,
  demo: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
  disabledAt: true,
  disabledReason: true,
  accountId: true,
  familyId: true,
  rotatedFrom: true,
  trustedOnly: true,
  origins: true,
  snapshot: true,
  account: { select: { disabledAt: true, disabledReason: true } },
  policyVersion: true,
  policyAcceptedBy: true,
  policyAcceptedAt: true,
} satisfies Prisma.ApiKeySelect;

type Row = Prisma.ApiKeyGetPayload<{ select: typeof summaryColumns }>;

/** A key as shown to its owner: without the key itself and its hash. */
export type KeySummary = Readonly<Omit<Row, 'account'>> & {
  readonly tier: Tier;
  readonly state: KeyState;
  /** The id of the first key of its family: a key and those that replaced it, which share one budget. */
  readonly familyId: string;
};

/** Adds the state, as of `at` (ms), to the stored columns. A key without a reason has that of its account. */
function summarize({ account, ...row }: Row, at: number): KeySummary {
  const isExpired = row.expiresAt !== null && row.expiresAt.getTime() <= at;
  const isDisabled = row.disabledAt !== null || (account !== null && account.disabledAt !== null);
  return {
    ...row,
    tier: requireTier(row.tier),
    state: row.revokedAt !== null ? 'revoked' : isExpired ? 'expired' : isDisabled ? 'disabled' : 'active',
    familyId: row.familyId ?? row.id,
    disabledReason: row.disabledReason ?? account?.disabledReason ?? null,
  };
}

/**
 * Reads one key by its id.
 *
 * @throws UnknownError if there is no such key, or it belongs to another holder.
 */
export async function getKey({ prisma, now, holder }: ReadContext<'apiKey'>, id: string) {
  // The database rejects some texts with an error, so only well-formed ids are sent to it.
  const row = isKeyId(id)
    ? await prisma.apiKey.findUnique({
        where: { id, ...(holder !== undefined && { accountId: holder }) },
        select: summaryColumns,
      })
    : null;
  return summarize(found(row, `No key has the id ${quote(id)}.`), now());
}

/** Whether a key is for the scripts of web pages, where everyone can read it. */
export function isEmbedKey({ origins }: { readonly origins: readonly string[] }): boolean {
  return origins.length > 0;
}

/** The keys that were neither revoked nor have expired, as a condition. They may be disabled. */
export function workingAt(at: Date) {
  return { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
}

export function familyOf({ familyId }: Pick<KeySummary, 'familyId'>): Prisma.ApiKeyWhereInput {
  return { OR: [{ id: familyId }, { familyId }] };
}

/** @throws OperatorError when the text names no tier. */
export function requireTier(tier: string): Tier {
  if (!isTier(tier)) {
    throw new OperatorError(tierError(tier));
  }
  return tier;
}

export function tierError(tier: string): string {
  return `Tier: got ${quote(tier)}, allowed: ${tiers.join(' or ')}.`;
}

export function isKeyId(text: string): boolean {
  return /^key_[0-9A-Za-z]{12}$/.test(text);
}

export const KEY_NAME_MAX = 100;

export function nameErrors(name: string): string[] {
  return lineErrors('Name', name, KEY_NAME_MAX);
}

/** A key in a list. */
export interface ListedKey extends KeySummary {
  /** When it was last used, accurate to some seconds; null: never. */
  readonly lastUsedAt: Date | null;
}

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

function toListed({ accountDisabledAt, accountReason, lastUsedAt, ...row }: WholeRow, at: number): ListedKey {
  const account = { disabledAt: accountDisabledAt, disabledReason: accountReason };
  return { ...summarize({ ...row, account }, at), lastUsedAt };
}

/** All keys, oldest first, without Prisma: loading it would take longer than the rest of a command. */
export async function listAllKeys(pool: Pick<pg.Pool, 'query'>, at: number): Promise<ListedKey[]> {
  const { rows } = await pool.query<WholeRow>(`${SELECT} ORDER BY k."created_at", k."id"`);
  return rows.map((row) => toListed(row, at));
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
    new Date(now()),
    holder ?? null,
    ...values,
  );
  return rows.map((row) => toListed(row, now()));
}

interface ListedKeys {
  /** Only keys that work or are disabled, or only those that were revoked or have expired. */
  readonly which?: 'working' | 'ended';
  /** At most this many of the newest keys, after skipping `skip` of them. */
  readonly newest?: number;
  readonly skip?: number;
}

/** Keys, oldest first. */
export async function listKeys(context: KeyContext, { which, newest: take, skip }: ListedKeys = {}) {
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

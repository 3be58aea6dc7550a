import type pg from 'pg';
import type { Prisma } from '../../db/generated/client/client.ts';
import { escapeLike, type Paged, type PageWanted, page } from '../../db/read-page.ts';
import { isPlainText } from '../../lib/text/plain-text.ts';
import {
  type KeyContext,
  type KeyState,
  type KeySummary,
  ownedBy,
  summarize,
  summaryColumns,
  workingAt,
} from './key.ts';

/** A key in a list. */
export interface ListedKey extends KeySummary {
  /** When it was last used, accurate to some seconds; null: never. */
  readonly lastUsedAt: Date | null;
}

interface ListedKeys {
  /** Only keys that work or are disabled, or only those that were revoked or have expired. */
  readonly which?: 'working' | 'ended';
  /** At most this many of the newest keys, after skipping `skip` of them. */
  readonly newest?: number;
  readonly skip?: number;
}

export async function listKeys(
  { prisma, now, holder }: KeyContext,
  { which, newest, skip = 0 }: ListedKeys = {},
): Promise<ListedKey[]> {
  const at = now();
  const working = workingAt(new Date(at));
  const order = newest === undefined ? 'asc' : 'desc';
  const rows = await prisma.apiKey.findMany({
    where: {
      ...ownedBy(holder),
      ...(which === 'working' ? working : which === 'ended' ? { NOT: working } : {}),
    },
    select: summaryColumns,
    orderBy: [{ createdAt: order }, { id: order }],
    ...(newest === undefined ? {} : { skip, take: newest }),
  });
  if (newest !== undefined) {
    rows.reverse();
  }
  return withLastUses(prisma, rows, at);
}

const { account: _account, ...ownColumns } = summaryColumns;
const ALL_KEYS = `SELECT ${Object.keys(ownColumns).map((name) => `k."${snakeCase(name)}" AS "${name}"`)},
    a."disabled_at" AS "accountDisabledAt", a."disabled_reason" AS "accountReason",
    u."last_used_at" AS "lastUsedAt"
  FROM "api_keys" AS k LEFT JOIN "accounts" AS a ON a."id" = k."account_id"
    LEFT JOIN "key_last_uses" AS u ON u."key_id" = k."id"
  ORDER BY k."created_at", k."id"`;

type Row = Parameters<typeof summarize>[0];
type WholeRow = Omit<Row, 'account'> &
  Pick<ListedKey, 'lastUsedAt'> & { accountDisabledAt: Date | null; accountReason: string | null };

/** All keys, oldest first, without Prisma: loading it would take longer than the rest of a command. */
export async function listAllKeys(pool: Pick<pg.Pool, 'query'>, at: number): Promise<ListedKey[]> {
  const { rows } = await pool.query<WholeRow>(ALL_KEYS);
  return rows.map(({ accountDisabledAt: disabledAt, accountReason: disabledReason, lastUsedAt, ...row }) => ({
    ...summarize({ ...row, account: { disabledAt, disabledReason } }, at),
    lastUsedAt,
  }));
}

function snakeCase(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

async function withLastUses(
  prisma: KeyContext['prisma'],
  rows: readonly Row[],
  at: number,
): Promise<ListedKey[]> {
  const uses = await prisma.keyLastUse.findMany({ where: { keyId: { in: rows.map(({ id }) => id) } } });
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  return rows.map((row) => ({ ...summarize(row, at), lastUsedAt: lastUses.get(row.id) ?? null }));
}

interface KeySearch extends PageWanted {
  /** An id, the first characters of a key, an account's id, or part of a name; empty: all. */
  readonly text: string;
  /** Undefined: in any state. */
  readonly state: KeyState | undefined;
}

const TEXT_MAX = 100;

/** All keys, newest first, a page at a time. A text that no key can contain finds nothing. */
export async function searchKeys(
  { prisma, now }: Omit<KeyContext, 'holder'>,
  { text, state, ...wanted }: KeySearch,
): Promise<Paged<ListedKey>> {
  if (text !== '' && !isPlainText(text, TEXT_MAX)) {
    return { items: [], hasMore: false };
  }
  const at = now();
  const matches: Prisma.ApiKeyWhereInput =
    text === ''
      ? {}
      : {
          OR: [
            { id: text },
            { accountId: text },
            { prefix: { startsWith: escapeLike(text) } },
            { name: { contains: escapeLike(text), mode: 'insensitive' } },
          ],
        };
  const rows = await page(wanted, (range) =>
    prisma.apiKey.findMany({
      where: { AND: [matches, state === undefined ? {} : inState(state, new Date(at))] },
      select: summaryColumns,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...range,
    }),
  );
  return { ...rows, items: await withLastUses(prisma, rows.items, at) };
}

/** The keys that `summarize` says are in a state. */
function inState(state: KeyState, at: Date): Prisma.ApiKeyWhereInput {
  switch (state) {
    case 'revoked':
      return { revokedAt: { not: null } };
    case 'expired':
      return { revokedAt: null, expiresAt: { lte: at } };
    case 'disabled':
      return {
        AND: [
          workingAt(at),
          { OR: [{ disabledAt: { not: null } }, { account: { disabledAt: { not: null } } }] },
        ],
      };
    case 'active':
      return {
        AND: [
          workingAt(at),
          { disabledAt: null, OR: [{ accountId: null }, { account: { disabledAt: null } }] },
        ],
      };
  }
}

import type { Prisma } from '../db/generated/client/client.ts';
import { escapeLike } from '../db/like.ts';
import { type Paged, type PageWanted, page } from '../paged.ts';
import { isPlainText } from '../plain-text.ts';
import { type KeyContext, type KeyState, summarize, summaryColumns } from './key.ts';
import type { ListedKey } from './list.ts';

/** The keys to search for. */
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
  const uses = await prisma.keyLastUse.findMany({ where: { keyId: { in: rows.items.map(({ id }) => id) } } });
  const lastUses = new Map(uses.map(({ keyId, lastUsedAt }) => [keyId, lastUsedAt]));
  return {
    ...rows,
    items: rows.items.map((row) => ({ ...summarize(row, at), lastUsedAt: lastUses.get(row.id) ?? null })),
  };
}

/** The keys that `summarize` says are in a state. */
function inState(state: KeyState, at: Date): Prisma.ApiKeyWhereInput {
  const expired = { expiresAt: { lte: at } };
  const disabled = { OR: [{ disabledAt: { not: null } }, { account: { disabledAt: { not: null } } }] };
  const lives = { revokedAt: null, OR: [{ expiresAt: null }, { expiresAt: { gt: at } }] };
  switch (state) {
    case 'revoked':
      return { revokedAt: { not: null } };
    case 'expired':
      return { revokedAt: null, ...expired };
    case 'disabled':
      return { AND: [lives, disabled] };
    case 'active':
      return {
        AND: [lives, { disabledAt: null, OR: [{ accountId: null }, { account: { disabledAt: null } }] }],
      };
  }
}

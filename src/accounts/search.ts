import type { Prisma, PrismaClient } from '../db/generated/client/client.ts';
import { escapeLike } from '../db/like.ts';
import { type Paged, type PageWanted, page } from '../paged.ts';
import { isPlainText } from '../plain-text.ts';
import { accountColumns, EMAIL_MAX } from './account.ts';
import type { ListedAccount } from './list.ts';

/** Which accounts to search for. */
interface AccountSearch extends PageWanted {
  /** An id, or part of an address or a name; empty: all. */
  readonly text: string;
  /** Only those that are disabled. */
  readonly disabled: boolean;
}

/** Accounts, newest first, a page at a time. A text that no account can contain finds nothing. */
export async function searchAccounts(
  prisma: Pick<PrismaClient, 'account' | 'apiKey'>,
  { text, disabled, ...wanted }: AccountSearch,
): Promise<Paged<ListedAccount>> {
  if (text !== '' && !isPlainText(text, EMAIL_MAX)) {
    return { items: [], hasMore: false };
  }
  const part = { contains: escapeLike(text), mode: 'insensitive' } as const;
  const where: Prisma.AccountWhereInput = {
    ...(text === '' ? {} : { OR: [{ id: text }, { email: part }, { name: part }] }),
    ...(disabled ? { disabledAt: { not: null } } : {}),
  };
  const rows = await page(wanted, (range) =>
    prisma.account.findMany({
      where,
      select: accountColumns,
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      ...range,
    }),
  );
  // By itself: as part of the search, the keys of all accounts would be counted, even once for each account found.
  const counts = await prisma.apiKey.groupBy({
    by: 'accountId',
    where: { accountId: { in: rows.items.map(({ id }) => id) } },
    _count: true,
  });
  const keys = new Map(counts.map(({ accountId, _count }) => [accountId, _count]));
  return { ...rows, items: rows.items.map((account) => ({ ...account, keys: keys.get(account.id) ?? 0 })) };
}

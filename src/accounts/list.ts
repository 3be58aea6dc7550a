import type { Prisma, PrismaClient } from '../db/generated/client/client.ts';
import { escapeLike, type Paged, type PageWanted, page } from '../db/read-page.ts';
import { isPlainText } from '../text/plain-text.ts';
import { type Account, accountColumns, EMAIL_MAX } from './account.ts';

/** An account in a list. */
export interface ListedAccount extends Account {
  /** The number of its keys, in any state. */
  readonly keys: number;
}

/** All accounts, oldest first. */
export async function listAccounts(prisma: Pick<PrismaClient, 'account'>): Promise<ListedAccount[]> {
  const rows = await prisma.account.findMany({
    select: { ...accountColumns, _count: { select: { keys: true } } },
    orderBy: [{ createdAt: 'asc' }, { id: 'asc' }],
  });
  return rows.map(({ _count, ...account }) => ({ ...account, keys: _count.keys }));
}

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

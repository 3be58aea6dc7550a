import type { PrismaClient } from '../db/generated/client/client.ts';
import { type Account, accountColumns } from './account.ts';

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

import { type ActContext, act } from '../audit/act.ts';
import { type Account, requireAccountBy } from './account.ts';

/**
 * Reverts `promoteAccount`, at once.
 *
 * @throws OperatorError for an unknown account.
 */
export async function demoteAccount(context: ActContext, idOrEmail: string): Promise<Account> {
  return act(context, async ({ prisma, record }) => {
    const account = await requireAccountBy(prisma, idOrEmail);
    if (!account.operator) {
      return account;
    }
    await prisma.account.update({
      where: { id: account.id },
      data: { operator: false },
      select: { id: true },
    });
    await record('account.demote', account.id);
    return { ...account, operator: false };
  });
}

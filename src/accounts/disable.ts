import { type ActContext, act } from '../audit/act.ts';
import { readReason } from '../plain-text.ts';
import { type Account, requireAccount } from './account.ts';

/**
 * Disables an account under the acceptable-use policy: requests with any of its keys get 403, its sessions end, and
 * no one can sign in to it until it is enabled again. Disabling it again changes nothing, not even the time.
 *
 * @param reason shown to its holder.
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export async function disableAccount(context: ActContext, id: string, reason?: string): Promise<Account> {
  const disabledReason = readReason(reason);
  return act(context, async ({ prisma, now, record }) => {
    const account = await requireAccount(prisma, id);
    if (account.disabledAt !== null) {
      return account;
    }
    const data = { disabledAt: new Date(now()), disabledReason };
    await prisma.account.update({ where: { id }, data, select: { id: true } });
    await prisma.session.deleteMany({ where: { userId: id } });
    await record('account.disable', id, { reason: disabledReason });
    return { ...account, ...data };
  });
}

import { type ActContext, act } from '../audit/act.ts';
import { readReason } from '../plain-text.ts';
import { type Account, requireAccount } from './account.ts';

/**
 * Reverts `disableAccount`. Its keys that were disabled individually remain disabled.
 *
 * @param reason for the audit log only.
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export async function enableAccount(context: ActContext, id: string, reason?: string): Promise<Account> {
  const why = readReason(reason);
  return act(context, async ({ prisma, record }) => {
    const account = await requireAccount(prisma, id);
    if (account.disabledAt === null) {
      return account;
    }
    const data = { disabledAt: null, disabledReason: null };
    await prisma.account.update({ where: { id }, data, select: { id: true } });
    await record('account.enable', id, { reason: why });
    return { ...account, ...data };
  });
}

import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import { type Account, requireAccountBy } from './account.ts';

/**
 * Makes the holder of an account an operator of this gateway, who sees and changes everybody's keys in the
 * dashboard. Nothing else makes one.
 *
 * @throws OperatorError for an unknown account, and for one whose address nobody has confirmed: it may not
 *   be whose it seems.
 */
export async function promoteAccount(context: ActContext, idOrEmail: string): Promise<Account> {
  return act(context, async ({ prisma, record }) => {
    const account = await requireAccountBy(prisma, idOrEmail);
    if (account.operator) {
      return account;
    }
    if (!account.emailVerified) {
      throw new OperatorError(
        `The e-mail address of account ${account.id} is not confirmed: its holder signs up or asks for a new password first.`,
      );
    }
    await prisma.account.update({
      where: { id: account.id },
      data: { operator: true },
      select: { id: true },
    });
    await record('account.promote', account.id);
    return { ...account, operator: true };
  });
}

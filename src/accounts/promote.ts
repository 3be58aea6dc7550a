import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import { type Account, requireAccountBy } from './account.ts';

/**
 * Gives the holder of an account the operator role, which can view and change all keys in the
 * dashboard. Only this function does so.
 *
 * @throws OperatorError for an unknown account, and for one with an unconfirmed address, whose holder is not
 *   verified.
 */
export async function promoteAccount(context: ActContext, idOrEmail: string): Promise<Account> {
  return act(context, async ({ prisma, record }) => {
    const account = await requireAccountBy(prisma, idOrEmail);
    if (account.operator) {
      return account;
    }
    if (!account.emailVerified) {
      throw new OperatorError(
        `The e-mail address of account ${account.id} is not confirmed: its holder must first sign up or reset the password.`,
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

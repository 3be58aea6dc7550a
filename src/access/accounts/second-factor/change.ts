import type { Prisma } from '../../../db/generated/client/client.ts';
import { type ActionContext, runAction } from '../../audit/run-action.ts';
import { type Account, requireAccountBy } from '../account.ts';

type Client = Pick<Prisma.TransactionClient, 'account' | 'twoFactor'>;

/** Makes the second factor that an account has set up necessary to sign in. */
export async function setFactor(context: ActionContext, id: string): Promise<void> {
  await runAction(context, async ({ prisma, record }) => {
    await prisma.twoFactor.update({ where: { userId: id }, data: { verified: true }, select: { id: true } });
    await prisma.account.update({ where: { id }, data: { twoFactorEnabled: true }, select: { id: true } });
    await record('account.factor-set', id);
  });
}

/** Reverts `setFactor`, for the holder of an account. */
export async function unsetFactor(context: ActionContext, id: string): Promise<void> {
  await runAction(context, async ({ prisma, record }) => {
    await removeFactor(prisma, id);
    await record('account.factor-remove', id);
  });
}

/**
 * Removes the second factor of somebody who lost it, and ends all sessions of the account.
 *
 * @throws OperatorError for an unknown account.
 */
export async function resetFactor(context: ActionContext, idOrEmail: string): Promise<Account> {
  return runAction(context, async ({ prisma, record }) => {
    const account = await requireAccountBy(prisma, idOrEmail);
    await removeFactor(prisma, account.id);
    await prisma.session.deleteMany({ where: { userId: account.id } });
    await record('account.factor-reset', account.id);
    return account;
  });
}

export async function removeFactor(prisma: Client, id: string): Promise<void> {
  await prisma.twoFactor.deleteMany({ where: { userId: id } });
  await prisma.account.update({ where: { id }, data: { twoFactorEnabled: false }, select: { id: true } });
}

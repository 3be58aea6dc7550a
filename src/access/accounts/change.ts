import type { PrismaClient } from '../../db/generated/client/client.ts';
import { OperatorError, readReason } from '../../lib/errors.ts';
import { type ActionContext, type RunningAction, runAction } from '../audit/audit-log.ts';
import { removeEndedDocuments } from '../keys/documents/publish-and-remove.ts';
import { type Account, requireAccount, requireAccountBy } from './account.ts';

/**
 * Gives an account the operator role, which can view and change all keys in the dashboard. Only this function does so.
 *
 * @throws OperatorError for an unknown account, and for one with an unconfirmed address, whose user is not verified.
 */
export const promoteAccount = changeRole(true);

/** Reverts `promoteAccount`, at once. */
export const demoteAccount = changeRole(false);

function changeRole(operator: boolean) {
  return (context: ActionContext, idOrEmail: string): Promise<Account> =>
    runAction(context, async ({ prisma, record }) => {
      const account = await requireAccountBy(prisma, idOrEmail);
      const { id } = account;
      if (account.operator === operator) {
        return account;
      }
      if (operator && !account.emailVerified) {
        throw new OperatorError(
          `The email address of account ${id} is not confirmed: its user must first sign up or reset the password.`,
        );
      }
      await prisma.account.update({ where: { id }, data: { operator }, select: { id: true } });
      if (!operator) {
        await endMadeLinks(prisma, id);
        await removeUpload(prisma, id);
      }
      await record(operator ? 'account.promote' : 'account.demote', id);
      return { ...account, operator };
    });
}

/**
 * Disables an account under the acceptable-use policy: requests with any of its keys get 403, its sessions end, and
 * no one can sign in to it until it is enabled again. Disabling it again changes nothing, not even the time.
 *
 * @param reason shown to its holder.
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export const disableAccount = changeState('account.disable');

/**
 * Reverts `disableAccount`. Its keys that were disabled individually remain disabled.
 *
 * @param reason for the audit log only.
 * @throws OperatorError for an unknown id or an invalid reason.
 */
export const enableAccount = changeState('account.enable');

function changeState(action: 'account.disable' | 'account.enable') {
  return async (context: ActionContext, id: string, text?: string): Promise<Account> => {
    const reason = readReason(text);
    return runAction(context, async ({ prisma, now, record }) => {
      const account = await requireAccount(prisma, id);
      const disables = action === 'account.disable';
      if ((account.disabledAt !== null) === disables) {
        return account;
      }
      const data = disables
        ? { disabledAt: new Date(now()), disabledReason: reason }
        : { disabledAt: null, disabledReason: null };
      await prisma.account.update({ where: { id }, data, select: { id: true } });
      if (disables) {
        await prisma.session.deleteMany({ where: { userId: id } });
        await endMadeLinks(prisma, id);
        await removeUpload(prisma, id);
      }
      await record(action, id, { reason });
      return { ...account, ...data };
    });
  };
}

/** Ends the links that an operator made for others, so that they do not work again with a new role either. */
async function endMadeLinks(prisma: RunningAction['prisma'], id: string): Promise<void> {
  await prisma.verification.deleteMany({ where: { makerId: id } });
}

/** Removes the file that an operator has uploaded and not imported. */
async function removeUpload(prisma: RunningAction['prisma'], id: string): Promise<void> {
  await prisma.keptUpload.deleteMany({ where: { accountId: id } });
}

/** The new name of the keys of a deleted account: the old one may contain a person's name. */
const NAME = 'deleted';

/**
 * Deletes an account with all personal data: address, password, sessions, links to other providers, shortlist, saved
 * searches, published documents. Its keys are revoked at once. They remain for the counts of their use, without owner, name, origins and
 * reason. The audit log refers to the account by its id only.
 *
 * @returns the number of keys that still worked or were disabled.
 * @throws OperatorError for an unknown id.
 */
export async function deleteAccount(context: ActionContext, id: string): Promise<{ revokedKeys: number }> {
  return runAction(context, async ({ prisma, now, record }) => {
    await requireAccount(prisma, id);
    const revokedAt = new Date(now());
    const { count } = await prisma.apiKey.updateMany({
      where: { accountId: id, revokedAt: null },
      data: { revokedAt },
    });
    await removeEndedDocuments({ prisma, now }, { accountId: id });
    await prisma.apiKey.updateMany({
      where: { accountId: id },
      data: { accountId: null, name: NAME, origins: [], disabledReason: null },
    });
    // Links in its emails no longer work, nor does a link to GitHub that has begun. Everything else is deleted with its
    // row.
    await prisma.verification.deleteMany({ where: { value: { contains: id } } });
    // What its emails told, and what still waits to be told.
    await prisma.sentMail.deleteMany({ where: { accountId: id } });
    await prisma.account.delete({ where: { id }, select: { id: true } });
    await record('account.delete', id, { revokedKeys: count });
    return { revokedKeys: count };
  });
}

/**
 * Records that the holder of an account accepted a version of the acceptable-use policy. A recorded time is
 * never changed.
 *
 * @param version one that was published.
 */
export async function acceptPolicy(context: ActionContext, accountId: string, version: string) {
  await runAction(context, async ({ prisma, now, record }) => {
    await requireAccount(prisma, accountId);
    const { count } = await prisma.policyAcceptance.createMany({
      data: { accountId, version, acceptedAt: new Date(now()) },
      skipDuplicates: true,
    });
    if (count > 0) {
      await record('policy.accept', accountId, { version });
    }
  });
}

/** When an account accepted a version of the policy; null: never. */
export async function findPolicyAcceptance(
  prisma: Pick<PrismaClient, 'policyAcceptance'>,
  accountId: string,
  version: string,
): Promise<Date | null> {
  const found = await prisma.policyAcceptance.findUnique({
    where: { accountId_version: { accountId, version } },
    select: { acceptedAt: true },
  });
  return found?.acceptedAt ?? null;
}

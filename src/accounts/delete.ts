import { type ActContext, act } from '../audit/act.ts';
import { requireAccount } from './account.ts';

/** The new name of the keys of a deleted account: the old one may contain a person's name. */
const NAME = 'deleted';

/**
 * Deletes an account with all personal data: address, password, sessions, links to other providers. Its
 * keys are revoked and have no owner; the audit log remains, which refers to the account by its id only.
 *
 * @throws OperatorError for an unknown id.
 */
export async function deleteAccount(context: ActContext, id: string): Promise<void> {
  await act(context, async ({ prisma, now, record }) => {
    await requireAccount(prisma, id);
    const revokedAt = new Date(now());
    const { count } = await prisma.apiKey.updateMany({
      where: { accountId: id, revokedAt: null },
      data: { revokedAt },
    });
    await prisma.apiKey.updateMany({ where: { accountId: id }, data: { accountId: null, name: NAME } });
    // Links in its mails no longer work. Everything else is deleted with its row.
    await prisma.verification.deleteMany({ where: { value: id } });
    await prisma.account.delete({ where: { id }, select: { id: true } });
    await record('account.delete', id, { revokedKeys: count });
  });
}

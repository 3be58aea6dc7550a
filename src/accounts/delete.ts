import { type ActContext, act } from '../audit/act.ts';
import { requireAccount } from './account.ts';

/** What a key of a deleted account is called: its name may have named a person. */
const NAME = 'deleted';

/**
 * Deletes an account with all that is personal: address, password, sessions, links to other providers. Its
 * keys are revoked and belong to nobody; what was recorded of it stays, which names it by its id only.
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
    // What was mailed to it no longer works. The rest goes with its row.
    await prisma.verification.deleteMany({ where: { value: id } });
    await prisma.account.delete({ where: { id }, select: { id: true } });
    await record('account.delete', id, { revokedKeys: count });
  });
}

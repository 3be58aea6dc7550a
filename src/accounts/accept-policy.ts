import { type ActContext, act } from '../audit/act.ts';
import type { PrismaClient } from '../db/generated/client/client.ts';
import { requireAccount } from './account.ts';

/**
 * Records that the holder of an account accepted a version of the acceptable-use policy. A recorded time is
 * never changed.
 *
 * @param version one that was published.
 */
export async function acceptPolicy(context: ActContext, accountId: string, version: string): Promise<void> {
  await act(context, async ({ prisma, now, record }) => {
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

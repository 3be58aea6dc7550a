import type { KeyContext } from './key.ts';

/**
 * Records that a demo key was used for the first time, which is its holder's agreement to the policy.
 * The first time stays.
 */
export async function recordPolicyAcceptance({ prisma, now }: KeyContext, id: string): Promise<void> {
  await prisma.apiKey.updateMany({
    where: { id, policyAcceptedAt: null },
    data: { policyAcceptedAt: new Date(now()) },
  });
}

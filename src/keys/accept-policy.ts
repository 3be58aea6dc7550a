import type { KeyContext } from './key.ts';

/**
 * Records that a demo key was used for the first time, by which its holder accepts the policy.
 * A recorded time is never changed.
 */
export async function recordPolicyAcceptance({ prisma, now }: KeyContext, id: string): Promise<void> {
  await prisma.apiKey.updateMany({
    where: { id, policyAcceptedAt: null },
    data: { policyAcceptedAt: new Date(now()) },
  });
}

import type { Act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';

/** How many working keys an account may create for itself; an operator can create any number for it. */
export const OWN_KEYS_MAX = 10;

/**
 * Checks that an account may create one more key for itself.
 *
 * @param policyVersion the version of the acceptable-use policy in force.
 * @throws OperatorError with the reason, shown to its holder.
 */
export async function requireMayHold(
  { prisma, now }: Pick<Act, 'prisma' | 'now'>,
  accountId: string,
  policyVersion: string,
): Promise<void> {
  const account = await prisma.account.findUnique({
    where: { id: accountId },
    select: {
      emailVerified: true,
      disabledAt: true,
      acceptances: { where: { version: policyVersion }, select: { version: true } },
    },
  });
  if (account === null || account.disabledAt !== null) {
    throw new OperatorError(
      'Your account is disabled under the acceptable-use policy: it cannot create keys.',
    );
  }
  if (!account.emailVerified) {
    throw new OperatorError('Confirm your email address before you create a key.');
  }
  if (account.acceptances.length === 0) {
    throw new OperatorError(`Accept version ${policyVersion} of the acceptable-use policy first.`);
  }
  const live = await prisma.apiKey.count({
    where: {
      accountId,
      revokedAt: null,
      OR: [{ expiresAt: null }, { expiresAt: { gt: new Date(now()) } }],
    },
  });
  if (live >= OWN_KEYS_MAX) {
    throw new OperatorError(
      `You have ${live} working keys; the maximum is ${OWN_KEYS_MAX}. Revoke one first.`,
    );
  }
}

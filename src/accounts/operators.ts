import type { PrismaClient } from '../db/generated/client/client.ts';
import type { Account } from './account.ts';

/** The addresses of OPERATORS, in lower case. */
export type OperatorAddresses = readonly string[];

/**
 * Whether an account is an operator's: it was made one, or its confirmed address is one of OPERATORS. Every check of an
 * operator's rights uses this function.
 */
export function isOperator(
  { operator, email, emailVerified }: Pick<Account, 'operator' | 'email' | 'emailVerified'>,
  addresses: OperatorAddresses,
): boolean {
  return operator || (emailVerified && email !== null && addresses.includes(email));
}

/** Whether there is any operator, enabled or not. */
export async function hasOperator(
  prisma: Pick<PrismaClient, 'account'>,
  addresses: OperatorAddresses,
): Promise<boolean> {
  const found = await prisma.account.findFirst({
    where: { OR: [{ operator: true }, { emailVerified: true, email: { in: [...addresses] } }] },
    select: { id: true },
  });
  return found !== null;
}

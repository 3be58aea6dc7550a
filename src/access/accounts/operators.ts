import type { PrismaClient } from '../../db/generated/client/client.ts';
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

interface Importing {
  readonly accountId: string;
  readonly by: { readonly token: string } | { readonly session: string };
}

/**
 * A statement that returns a row as long as somebody may import: {@link isOperator} and what else ends the right, for the
 * transaction of an import, which runs where nothing else of accounts is loaded.
 */
export function rightToImport({ accountId, by }: Importing, addresses: OperatorAddresses) {
  const [used, id] =
    'token' in by
      ? ['operator_tokens AS used ON used.revoked_at IS NULL', by.token]
      : ['sessions AS used ON true', by.session];
  const text = `SELECT 1 FROM accounts AS a JOIN ${used} AND used.account_id = a.id AND used.id = $2
    WHERE a.id = $1 AND a.disabled_at IS NULL
      AND (a.operator OR (a.email_verified AND a.email = ANY ($3::text[])))`;
  return { text, values: [accountId, id, [...addresses]] };
}

export async function hasOperator(prisma: Pick<PrismaClient, 'account'>, addresses: OperatorAddresses) {
  const found = await prisma.account.findFirst({
    where: { OR: [{ operator: true }, { emailVerified: true, email: { in: [...addresses] } }] },
    select: { id: true },
  });
  return found !== null;
}

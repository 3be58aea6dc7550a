import type { Prisma, PrismaClient } from '../db/generated/client/client.ts';
import { OperatorError } from '../errors.ts';
import { quote } from '../plain-text.ts';

/** Whom keys belong to. */
export interface Account {
  readonly id: string;
  readonly name: string | null;
  /** In lower case. */
  readonly email: string | null;
  readonly createdAt: Date;
  /** While it is disabled, so are its keys. */
  readonly disabledAt: Date | null;
  /** For its holder to read. */
  readonly disabledReason: string | null;
}

/** The columns of an {@link Account}. */
export const accountColumns = {
  id: true,
  name: true,
  email: true,
  createdAt: true,
  disabledAt: true,
  disabledReason: true,
} satisfies Prisma.AccountSelect;

// Whoever makes accounts chooses their ids, so this only keeps out what a database chokes on.
const ID_SHAPE = /^[0-9A-Za-z_-]{1,64}$/;

/**
 * Reads one account by its id.
 *
 * @throws OperatorError when there is none.
 */
export async function requireAccount(prisma: Pick<PrismaClient, 'account'>, id: string): Promise<Account> {
  const account = ID_SHAPE.test(id)
    ? await prisma.account.findUnique({ where: { id }, select: accountColumns })
    : null;
  if (account === null) {
    throw new OperatorError(`No account has the id ${quote(id)}.`);
  }
  return account;
}

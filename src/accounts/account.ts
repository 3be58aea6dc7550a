import type { Prisma, PrismaClient } from '../db/generated/client/client.ts';
import { UnknownError } from '../errors.ts';
import { isPlainText, quote } from '../plain-text.ts';

/** The owner of keys. */
export interface Account {
  readonly id: string;
  readonly name: string | null;
  /** In lower case. */
  readonly email: string | null;
  /** Whether its holder has confirmed the address. */
  readonly emailVerified: boolean;
  /** Whether its holder operates this gateway. */
  readonly operator: boolean;
  readonly createdAt: Date;
  /** While it is disabled, so are its keys. */
  readonly disabledAt: Date | null;
  /** Shown to its holder. */
  readonly disabledReason: string | null;
}

/** The columns of an {@link Account}. */
export const accountColumns = {
  id: true,
  name: true,
  email: true,
  emailVerified: true,
  operator: true,
  createdAt: true,
  disabledAt: true,
  disabledReason: true,
} satisfies Prisma.AccountSelect;

// Callers of create choose the ids, so this only rejects texts that cause database errors.
const ID_SHAPE = /^[0-9A-Za-z_-]{1,64}$/;

/**
 * Reads one account by its id.
 *
 * @throws UnknownError when there is none.
 */
export async function requireAccount(prisma: Pick<PrismaClient, 'account'>, id: string): Promise<Account> {
  const account = ID_SHAPE.test(id)
    ? await prisma.account.findUnique({ where: { id }, select: accountColumns })
    : null;
  if (account === null) {
    throw new UnknownError(`No account has the id ${quote(id)}.`);
  }
  return account;
}

/**
 * Reads one account by its id or its e-mail address.
 *
 * @throws UnknownError when there is none.
 */
export async function requireAccountBy(
  prisma: Pick<PrismaClient, 'account'>,
  idOrEmail: string,
): Promise<Account> {
  if (!idOrEmail.includes('@')) {
    return requireAccount(prisma, idOrEmail);
  }
  const account = isPlainText(idOrEmail, EMAIL_MAX)
    ? await prisma.account.findUnique({ where: { email: idOrEmail.toLowerCase() }, select: accountColumns })
    : null;
  if (account === null) {
    throw new UnknownError(`No account has the e-mail address ${quote(idOrEmail)}.`);
  }
  return account;
}

/** The maximum length of an e-mail address. */
export const EMAIL_MAX = 254;

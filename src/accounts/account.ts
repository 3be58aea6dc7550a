import type { Prisma, PrismaClient } from '../db/generated/client/client.ts';
import { UnknownError } from '../errors.ts';
import { isPlainText, quote } from '../text/plain-text.ts';

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

/** The owner of keys, see the model Account. */
export type Account = Readonly<Prisma.AccountGetPayload<{ select: typeof accountColumns }>>;

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
 * Reads one account by its id or its email address.
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
    throw new UnknownError(`No account has the email address ${quote(idOrEmail)}.`);
  }
  return account;
}

/** The maximum length of an email address. */
export const EMAIL_MAX = 254;

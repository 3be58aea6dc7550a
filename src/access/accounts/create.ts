import { isPlainText, lineErrors, OperatorError, quote, throwIfAny } from '../../lib/errors.ts';
import { randomBase62 } from '../../lib/text/base62.ts';
import { type CreateContext, runAction } from '../audit/audit-log.ts';
import { type Account, accountColumns, EMAIL_MAX } from './account.ts';

export interface NewAccount {
  /** 1 to 100 characters, without control characters; none by default, as after signing up. */
  readonly name?: string | undefined;
  /** Where its holder can be reached; no other account may have it. */
  readonly email?: string | undefined;
}

const NAME_MAX = 100;
const ID_DIGITS = 12;
// Whether the address exists can only be verified by sending mail to it.
const EMAIL_SHAPE = /^[^\s@]{1,64}@[^\s@.]+(\.[^\s@.]+)+$/;

/**
 * Creates an account that can own keys.
 *
 * @throws OperatorError with every error of the input, or if the address is in use.
 */
export async function createAccount(context: CreateContext, { name, email }: NewAccount): Promise<Account> {
  checkNewAccount({ name, email });
  const address = email?.toLowerCase() ?? null;
  const id = `acc_${randomBase62(ID_DIGITS, context.randomBytes)}`;
  return runAction(context, async ({ prisma, now, record }) => {
    // Administrative actions run one at a time.
    if (address !== null && (await prisma.account.findUnique({ where: { email: address } })) !== null) {
      throw new OperatorError(`An account with the email address ${quote(address)} already exists.`);
    }
    const data = { id, name: name ?? '', email: address, createdAt: new Date(now()) };
    const account = await prisma.account.create({ data, select: accountColumns });
    // Without name and address: the record remains when the account is deleted.
    await record('account.create', id);
    return account;
  });
}

export function isEmail(text: string): boolean {
  return EMAIL_SHAPE.test(text) && isPlainText(text, EMAIL_MAX);
}

/**
 * Checks what can be checked without the database.
 *
 * @throws OperatorError with every error.
 */
export function checkNewAccount({ name, email }: NewAccount): void {
  const errors = name === undefined ? [] : lineErrors('Name', name, NAME_MAX);
  if (email !== undefined && !isEmail(email)) {
    errors.push(`Email: got ${quote(email)}, allowed: an address such as name@example.com.`);
  }
  throwIfAny(errors);
}

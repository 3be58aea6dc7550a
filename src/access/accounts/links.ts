import { OperatorError } from '../../lib/errors.ts';
import { randomBase62 } from '../../lib/text/base62.ts';
import { digestOf } from '../../lib/text/digest.ts';
import { type CreateContext, type RunningAction, runAction } from '../audit/audit-log.ts';
import { type Account, accountColumns, requireAccount } from './account.ts';
import { createAccount, type NewAccount } from './create.ts';
import { hasOperator, isOperator, type OperatorAddresses } from './operators.ts';
import { removeFactor } from './second-factor.ts';

const HOUR_MS = 3_600_000;
/** How long the link works with which the first operator is set up. */
const SETUP_MS = HOUR_MS;
/** How long a link works that somebody passes on. */
const PASSWORD_LINK_MS = 24 * HOUR_MS;
const TOKEN_DIGITS = 32;
/** Of our tokens, and of better-auth's. */
const TOKEN_SHAPE = /^[0-9A-Za-z]{1,64}$/;

const SETUP = 'operator-setup:';
/** As better-auth names its own tokens, which set a password and confirm the address. */
const PASSWORD = 'reset-password:';

export interface PasswordLink {
  /** Of the page that it opens; the link is a secret. */
  readonly path: string;
  readonly expiresAt: Date;
}

/** An operator who makes a link in the dashboard. One of the command line has no maker, as it needs no role. */
export interface LinkMaker {
  readonly id: string;
  readonly operators: OperatorAddresses;
}

/** Creates an account for an address that signs up, unless there is one. It gets a password by a link in a mail. */
export async function signUp(context: Omit<CreateContext, 'actor'>, email: string): Promise<void> {
  const acting = { ...context, actor: 'sign-up' };
  // A known address takes as long as another.
  await runAction(acting, async (within) => {
    const { prisma } = within;
    if ((await prisma.account.findUnique({ where: { email }, select: { id: true } })) === null) {
      const { id } = await createAccount({ ...acting, within }, { email });
      await addCredential(prisma, context, { id, password: null });
    }
  });
}

/**
 * The account whose password a link sets, which may have expired: better-auth checks that. Null also for a link whose maker
 * is no operator any more, or whose account has become an operator's.
 */
export async function findLinkedAccount(
  { prisma }: Pick<RunningAction, 'prisma'>,
  token: string,
  operators: OperatorAddresses,
): Promise<Account | null> {
  if (!TOKEN_SHAPE.test(token)) {
    return null;
  }
  const link = await prisma.verification.findFirst({
    where: { identifier: `${PASSWORD}${token}` },
    select: { value: true, maker: { select: accountColumns } },
  });
  const account =
    link && (await prisma.account.findUnique({ where: { id: link.value }, select: accountColumns }));
  if (link === null || account === null || link.maker === null) {
    return account;
  }
  const mayMake = isOperator(link.maker, operators) && link.maker.disabledAt === null;
  return mayMake && !opensOperator(account, operators) ? account : null;
}

/** Whether the user of an account is an operator after using a link, which confirms the address. */
const opensOperator = (account: Account, operators: OperatorAddresses): boolean =>
  isOperator({ ...account, emailVerified: true }, operators);

/**
 * Creates an account and a link to set its password, which also confirms its address.
 *
 * @throws OperatorError as `createAccount` and `createPasswordLink` do.
 */
export async function inviteAccount(
  context: CreateContext,
  { operator = false, ...input }: NewAccount & { readonly email: string; readonly operator?: boolean },
  maker?: LinkMaker,
): Promise<{ account: Account; link: PasswordLink }> {
  return runAction(context, async (within) => {
    const created = await createAccount({ ...context, within }, input);
    const account = operator ? await makeOperator(within, created.id, {}) : created;
    const link = await createPasswordLink({ ...context, within }, account.id, maker);
    // An operator is led through the second factor.
    const path = operator ? `${link.path}&next=/dashboard/second-factor` : link.path;
    return { account, link: { ...link, path } };
  });
}

/**
 * Creates a link with which the user of an account sets a password, and ends earlier ones. Whoever has the link gets
 * the account, so this is recorded, and no operator can make one for another operator's account.
 *
 * @throws OperatorError for an account without an address, which nobody can sign in to, and for that of an operator if
 *   there is a maker; UnknownError for an unknown id.
 */
export async function createPasswordLink(
  context: CreateContext,
  id: string,
  maker?: LinkMaker,
): Promise<PasswordLink> {
  return runAction(context, async ({ prisma, now, record }) => {
    const account = await requireAccount(prisma, id);
    if (account.email === null) {
      throw new OperatorError(`Account ${id} has no email address, so nobody can sign in to it.`);
    }
    if (maker !== undefined && opensOperator(account, maker.operators)) {
      throw new OperatorError(
        `${account.email} is the address of an operator, whose links only the command line makes: npx revgate accounts password-link ${account.email}`,
      );
    }
    await prisma.verification.deleteMany({ where: { identifier: { startsWith: PASSWORD }, value: id } });
    const token = randomBase62(TOKEN_DIGITS, context.randomBytes);
    const expiresAt = new Date(now() + PASSWORD_LINK_MS);
    const data = {
      id: newId(context),
      identifier: PASSWORD + token,
      value: id,
      expiresAt,
      makerId: maker?.id ?? null,
    };
    await prisma.verification.create({ data, select: { id: true } });
    await record('account.link', id);
    return { path: `/dashboard/reset-password?token=${token}`, expiresAt };
  });
}

/**
 * Creates a link to set up the first operator. It works once, for an hour, and only while there is no operator.
 *
 * @returns the path of its page, a secret; undefined if there is an operator.
 */
export async function createSetupLink(
  { prisma, now, randomBytes }: Omit<CreateContext, 'actor'>,
  addresses: OperatorAddresses,
): Promise<string | undefined> {
  if (await hasOperator(prisma, addresses)) {
    return undefined;
  }
  const token = randomBase62(TOKEN_DIGITS, randomBytes);
  const expiresAt = new Date(now() + SETUP_MS);
  const data = { id: newId({ randomBytes }), identifier: SETUP + digestOf(token), value: '', expiresAt };
  await prisma.verification.create({ data, select: { id: true } });
  return `/dashboard/setup?token=${token}`;
}

/** Whether the token of a setup link works at this moment. */
export async function isSetupOpen(
  { prisma, now }: Pick<RunningAction, 'prisma' | 'now'>,
  token: string,
  addresses: OperatorAddresses,
): Promise<boolean> {
  const found = await prisma.verification.findFirst({
    where: { identifier: SETUP + digestOf(token), expiresAt: { gt: new Date(now()) } },
    select: { id: true },
  });
  return found !== null && !(await hasOperator(prisma, addresses));
}

/**
 * Sets up the first operator by a link: an account with a confirmed address and a password. An account that has the
 * address already gets the password: what others may have left in it, such as a session, ends.
 *
 * @returns undefined if the link does not work.
 * @throws OperatorError for an invalid address, and for that of a disabled account.
 */
export async function setUpOperator(
  context: Omit<CreateContext, 'actor'>,
  { token, email, passwordHash }: { token: string; email: string; passwordHash: string },
  addresses: OperatorAddresses,
): Promise<Account | undefined> {
  const acting = { ...context, actor: 'setup link' };
  return runAction(acting, async (within) => {
    const { prisma } = within;
    if (!(await isSetupOpen(within, token, addresses))) {
      return undefined;
    }
    const known = await prisma.account.findUnique({
      where: { email: email.toLowerCase() },
      select: accountColumns,
    });
    if (known !== null && known.disabledAt !== null) {
      throw new OperatorError('The account with this address is disabled. Use another address.');
    }
    const { id } = known ?? (await createAccount({ ...acting, within }, { email }));
    await prisma.accountProvider.deleteMany({ where: { userId: id } });
    await prisma.session.deleteMany({ where: { userId: id } });
    await removeFactor(prisma, id);
    await addCredential(prisma, context, { id, password: passwordHash });
    await prisma.verification.deleteMany({ where: { identifier: { startsWith: SETUP } } });
    return makeOperator(within, id, { by: 'setup link' });
  });
}

/** Lets an account sign in with a password, which it may not have yet: that it signed up is known by this row. */
async function addCredential(
  prisma: RunningAction['prisma'],
  context: Pick<CreateContext, 'randomBytes'>,
  { id, password }: { readonly id: string; readonly password: string | null },
): Promise<void> {
  const data = { id: newId(context), userId: id, providerId: 'credential', accountId: id, password };
  await prisma.accountProvider.create({ data, select: { id: true } });
}

function newId({ randomBytes }: Pick<CreateContext, 'randomBytes'>): string {
  return randomBase62(22, randomBytes);
}

async function makeOperator({ prisma, record }: RunningAction, id: string, details: { by?: string }) {
  const account = await prisma.account.update({
    where: { id },
    data: { operator: true, emailVerified: true },
    select: accountColumns,
  });
  await record('account.promote', id, details);
  return account;
}

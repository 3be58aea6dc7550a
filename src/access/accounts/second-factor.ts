import { createHmac } from 'node:crypto';
import type { Prisma, PrismaClient } from '../../db/generated/client/client.ts';
import { ApiError, OperatorError } from '../../lib/errors.ts';
import { isSameSecret } from '../../lib/text/digest.ts';
import { type ActionContext, runAction } from '../audit/audit-log.ts';
import { type Account, requireAccountBy } from './account.ts';
import type { Auth, Visitor } from './sign-in/auth.ts';

type Client = Pick<Prisma.TransactionClient, 'account' | 'twoFactor'>;

/**
 * Makes the second factor that an account has set up necessary to sign in.
 *
 * @returns its recovery codes; undefined if none was being set up any more.
 */
export async function setFactor(
  context: ActionContext & Pick<FactorContext, 'auth'>,
  id: string,
): Promise<readonly string[] | undefined> {
  return runAction(context, async ({ prisma, record }) => {
    const factor = await prisma.twoFactor.findUnique({ where: { userId: id, verified: false } });
    if (factor === null) {
      return undefined;
    }
    const codes = await readCodes(context.auth, factor.backupCodes);
    await prisma.twoFactor.update({ where: { userId: id }, data: { verified: true }, select: { id: true } });
    await prisma.account.update({ where: { id }, data: { twoFactorEnabled: true }, select: { id: true } });
    await record('account.factor-set', id);
    return codes;
  });
}

/** Reverts `setFactor`, for the holder of an account. */
export async function unsetFactor(context: ActionContext, id: string): Promise<void> {
  await runAction(context, async ({ prisma, record }) => {
    await removeFactor(prisma, id);
    await record('account.factor-remove', id);
  });
}

/**
 * Removes the second factor of somebody who lost it, and ends all sessions of the account.
 *
 * @throws OperatorError for an unknown account.
 */
export async function resetFactor(context: ActionContext, idOrEmail: string): Promise<Account> {
  return runAction(context, async ({ prisma, record }) => {
    const account = await requireAccountBy(prisma, idOrEmail);
    await removeFactor(prisma, account.id);
    await prisma.session.deleteMany({ where: { userId: account.id } });
    await record('account.factor-reset', account.id);
    return account;
  });
}

export async function removeFactor(prisma: Client, id: string): Promise<void> {
  await prisma.twoFactor.deleteMany({ where: { userId: id } });
  await prisma.account.update({ where: { id }, data: { twoFactorEnabled: false }, select: { id: true } });
}

/** Wrong codes after which no code of an account is accepted for a while, from whatever address or session. */
const WRONG_MAX = 10;
const LOCKED_MS = 15 * 60_000;
/** How long a session need not give the factor again for what cannot be undone. */
const FRESH_MS = 15 * 60_000;
const CODE_MAX = 40;

type FactorContext = Pick<ActionContext, 'prisma' | 'now'> & { readonly auth: Auth };

export function needsFactor({ hasFactor, factorAt }: Visitor, now: number): boolean {
  return hasFactor && now - (factorAt ?? 0) >= FRESH_MS;
}

/**
 * Checks a code of an app, or a recovery code: each is accepted once. Marks the session as one that gave the factor.
 *
 * @param isSetUp whether it is the first code of a factor that is being set up; a recovery code is none.
 * @returns whether the code is right.
 * @throws ApiError RATE_LIMITED after too many wrong ones; OperatorError if AUTH_SECRET has changed.
 */
export async function giveFactor(
  { prisma, auth, now }: FactorContext,
  { id, sessionId }: Pick<Visitor, 'id' | 'sessionId'>,
  given: string,
  isSetUp = false,
): Promise<boolean> {
  const code = given.replace(/\s/g, '');
  if (code === '' || code.length > CODE_MAX) {
    return false;
  }
  await countAttempt(prisma, id, now());
  const isRight = /^\d+$/.test(code)
    ? await useCode({ prisma, auth, now }, id, code, isSetUp)
    : !isSetUp && (await useRecoveryCode({ prisma, auth, now }, id, code));
  if (isRight) {
    const none = { failedVerificationCount: 0, lockedUntil: null };
    await prisma.twoFactor.updateMany({ where: { userId: id }, data: none });
    const data = { factorAt: new Date(now()) };
    await prisma.session.updateMany({ where: { id: sessionId, userId: id }, data });
  }
  return isRight;
}

/** Counts an attempt before its code is checked, so that attempts at the same moment are not more. */
async function countAttempt(prisma: PrismaClient, id: string, now: number): Promise<void> {
  const at = new Date(now);
  const counted = await prisma.$executeRaw`
    UPDATE two_factors SET
      failed_verification_count = CASE WHEN locked_until IS NULL THEN failed_verification_count + 1 ELSE 1 END,
      locked_until = CASE WHEN locked_until IS NULL AND failed_verification_count + 1 >= ${WRONG_MAX}::int
        THEN ${new Date(now + LOCKED_MS)}::timestamptz END
    WHERE account_id = ${id} AND (locked_until IS NULL OR locked_until <= ${at})`;
  if (counted > 0) {
    return;
  }
  const factor = await prisma.twoFactor.findUnique({ where: { userId: id } });
  if (factor !== null) {
    const until = factor.lockedUntil?.getTime() ?? now + LOCKED_MS;
    const seconds = Math.max(1, Math.ceil((until - now) / 1000));
    throw new ApiError('RATE_LIMITED', 'Too many wrong codes.', [], seconds);
  }
}

/** Uses a code of an app: neither it nor an earlier one is accepted again. */
async function useCode({ prisma, auth, now }: FactorContext, id: string, code: string, isSetUp: boolean) {
  const factor = await prisma.twoFactor.findUnique({ where: { userId: id, verified: !isSetUp } });
  if (factor === null) {
    return false;
  }
  const secret = await readSecret(auth, factor.secret);
  const step = stepsAround(now()).find((one) => isSameSecret(code, codeAt(secret, one)));
  if (step === undefined) {
    return false;
  }
  const { count } = await prisma.twoFactor.updateMany({
    where: { userId: id, lastStep: { lt: step } },
    data: { lastStep: step },
  });
  return count === 1;
}

/** Uses a recovery code, and records that, never the code. */
function useRecoveryCode({ prisma, auth, now }: FactorContext, id: string, code: string): Promise<boolean> {
  return runAction({ prisma, now, actor: id }, async ({ prisma: transaction, record }) => {
    const factor = await transaction.twoFactor.findUnique({ where: { userId: id, verified: true } });
    const codes = factor === null ? [] : await readCodes(auth, factor.backupCodes);
    const left = codes.filter((one) => !isSameSecret(code, one));
    if (left.length === codes.length) {
      return false;
    }
    const backupCodes = await auth.encrypt(JSON.stringify(left));
    await transaction.twoFactor.update({
      where: { userId: id },
      data: { backupCodes },
      select: { id: true },
    });
    await record('account.recovery-code', id, { left: left.length });
    return true;
  });
}

const readCodes = async (auth: Auth, encrypted: string): Promise<readonly string[]> =>
  JSON.parse(await readSecret(auth, encrypted));

/** @throws OperatorError if it was encrypted with another AUTH_SECRET. */
export async function readSecret(auth: Auth, secret: string): Promise<string> {
  return auth.decrypt(secret).catch(() => {
    throw new OperatorError(
      'Your second factor cannot be read: AUTH_SECRET of this server has changed. Ask its operator to run: revgate accounts reset-2fa ADDRESS.',
    );
  });
}

// Codes of an authenticator app: RFC 6238 with SHA-1, 6 digits and 30 seconds, all that every app knows.

const STEP_MS = 30_000;
const DIGITS = 6;
const BASE32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code of a secret in a step of 30 seconds since 1970. */
export function codeAt(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const hash = createHmac('sha1', secret).update(counter).digest();
  const offset = (hash.at(-1) as number) & 0xf;
  return String((hash.readUInt32BE(offset) & 0x7fff_ffff) % 10 ** DIGITS).padStart(DIGITS, '0');
}

/** The steps whose codes are accepted at a time, in ms since 1970: clocks differ, and people type slowly. */
function stepsAround(now: number): number[] {
  const step = Math.floor(now / STEP_MS);
  return [step, step - 1, step + 1];
}

/** The secret as people type it into an app. */
export function base32(secret: string): string {
  const bits = [...Buffer.from(secret)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  return (bits.match(/.{1,5}/g) ?? [])
    .map((five) => BASE32[Number.parseInt(five.padEnd(5, '0'), 2)] as string)
    .join('');
}

export function totpUri(secret: string, issuer: string, email: string): string {
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(email)}`;
  const query = `secret=${base32(secret)}&issuer=${encodeURIComponent(issuer)}`;
  return `otpauth://totp/${label}?${query}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`;
}

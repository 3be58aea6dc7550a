import type { PrismaClient } from '../db/generated/client/client.ts';

/** The age at which an account with an unconfirmed address is deleted, in ms. */
const UNCONFIRMED_MS = 7 * 86_400_000;

/**
 * Deletes what has expired: sessions, tokens of mails, and accounts that were created by signing up and
 * never confirmed. Accounts that an operator created are kept.
 */
export async function removeExpired({
  prisma,
  now,
}: {
  readonly prisma: PrismaClient;
  /** The time, in ms since 1970. */
  readonly now: () => number;
}): Promise<void> {
  const ended = { expiresAt: { lt: new Date(now()) } };
  await prisma.session.deleteMany({ where: ended });
  await prisma.verification.deleteMany({ where: ended });
  await prisma.account.deleteMany({
    where: {
      emailVerified: false,
      createdAt: { lt: new Date(now() - UNCONFIRMED_MS) },
      providers: { some: {} },
      keys: { none: {} },
    },
  });
}

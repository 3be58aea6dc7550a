import type { PrismaClient } from '../db/generated/client/client.ts';

/** After so long an account whose address nobody confirmed is gone, in ms. */
const UNCONFIRMED_MS = 7 * 86_400_000;

/**
 * Removes what has run out: sessions, what waited for a mail's link, and accounts that somebody signed up for
 * and never confirmed. Those that an operator made stay.
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

import type { PrismaClient } from '../db/generated/client/client.ts';

/** One session of a user. */
export interface ListedSession {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
  readonly ipAddress: string | null;
  readonly userAgent: string | null;
}

interface SessionContext {
  readonly prisma: Pick<PrismaClient, 'session'>;
  /** The time, in ms since 1970. */
  readonly now: () => number;
}

/** The sessions of an account that have not ended, the newest first. */
export async function listSessions(
  { prisma, now }: SessionContext,
  accountId: string,
): Promise<ListedSession[]> {
  return prisma.session.findMany({
    where: { userId: accountId, expiresAt: { gt: new Date(now()) } },
    select: { id: true, createdAt: true, expiresAt: true, ipAddress: true, userAgent: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: 50,
  });
}

/** Ends all sessions of an account but one, at once. */
export async function endOtherSessions(
  { prisma }: Pick<SessionContext, 'prisma'>,
  accountId: string,
  sessionId: string,
): Promise<void> {
  await prisma.session.deleteMany({ where: { userId: accountId, NOT: { id: sessionId } } });
}

/** Ends one session of an account, at once. Sessions of other accounts are not affected. */
export async function endSession(
  { prisma }: Pick<SessionContext, 'prisma'>,
  accountId: string,
  sessionId: string,
): Promise<void> {
  await prisma.session.deleteMany({ where: { id: sessionId, userId: accountId } });
}

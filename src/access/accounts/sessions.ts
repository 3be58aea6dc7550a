import type { ReadContext } from '../audit/audit-log.ts';

const ID_SHAPE = /^[0-9A-Za-z]{1,64}$/;

export type ListedSession = Awaited<ReturnType<typeof listSessions>>[number];

/** The sessions of an account that have not ended, the newest first. */
export async function listSessions({ prisma, now }: ReadContext<'session'>, accountId: string) {
  return prisma.session.findMany({
    where: { userId: accountId, expiresAt: { gt: new Date(now()) } },
    select: { id: true, createdAt: true, ipAddress: true, userAgent: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: 50,
  });
}

/** Ends one session of an account, or all but one, at once. Sessions of other accounts are not affected. */
export async function endSessions(
  { prisma }: Pick<ReadContext<'session'>, 'prisma'>,
  accountId: string,
  id: string | { readonly not: string },
): Promise<void> {
  // Any other text is no session.
  if (typeof id !== 'string' || ID_SHAPE.test(id)) {
    await prisma.session.deleteMany({ where: { userId: accountId, id } });
  }
}

import type { PrismaClient } from '../db/generated/client/client.ts';

/** One recorded administrative action. */
export interface AuditRecord {
  readonly id: number;
  readonly at: Date;
  /** Who acted: a user of the operating system, or of the dashboard. */
  readonly actor: string;
  readonly action: string;
  /** The id of the key, account or import, or the version of the policy. */
  readonly subject: string;
  readonly details: unknown;
}

/**
 * The administrative actions of this database, the last one first.
 *
 * @param limit the most actions to return.
 */
export async function listAudit(
  prisma: Pick<PrismaClient, 'auditEntry'>,
  limit: number,
): Promise<AuditRecord[]> {
  return prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: limit });
}

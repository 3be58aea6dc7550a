import type { PrismaClient } from '../../db/generated/client/client.ts';
import { type PageWanted, page } from '../../db/read-page.ts';
import { isPlainText } from '../../lib/text/plain-text.ts';
import type { Action } from './run-action.ts';

/**
 * The administrative actions of this database, the last one first.
 *
 * @param limit the most actions to return.
 */
export async function listAudit(prisma: Pick<PrismaClient, 'auditEntry'>, limit: number) {
  return prisma.auditEntry.findMany({ orderBy: { id: 'desc' }, take: limit });
}

interface AuditSearch extends PageWanted {
  /** The actor, or the id of the subject; empty: all. */
  readonly text: string;
  readonly action: Action | undefined;
}

const TEXT_MAX = 254;

/** Administrative actions, the last one first, a page at a time. */
export async function searchAudit(
  prisma: Pick<PrismaClient, 'auditEntry'>,
  { text, action, ...wanted }: AuditSearch,
) {
  if (text !== '' && !isPlainText(text, TEXT_MAX)) {
    return { items: [], hasMore: false };
  }
  const where = {
    ...(text === '' ? {} : { OR: [{ subject: text }, { actor: text }] }),
    ...(action === undefined ? {} : { action }),
  };
  return page(wanted, (range) => prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, ...range }));
}

import type { PrismaClient } from '../db/generated/client/client.ts';
import { type Paged, type PageWanted, page } from '../paged.ts';
import { isPlainText } from '../plain-text.ts';
import type { Action } from './act.ts';
import type { AuditRecord } from './list.ts';

/** Which actions to search for. */
interface AuditSearch extends PageWanted {
  /** The actor, or the id of the subject; empty: all. */
  readonly text: string;
  /** Undefined: any. */
  readonly action: Action | undefined;
}

const TEXT_MAX = 254;

/** Administrative actions, the last one first, a page at a time. */
export async function searchAudit(
  prisma: Pick<PrismaClient, 'auditEntry'>,
  { text, action, ...wanted }: AuditSearch,
): Promise<Paged<AuditRecord>> {
  if (text !== '' && !isPlainText(text, TEXT_MAX)) {
    return { items: [], hasMore: false };
  }
  const where = {
    ...(text === '' ? {} : { OR: [{ subject: text }, { actor: text }] }),
    ...(action === undefined ? {} : { action }),
  };
  return page(wanted, (range) => prisma.auditEntry.findMany({ where, orderBy: { id: 'desc' }, ...range }));
}

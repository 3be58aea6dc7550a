import type { PrismaClient } from '../db/generated/client/client.ts';
import type { KeySummary } from '../keys/key.ts';
import { documentId } from './document-id.ts';
import type { ListedDocument } from './list.ts';

/** A published document with its text. */
export interface ReadDocument extends ListedDocument {
  readonly text: string;
}

/** A part of the documents that a key may request, the newest first. */
export async function readDocuments(
  prisma: Pick<PrismaClient, 'trustedDocument'>,
  { familyId }: Pick<KeySummary, 'familyId'>,
  range: { readonly skip: number; readonly take: number },
): Promise<ReadDocument[]> {
  const rows = await prisma.trustedDocument.findMany({
    where: { familyId },
    select: { hash: true, operations: true, publishedAt: true, text: true },
    orderBy: [{ publishedAt: 'desc' }, { hash: 'asc' }],
    ...range,
  });
  return rows.map(({ hash, ...row }) => ({ ...row, id: documentId(Buffer.from(hash).toString('hex')) }));
}

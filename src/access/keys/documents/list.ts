import type { PrismaClient } from '../../../db/generated/client/client.ts';
import { UnknownError } from '../../../lib/errors.ts';
import { quote } from '../../../lib/text/plain-text.ts';
import { getKey, type KeySummary } from '../key.ts';
import { documentId, hashOfDocument } from './document-id.ts';

export interface ListedDocument {
  readonly id: string;
  readonly operations: readonly string[];
  readonly feed: boolean;
  readonly publishedAt: Date;
}

const listed = { hash: true, operations: true, feed: true, publishedAt: true } as const;

/**
 * The documents that a key may request, by when they were published.
 *
 * @throws OperatorError for an unknown key.
 */
export async function listDocuments(
  context: { readonly prisma: Pick<PrismaClient, 'apiKey' | 'trustedDocument'>; readonly now: () => number },
  keyId: string,
): Promise<ListedDocument[]> {
  return (await readDocuments(context.prisma, await getKey(context, keyId))).toReversed();
}

/** The documents that a key may request, or a part of them, the newest first. */
export async function readDocuments(
  prisma: Pick<PrismaClient, 'trustedDocument'>,
  { familyId }: Pick<KeySummary, 'familyId'>,
  range: { readonly skip?: number; readonly take?: number } = {},
): Promise<ListedDocument[]> {
  const rows = await prisma.trustedDocument.findMany({
    where: { familyId },
    select: listed,
    orderBy: [{ publishedAt: 'desc' }, { hash: 'desc' }],
    ...range,
  });
  return rows.map(withId);
}

export interface ReadDocument extends ListedDocument {
  readonly text: string;
}

/**
 * One of the documents that a key may request.
 *
 * @throws UnknownError if it has none with this id.
 */
export async function getDocument(
  prisma: Pick<PrismaClient, 'trustedDocument'>,
  { familyId }: Pick<KeySummary, 'familyId'>,
  id: string,
): Promise<ReadDocument> {
  const hash = hashOfDocument(id);
  const found = await prisma.trustedDocument.findUnique({
    where: { familyId_hash: { familyId, hash } },
    select: { ...listed, text: true },
  });
  if (found === null) {
    throw new UnknownError(`The key has no document ${quote(id)}.`);
  }
  return withId(found);
}

function withId<Row extends { readonly hash: Uint8Array }>({ hash, ...row }: Row) {
  return { id: documentId(Buffer.from(hash).toString('hex')), ...row };
}

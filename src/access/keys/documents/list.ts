import { createHash } from 'node:crypto';
import type { PrismaClient } from '../../../db/generated/client/client.ts';
import { found, quote } from '../../../lib/errors.ts';
import type { ReadContext } from '../../audit/audit-log.ts';
import { getKey, type KeySummary } from '../key.ts';

interface ListedDocument {
  readonly id: string;
  /** Of the keys that may request it. */
  readonly familyId: string;
  readonly operations: readonly string[];
  readonly feed: boolean;
  readonly publishedAt: Date;
}

const listed = { hash: true, familyId: true, operations: true, feed: true, publishedAt: true } as const;

/**
 * The documents that a key may request, by when they were published.
 *
 * @throws OperatorError for an unknown key.
 */
export async function listDocuments(context: ReadContext<'apiKey' | 'trustedDocument'>, keyId: string) {
  const documents = await readDocuments(context.prisma, [await getKey(context, keyId)]);
  return documents.toReversed().map(({ familyId: _, ...document }) => document);
}

/** The documents that keys may request, or a part of them, the newest first. */
export async function readDocuments(
  prisma: Pick<PrismaClient, 'trustedDocument'>,
  keys: readonly Pick<KeySummary, 'familyId'>[],
  range: { readonly skip?: number; readonly take?: number } = {},
): Promise<ListedDocument[]> {
  const rows = await prisma.trustedDocument.findMany({
    where: { familyId: { in: keys.map(({ familyId }) => familyId) } },
    select: listed,
    orderBy: [{ publishedAt: 'desc' }, { hash: 'desc' }],
    ...range,
  });
  return rows.map(withId);
}

/** The texts of some documents of keys, by their ids, which are those of the texts whatever the key. */
export async function readTexts(
  prisma: Pick<PrismaClient, 'trustedDocument'>,
  keys: readonly Pick<KeySummary, 'familyId'>[],
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await prisma.trustedDocument.findMany({
    where: {
      familyId: { in: keys.map(({ familyId }) => familyId) },
      hash: { in: ids.map(hashOfDocument) },
    },
    select: { hash: true, text: true },
  });
  return new Map(rows.map(withId).map(({ id, text }) => [id, text]));
}

/** How many documents each of some keys may request, and when the last one was published, by their families. */
export async function countDocuments(
  prisma: Pick<PrismaClient, 'trustedDocument'>,
  keys: readonly Pick<KeySummary, 'familyId'>[],
) {
  const rows = await prisma.trustedDocument.groupBy({
    by: ['familyId'],
    where: { familyId: { in: keys.map(({ familyId }) => familyId) } },
    _count: true,
    _max: { publishedAt: true },
  });
  return new Map(rows.map((row) => [row.familyId, { count: row._count, lastAt: row._max.publishedAt }]));
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
  const document = await prisma.trustedDocument.findUnique({
    where: { familyId_hash: { familyId, hash } },
    select: { ...listed, text: true },
  });
  return withId(found(document, `The key has no document ${quote(id)}.`));
}

function withId<Row extends { readonly hash: Uint8Array }>({ hash, ...row }: Row) {
  return { id: documentId(Buffer.from(hash).toString('hex')), ...row };
}

const PREFIX = 'sha256:';
const SHAPE = /^(?:sha256:)?([0-9a-f]{64})$/;

/** The SHA-256 of a document's exact text, in lower-case hex. */
export function hashDocument(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** The id that clients send to request a document. @param hash as {@link hashDocument} returns it. */
export function documentId(hash: string): string {
  return PREFIX + hash;
}

/**
 * Reads the hash from an id: `sha256:` and 64 hex digits as the appendix of GraphQL over HTTP has it, or
 * the digits alone as Apollo's clients send them.
 *
 * @returns undefined for any other text.
 */
export function parseDocumentId(id: string): string | undefined {
  return SHAPE.exec(id)?.[1];
}

/** The same as it is stored; empty for any other text, as no document has it. */
export function hashOfDocument(id: string): Buffer<ArrayBuffer> {
  return Buffer.from(parseDocumentId(id) ?? '', 'hex');
}

import { type ActContext, act } from '../audit/act.ts';
import { OperatorError } from '../errors.ts';
import { getKey } from '../keys/key.ts';
import { quote } from '../plain-text.ts';
import { documentId, hashDocument, parseDocumentId } from './document-id.ts';
import type { ManifestEntry } from './manifest.ts';

/** The result of checking a document. */
interface CheckedDocument {
  /** The names of its operations. */
  readonly operations: readonly string[];
  /** Why it would always fail; empty if it is valid. */
  readonly errors: readonly string[];
}

/** Checks a text against the schema and the caps of documents. */
export type CheckDocument = (text: string) => CheckedDocument;

/** A document as it was published. */
export interface PublishedDocument {
  /** `sha256:` and the hash of its text: the id that clients send. */
  readonly id: string;
  readonly operations: readonly string[];
  /** The id in the manifest, if clients cannot use it; else null. */
  readonly replacedId: string | null;
  /** False for one that was published before. */
  readonly isNew: boolean;
}

/** The most documents of a key and those it was rotated from or to. */
export const MAX_DOCUMENTS = 1_000;
/** The most bytes of a document, which are those of a request's body. */
export const MAX_DOCUMENT_BYTES = 100_000;

interface Candidate extends PublishedDocument {
  readonly hash: string;
  readonly text: string;
}

/**
 * Publishes documents for a key, and for those that it was rotated from or to: all, or none where any of
 * them has an error. Publishing one again changes nothing.
 *
 * @throws OperatorError with a line for each error, or for an unknown key.
 */
export async function publishDocuments(
  context: ActContext & { readonly check: CheckDocument },
  keyId: string,
  entries: readonly ManifestEntry[],
): Promise<PublishedDocument[]> {
  const candidates = checkEntries(entries, context.check);
  return act(context, async (within) => {
    const { prisma, now, record } = within;
    const { familyId } = await getKey(within, keyId);
    const stored = await prisma.trustedDocument.findMany({ where: { familyId }, select: { hash: true } });
    const known = new Set(stored.map(({ hash }) => Buffer.from(hash).toString('hex')));
    const added = [...candidates.values()].filter(({ hash }) => !known.has(hash));
    if (known.size + added.length > MAX_DOCUMENTS) {
      throw new OperatorError(
        `Key ${keyId} has ${known.size} documents, and ${added.length} are new; allowed: at most ${MAX_DOCUMENTS}.`,
      );
    }
    if (added.length > 0) {
      const publishedAt = new Date(now());
      await prisma.trustedDocument.createMany({
        data: added.map(({ hash, text, operations }) => ({
          ...{ familyId, text, publishedAt },
          hash: Buffer.from(hash, 'hex'),
          operations: [...operations],
        })),
      });
      await record('documents.publish', keyId, { documents: added.length });
    }
    return [...candidates.values()].map(({ hash, id, operations, replacedId }) => ({
      ...{ id, operations, replacedId },
      isNew: !known.has(hash),
    }));
  });
}

/** The documents of a manifest by their hash. */
function checkEntries(entries: readonly ManifestEntry[], check: CheckDocument): Map<string, Candidate> {
  const candidates = new Map<string, Candidate>();
  const errors: string[] = [];
  for (const { id, text } of entries) {
    const hash = hashDocument(text);
    const claimed = parseDocumentId(id);
    const { operations, errors: found } = check(text);
    const named =
      operations.length === 0 ? `Document ${quote(id)}` : `${operations.join(', ')} (${quote(id)})`;
    if (claimed !== undefined && claimed !== hash) {
      errors.push(`${named}: its id is not the SHA-256 of its text, which is ${hash}.`);
    }
    errors.push(...found.map((error) => `${named}: ${error}`));
    const replacedId = claimed === undefined ? id : null;
    candidates.set(hash, { hash, text, id: documentId(hash), operations, replacedId, isNew: true });
  }
  const [first, ...others] = errors;
  if (first !== undefined) {
    throw new OperatorError(first, ...others);
  }
  return candidates;
}

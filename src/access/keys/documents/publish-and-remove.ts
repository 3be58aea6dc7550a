import { amount, OperatorError, quote, throwIfAny } from '../../../lib/errors.ts';
import { type Steps, timeSlices } from '../../../lib/loop/time-slices.ts';
import {
  type ActionContext,
  type ReadContext,
  type RunningAction,
  runAction,
} from '../../audit/audit-log.ts';
import { getKey, isEmbedKey, type KeySummary } from '../key.ts';
import { documentId, hashDocument, hashOfDocument, parseDocumentId } from './list.ts';

interface CheckedDocument {
  readonly operations: readonly string[];
  /** Why it would always fail; empty if it is valid. */
  readonly errors: readonly string[];
}

/** Checks a text against the schema and the caps of documents, and that it can have a feed if it is to have one. */
export type CheckDocument = (text: string, feed?: boolean) => CheckedDocument;

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
/** The most bytes of a document, comments included, which are those of a request's body. */
export const MAX_DOCUMENT_BYTES = 100_000;
export const MAX_ACCOUNT_DOCUMENTS = 5_000;
/** The most bytes of all documents of an account, comments included, or of a key without an account. */
export const MAX_ACCOUNT_DOCUMENT_BYTES = 10_000_000;

interface SentDocument {
  readonly id?: string;
  readonly text: string;
}

/** The same once it was checked. */
interface Candidate extends Omit<PublishedDocument, 'isNew'> {
  readonly hash: string;
  readonly text: string;
}

/** The most errors of an upload that are shown: after that, the rest is not checked. */
const SHOWN_ERRORS = 50;

type PublishContext = ActionContext & {
  readonly check: CheckDocument;
  /** Throws once nobody waits for the result. */
  readonly throwIfAborted?: () => void;
};

/**
 * Publishes documents for a key, and for those that it was rotated from or to: all, or none where any of
 * them has an error. Publishing one again changes nothing but whether it has a feed.
 *
 * @param feed whether all of them have an Atom feed; undefined changes nothing, and gives new ones none.
 * @throws OperatorError with a line for each error, for an unknown key and for one that is not active; while an earlier
 *   upload of the same actor is being checked.
 */
export async function publishDocuments(
  context: PublishContext,
  keyId: string,
  entries: readonly SentDocument[],
  feed?: boolean,
): Promise<PublishedDocument[]> {
  const candidates = await checkDocuments(context, entries, feed);
  return runAction(context, async (within) => {
    const { prisma, now, record } = within;
    const key = await getKey(within, keyId);
    const { familyId } = key;
    if (key.state !== 'active') {
      throw new OperatorError(`Key ${keyId} is ${key.state}: only an active key can publish documents.`);
    }
    if (feed === true && !isEmbedKey(key)) {
      throw new OperatorError(
        `Key ${keyId} is a secret key: the address of a feed has the key in it, so only an embed key has feeds.`,
      );
    }
    const known = await findKnown(prisma, key);
    const added = candidates.filter(({ hash }) => !known.has(hash));
    const changed = candidates.filter(({ hash }) => known.get(hash) !== (feed ?? known.get(hash) ?? false));
    await requireRoom(within, key, { known: known.size, added });
    if (changed.length > 0) {
      const rows = JSON.stringify(changed.map(({ hash, text, operations }) => ({ hash, text, operations })));
      // One parameter: with one for each value, Prisma would occupy the event loop for half a second.
      await prisma.$executeRaw`
        INSERT INTO documents (family_id, hash, text, operations, feed, published_at)
        SELECT ${familyId}, decode(hash, 'hex'), text, operations, ${feed ?? false}, ${new Date(now())}
        FROM jsonb_to_recordset(${rows}::jsonb) AS changed(hash text, text text, operations text[])
        ON CONFLICT (family_id, hash) DO UPDATE SET feed = excluded.feed`;
      await record('documents.publish', keyId, {
        documents: added.length,
        ...(feed !== undefined && { feed }),
      });
    }
    return candidates.map(({ hash, id, operations, replacedId }) => ({
      id,
      operations,
      replacedId,
      isNew: !known.has(hash),
    }));
  });
}

/** @throws OperatorError if the key, or all keys of its account, would have too many documents. */
async function requireRoom(
  within: Pick<RunningAction, 'prisma' | 'now'>,
  { id, familyId, accountId }: KeySummary,
  { known, added }: { readonly known: number; readonly added: readonly Candidate[] },
): Promise<void> {
  const { prisma } = within;
  let [owner, lines] = [`Key ${id}`, [familyId]];
  if (accountId !== null) {
    await removeEndedDocuments(within, { accountId });
    const keys = await prisma.apiKey.findMany({ where: { accountId, familyId: null }, select: { id: true } });
    [owner, lines] = [`Account ${accountId}`, keys.map((key) => key.id)];
  }
  const [used = { documents: 0, bytes: 0 }] = await prisma.$queryRaw<{ documents: number; bytes: number }[]>`
    SELECT count(*)::integer AS documents, coalesce(sum(octet_length(text)), 0)::integer AS bytes
    FROM documents WHERE family_id = ANY (${lines})`;
  const bytes = added.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
  const documents = (count: number): string => amount(count, 'published document');
  const bytesOfText = (count: number): string =>
    amount(count, 'byte of published documents', 'bytes of published documents');
  for (const { who, has, more, most, name } of [
    { who: `Key ${id}`, has: known, more: added.length, most: MAX_DOCUMENTS, name: documents },
    { who: owner, has: used.documents, more: added.length, most: MAX_ACCOUNT_DOCUMENTS, name: documents },
    { who: owner, has: used.bytes, more: bytes, most: MAX_ACCOUNT_DOCUMENT_BYTES, name: bytesOfText },
  ]) {
    if (has + more > most) {
      throw new OperatorError(
        `${who} has ${name(has)}, and ${amount(more, 'is new', 'are new')}; allowed: at most ` +
          `${name(most)}. Remove documents, or revoke keys that are no longer used.`,
      );
    }
  }
}

/** An earlier upload of the same actor is still being checked. */
export class UploadRunningError extends OperatorError {}

/** Who has documents checked at the moment, on this node. */
const checking = new Set<string>();

/**
 * Checks the documents of an upload, one upload of an actor at a time: checking one document takes some ms, and an account
 * can send thousands in a minute.
 *
 * @throws OperatorError with a line for each error.
 */
async function checkDocuments(
  { actor, check, throwIfAborted = () => {} }: PublishContext,
  entries: readonly SentDocument[],
  feed?: boolean,
): Promise<readonly Candidate[]> {
  if (entries.length > MAX_DOCUMENTS) {
    const [got, most] = [entries.length, MAX_DOCUMENTS].map((count) => amount(count, 'document'));
    throw new OperatorError(`The upload has ${got}, allowed: at most ${most}, as many as a key can have.`);
  }
  if (checking.has(actor)) {
    throw new UploadRunningError(
      'Documents of an earlier upload of yours are still being checked. Try again when that has ended.',
    );
  }
  checking.add(actor);
  try {
    const steps = checkEntries(entries, (text) => check(text, feed));
    return await timeSlices.run(steps, { ownerId: `documents:${actor}`, throwIfAborted });
  } finally {
    checking.delete(actor);
  }
}

/** One document in each step, and an equal one once. Stops at the first document beyond the shown errors. */
function* checkEntries(entries: readonly SentDocument[], check: CheckDocument): Steps<Candidate[]> {
  const candidates = new Map<string, Candidate>();
  const errors: string[] = [];
  for (const { id, text } of entries) {
    yield;
    const hash = hashDocument(text);
    const claimed = id === undefined ? hash : parseDocumentId(id);
    const known = candidates.get(hash);
    const { operations, errors: found } = known === undefined ? check(text) : { ...known, errors: [] };
    const names = operations.join(', ');
    const named =
      id === undefined ? '' : names === '' ? `Document ${quote(id)}: ` : `${names} (${quote(id)}): `;
    if (claimed !== undefined && claimed !== hash) {
      errors.push(`${named}its id is not the SHA-256 of its text, which is ${hash}.`);
    }
    errors.push(...found.map((error) => `${named}${error}`));
    if (errors.length >= SHOWN_ERRORS) {
      errors.splice(SHOWN_ERRORS, errors.length, 'There may be more errors: these are the first.');
      break;
    }
    const replacedId = claimed === undefined && id !== undefined ? id : null;
    candidates.set(hash, { hash, text, id: documentId(hash), operations, replacedId });
  }
  throwIfAny(errors);
  return [...candidates.values()];
}

/**
 * Removes a document of a key and of those that it was rotated from or to: clients that request it get 404.
 *
 * @param id with or without `sha256:`.
 * @returns its id.
 * @throws OperatorError for an unknown key, or a document that it has not published.
 */
export async function removeDocument(context: ActionContext, keyId: string, id: string): Promise<string> {
  return runAction(context, async (within) => {
    const { prisma, record } = within;
    const { familyId } = await getKey(within, keyId);
    const hash = hashOfDocument(id);
    const { count } = await prisma.trustedDocument.deleteMany({ where: { familyId, hash } });
    if (count === 0) {
      throw new OperatorError(`Key ${keyId} has no document ${quote(id)}.`);
    }
    const removed = documentId(hash.toString('hex'));
    await record('documents.remove', keyId, { document: removed });
    return removed;
  });
}

/**
 * The hashes of the documents that a key may request, and whether each has a feed. One row: Prisma occupies the event
 * loop with each row that it reads.
 */
async function findKnown(prisma: Pick<RunningAction['prisma'], '$queryRaw'>, { familyId }: KeySummary) {
  const [row] = await prisma.$queryRaw<{ known: Record<string, boolean> }[]>`
    SELECT coalesce(jsonb_object_agg(encode(hash, 'hex'), feed), '{}') AS known
    FROM documents WHERE family_id = ${familyId}`;
  return new Map(Object.entries(row?.known ?? {}));
}

/**
 * Removes the published documents of each family of keys whose last key was revoked or has expired.
 *
 * @param of limits it to the family of a key, or to the keys of an account; all families by default.
 */
export async function removeEndedDocuments(
  { prisma, now }: ReadContext<'$executeRaw'>,
  of?: Pick<KeySummary, 'familyId'> | { readonly accountId: string },
): Promise<void> {
  // Loaded with the database: the help of commands needs none.
  const { Prisma } = await import('../../../db/generated/client/client.ts');
  const lines =
    of === undefined
      ? Prisma.empty
      : 'familyId' in of
        ? Prisma.sql`AND line.id = ${of.familyId}`
        : Prisma.sql`AND line.account_id = ${of.accountId}`;
  await prisma.$executeRaw`DELETE FROM documents WHERE family_id = ANY (ARRAY(
    SELECT line.id FROM api_keys AS line
    WHERE line.family_id IS NULL ${lines}
      AND EXISTS (SELECT 1 FROM documents WHERE family_id = line.id)
      AND NOT EXISTS (
        SELECT 1 FROM api_keys AS key WHERE (key.id = line.id OR key.family_id = line.id)
          AND key.revoked_at IS NULL AND (key.expires_at IS NULL OR key.expires_at > ${new Date(now())})
      )
  ))`;
}

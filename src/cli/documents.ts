import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { listDocuments } from '../documents/list.ts';
import { parseManifest } from '../documents/manifest.ts';
import { publishDocuments } from '../documents/publish.ts';
import { removeDocument } from '../documents/remove.ts';
import { cannotRead, OperatorError } from '../errors.ts';
import { dayOf } from '../startups/days.ts';
import { actContext, type CommandContext, inDirectory, line, printResult } from './command.ts';
import { printList } from './table.ts';

/** Longest manifest, in bytes. */
const MANIFEST_LIMIT = 20_000_000;

/** `revgate documents publish FILE --key ID`: prints the ids that clients send. */
export async function runPublishDocuments(
  context: CommandContext,
  file: string,
  { key, json }: { key: string; json?: true },
): Promise<void> {
  const { cwd, stdin, stderr } = context;
  const text = await readManifest(file, file === '-' ? stdin : createReadStream(inDirectory(cwd, file)));
  // Loaded by this command only: the schema takes as long to load as all others do.
  const { checkDocument } = await import('../graphql/documents/check-document.ts');
  const published = await publishDocuments(
    { ...actContext(context), check: checkDocument },
    key,
    parseManifest(file, text),
  );
  printList(context, json, published, {
    columns: {
      NAME: ({ operations, replacedId }) => replacedId ?? (operations.join(', ') || '–'),
      STATE: ({ isNew }) => (isNew ? 'new' : 'known'),
      DOCUMENT: ({ id }) => id,
    },
    ifEmpty: 'No document was published.',
  });
  const replaced = published.filter(({ replacedId }) => replacedId !== null).length;
  if (replaced > 0) {
    line(
      stderr,
      `Ids in ${file} that are not SHA-256: ${replaced}. Clients must send the ids printed here instead. To generate SHA-256 ids, set hashAlgorithm "sha256" in graphql-codegen, or algorithm "SHA256" in Relay's compiler.`,
    );
  }
}

/** `revgate documents list --key ID`. */
export async function runListDocuments(
  context: CommandContext,
  { key, json }: { key: string; json?: true },
): Promise<void> {
  printList(context, json, await listDocuments(actContext(context), key), {
    columns: {
      PUBLISHED: ({ publishedAt }) => dayOf(publishedAt),
      OPERATIONS: ({ operations }) => operations.join(', ') || '–',
      DOCUMENT: ({ id }) => id,
    },
    ifEmpty: `No document is published for this key. Publish some: revgate documents publish FILE --key ${key}`,
  });
}

/** `revgate documents remove HASH --key ID`. */
export async function runRemoveDocument(
  context: CommandContext,
  hash: string,
  { key, json }: { key: string; json?: true },
): Promise<void> {
  const id = await removeDocument(actContext(context), key, hash);
  printResult(context, json, { id, keyId: key }, `Removed document ${id} of key ${key}.`);
}

async function readManifest(file: string, stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > MANIFEST_LIMIT) {
        throw new OperatorError(`${file}: longer than ${MANIFEST_LIMIT} bytes.`);
      }
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof OperatorError ? error : cannotRead(file, error);
  }
  return Buffer.concat(chunks).toString('utf8');
}

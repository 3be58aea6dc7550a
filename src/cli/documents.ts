import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { listDocuments } from '../documents/list.ts';
import { parseManifest } from '../documents/manifest.ts';
import { publishDocuments } from '../documents/publish.ts';
import { removeDocument } from '../documents/remove.ts';
import { OperatorError } from '../errors.ts';
import { dayOf } from '../startups/days.ts';
import { actContext, type CommandContext, inDirectory, line, printJson } from './command.ts';
import { printTable } from './table.ts';

/** Longest manifest, in bytes. */
const MANIFEST_LIMIT = 20_000_000;

/** `revgate documents publish FILE --key ID`: prints the ids that clients send. */
export async function runPublishDocuments(
  context: CommandContext,
  file: string,
  { key, json }: { key: string; json?: true },
): Promise<void> {
  const { cwd, stdin, stdout, stderr } = context;
  const text = await readManifest(file, file === '-' ? stdin : createReadStream(inDirectory(cwd, file)));
  // Loaded by this command only: the schema takes as long to load as all others do.
  const { checkDocument } = await import('../graphql/documents.ts');
  const published = await publishDocuments(
    { ...actContext(context), check: checkDocument },
    key,
    parseManifest(file, text),
  );
  if (json === true) {
    printJson(stdout, published);
  } else {
    const rows = published.map(({ id, isNew, operations }) => [
      id,
      isNew ? 'new' : 'known',
      operations.join(', ') || '–',
    ]);
    printTable(context, ['DOCUMENT', 'STATE', 'OPERATIONS'], rows);
  }
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
  const documents = await listDocuments(actContext(context), key);
  if (json === true) {
    printJson(context.stdout, documents);
    return;
  }
  const rows = documents.map(({ id, operations, publishedAt }) => [
    dayOf(publishedAt),
    operations.join(', ') || '–',
    id,
  ]);
  printTable(context, ['PUBLISHED', 'OPERATIONS', 'DOCUMENT'], rows);
}

/** `revgate documents remove HASH --key ID`. */
export async function runRemoveDocument(
  context: CommandContext,
  hash: string,
  { key, json }: { key: string; json?: true },
): Promise<void> {
  const id = await removeDocument(actContext(context), key, hash);
  if (json === true) {
    printJson(context.stdout, { id, keyId: key });
    return;
  }
  line(context.stdout, `Removed document ${id} of key ${key}.`);
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
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`Cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
  return Buffer.concat(chunks).toString('utf8');
}

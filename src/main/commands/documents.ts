import { createReadStream } from 'node:fs';
import { text } from 'node:stream/consumers';
import { listDocuments } from '../../access/keys/documents/list.ts';
import { parseManifest } from '../../access/keys/documents/manifest.ts';
import {
  type CheckDocument,
  MAX_ACCOUNT_DOCUMENT_BYTES,
  MAX_ACCOUNT_DOCUMENTS,
  MAX_DOCUMENT_BYTES,
  MAX_DOCUMENTS,
  publishDocuments,
  removeDocument,
} from '../../access/keys/documents/publish-and-remove.ts';
import { amount, cannotRead } from '../../lib/errors.ts';
import { dayOf } from '../../lib/text/days.ts';
import { readOwnFields } from '../../startups/own/declarations.ts';
import {
  type CommandContext,
  inDirectory,
  type JsonOption,
  line,
  requireFile,
} from '../command-line/command.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';
import { printList } from '../command-line/table.ts';

const PUBLISH = 'publish the documents in a file and print their ids; - is standard input';

export function addDocuments(program: RevgateCommand): void {
  const documents = program
    .command('documents')
    .description('publish GraphQL documents that a key can run by id')
    .examples('revgate documents publish documents.json --key key_0123456789AB');
  documents
    .command('publish <file>')
    .summary(PUBLISH)
    .description(
      `${PUBLISH}. Only an active key can publish. A key can have ${amount(MAX_DOCUMENTS, 'document')}, an ` +
        `account ${amount(MAX_ACCOUNT_DOCUMENTS, 'document')}. A document can have ` +
        `${amount(MAX_DOCUMENT_BYTES, 'byte')}, all documents of an account ` +
        `${amount(MAX_ACCOUNT_DOCUMENT_BYTES, 'byte')}, comments included`,
    )
    .requiredOption('--key <id>', 'the key that the documents belong to')
    .option('--feed', 'give each an Atom feed of its list; the key must be an embed key')
    .option('--no-feed', 'end their feeds')
    .examples(
      'revgate documents publish documents.json --key key_0123456789AB',
      'revgate documents publish list.graphql --key key_0123456789AB --feed',
    )
    .onDatabase('a JSON array', runPublishDocuments, {
      check: (environment, file) => void (file === '-' || requireFile(environment, file)),
    });
  documents
    .command('list')
    .description('list the documents of a key')
    .requiredOption('--key <id>', 'the key that the documents belong to')
    .examples('revgate documents list --key key_0123456789AB')
    .lists((context, { key }: { key: string }) => listDocuments(context, key), {
      columns: {
        PUBLISHED: ({ publishedAt }) => dayOf(publishedAt),
        OPERATIONS: ({ operations }) => operations.join(', ') || '–',
        FEED: ({ feed }) => (feed ? 'yes' : '–'),
        DOCUMENT: ({ id }) => id,
      },
      ifEmpty:
        'No document is published for this key. Publish some: npx revgate documents publish FILE --key ID',
    });
  documents
    .command('remove <hash>')
    .description('remove a document of a key')
    .requiredOption('--key <id>', 'the key that the document belongs to')
    .examples('revgate documents remove sha256:0123… --key key_0123456789AB')
    .prints(async (context, hash: string, { key }: { key: string }) => {
      const id = await removeDocument(context, key, hash);
      return [{ id, keyId: key }, `Removed document ${id} of key ${key}.`];
    });
}

/** Loaded by these commands only: the schema takes as long to load as all others do. */
async function loadCheck({ prisma }: CommandContext): Promise<CheckDocument> {
  const { documentCheck } = await import('../../api/graphql/planning/check-document.ts');
  const { schemaWith } = await import('../../api/graphql/schema.ts');
  const schema = schemaWith(await readOwnFields(prisma));
  return documentCheck(() => schema);
}

/** Whether an id of a manifest is a name, and not a hash in hex such as MD5. */
const isName = (id: string): boolean => /^[_a-z]\w*$/i.test(id) && !/^[\da-f]{32,}$/i.test(id);

async function runPublishDocuments(
  context: CommandContext,
  file: string,
  { key, json, feed }: { key: string; feed?: boolean } & JsonOption,
): Promise<void> {
  const { cwd, stdin, stderr } = context;
  const input = file === '-' ? stdin : createReadStream(inDirectory(cwd, file));
  const manifest = await text(input).catch((error: unknown) => {
    throw cannotRead(file, error);
  });
  const published = await publishDocuments(
    { ...context, check: await loadCheck(context) },
    key,
    parseManifest(file, manifest),
    feed,
  );
  printList(context, json === true, published, {
    columns: {
      NAME: ({ operations, replacedId }) => replacedId ?? (operations.join(', ') || '–'),
      STATE: ({ isNew }) => (isNew ? 'new' : 'known'),
      DOCUMENT: ({ id }) => id,
    },
    ifEmpty: 'No document was published.',
  });
  // A name, as people give it, is no id that a client would send.
  const replaced = published.filter(({ replacedId }) => replacedId !== null && !isName(replacedId)).length;
  if (replaced > 0) {
    line(
      stderr,
      `Ids in ${file} that are not SHA-256: ${replaced}. Clients must send the ids printed here instead. ` +
        'To generate SHA-256 ids, set hashAlgorithm "sha256" in graphql-codegen, or algorithm "SHA256" in ' +
        `Relay's compiler.`,
    );
  }
}

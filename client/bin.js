#!/usr/bin/env node
// The command revgate-client, for the scripts of a deployment.
import { readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { createClient, RevgateError } from './dist/index.js';

const HELP = `Usage: revgate-client publish <file> --key <id> [--url <address>] [--json]

Publishes the documents of a file for an embed key of your account, and prints their ids: all, or
none if one is invalid. Publishing them again changes nothing.

  <file>           a manifest of graphql-codegen, Relay or Apollo, a JSON list of documents, or one
                   document in a file *.graphql
  --key <id>       the id of the embed key, such as key_0123456789AB
  --url <address>  the address of the API; default: REVGATE_URL
  --json           print a JSON array

REVGATE_KEY is a secret key of the account that has the embed key.
`;

/** A command line that cannot be run. */
class UsageError extends Error {}

function readArguments() {
  const options = {
    key: { type: 'string' },
    url: { type: 'string', default: process.env.REVGATE_URL },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h', default: false },
  };
  try {
    return parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error.message);
  }
}

/** A list of texts, or a manifest as it is. */
async function readDocuments(file) {
  const text = await readFile(file, 'utf8');
  if (/\.(graphql|gql)$/i.test(file)) {
    return [text];
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${file}: not valid JSON, allowed: a manifest, or a document in a file *.graphql`);
  }
}

async function run() {
  const { values, positionals } = readArguments();
  const [command, file, ...more] = positionals;
  if (values.help) {
    process.stdout.write(HELP);
    return;
  }
  if (command !== 'publish' || file === undefined || more.length > 0) {
    throw new UsageError('specify publish and one file');
  }
  if (values.key === undefined || values.url === undefined) {
    throw new UsageError(values.key === undefined ? 'specify --key' : 'specify --url, or set REVGATE_URL');
  }
  const client = createClient({
    url: values.url,
    key: process.env.REVGATE_KEY,
    onWait: (seconds) => process.stderr.write(`Waiting for ${seconds} seconds.\n`),
  });
  const published = await client.publish(values.key, await readDocuments(file));
  if (values.json) {
    process.stdout.write(`${JSON.stringify(published)}\n`);
    return;
  }
  for (const { id, operations, replacedId, isNew } of published) {
    const name = replacedId ?? (operations.join(', ') || '-');
    process.stdout.write(`${id} ${isNew ? 'new  ' : 'known'} ${name}\n`);
  }
}

try {
  await run();
} catch (error) {
  const isUsage =
    error instanceof UsageError || (error instanceof RevgateError && error.code === 'INVALID_OPTIONS');
  const hint = isUsage ? ' Run revgate-client --help.' : '';
  // A detail a line: a manifest may have several invalid documents.
  const details = error instanceof RevgateError ? error.details.map(({ message }) => message) : [];
  const lines = isUsage || details.length === 0 ? [error.message] : details;
  process.stderr.write(lines.map((line) => `revgate-client: ${line}${hint}\n`).join(''));
  process.exitCode = isUsage ? 2 : 1;
}

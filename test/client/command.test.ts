import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createAccount } from '../../src/access/accounts/create.ts';
import { documentId, hashDocument, listDocuments } from '../../src/access/keys/documents/list.ts';
import { openTestGateway } from '../support/gateway.ts';
import { installClient, run } from './package.ts';

const gateway = await openTestGateway();
const url = await gateway.listen();
const directory = await installClient({});
const accountId = (await createAccount(gateway.acting, { name: 'Dan' })).id;
const secret = await gateway.key({ accountId });
const embed = await gateway.key({ accountId, origins: ['https://blog.example'] });

const [A, B] = ['query A { dataset { total } }', 'query B { dataset { total } }'];
const idOf = (text: string): string => documentId(hashDocument(text));
const write = (name: string, text: string): void => writeFileSync(join(directory, name), text);
write('b.graphql', B);

/** Runs the command as a script of a deployment does. */
async function revgateClient(args: string, env: Record<string, string> = {}) {
  const words = [join('node_modules/revgate-client/bin.js'), ...args.split(' ')];
  const options = { cwd: directory, env: { REVGATE_KEY: secret.key, REVGATE_URL: url, ...env } };
  return run(process.execPath, words, options).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }) => ({ code, stdout, stderr }),
  );
}

it('publishes the manifest of a build, and says which documents are new', async () => {
  write('persisted-documents.json', JSON.stringify({ [hashDocument(A)]: A }));
  const args = `publish persisted-documents.json --key ${embed.id}`;
  expect(await revgateClient(args)).toEqual({ code: 0, stdout: `${idOf(A)} new   A\n`, stderr: '' });
  expect((await revgateClient(`publish b.graphql --key ${embed.id}`)).stdout).toBe(`${idOf(B)} new   B\n`);
  const again = await revgateClient(`${args} --json --url ${url}/api/v1`, { REVGATE_URL: '' });
  expect(JSON.parse(again.stdout)).toEqual([
    { id: idOf(A), operations: ['A'], replacedId: null, isNew: false },
  ]);
  const listed = await listDocuments(gateway.acting, embed.id);
  expect(listed.map(({ id }) => id).sort()).toEqual([idOf(A), idOf(B)].sort());
});

it('says each error in a line, and fails', async () => {
  write('wrong.json', JSON.stringify([A, '{ nothing }', '{ other }']));
  const { code, stdout, stderr } = await revgateClient(`publish wrong.json --key ${embed.id}`);
  expect([code, stdout, stderr.trim().split('\n')]).toEqual([
    1,
    '',
    [expect.stringContaining('"nothing"'), expect.stringContaining('"other"')],
  ]);
  write('text.json', 'query');
  expect(await revgateClient(`publish text.json --key ${embed.id}`)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^revgate-client: text\.json: not valid JSON, allowed: /),
  });
  expect(await revgateClient('publish b.graphql --key key_0123456789AB')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no working embed key with the id "key_0123456789AB"'),
  });
  expect((await revgateClient(`publish missing.json --key ${embed.id}`)).code).toBe(1);
});

it.each([
  ['', 'specify publish and one file'],
  ['publish', 'specify publish and one file'],
  ['publish b.graphql', 'specify --key'],
  ['publish b.graphql --key key_0123456789AB --url ftp://x', 'url: got "ftp://x", allowed'],
  ['publish b.graphql --wrong', "Unknown option '--wrong'"],
])('rejects the command line %j', async (args, message) => {
  const { code, stderr } = await revgateClient(args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
  expect(stderr).toContain('Run revgate-client --help.');
  expect(stderr).not.toContain(secret.key);
});

it('shows its help', async () => {
  expect((await revgateClient('--help')).stdout).toContain('Usage: revgate-client publish <file> --key <id>');
});

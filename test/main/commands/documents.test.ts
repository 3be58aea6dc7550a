import { expect, it } from 'vitest';
import { hashDocument } from '../../../src/access/keys/documents/list.ts';
import { openServedPlace } from './databases.ts';
import { run } from './process.ts';

const place = await openServedPlace();

const TOTAL = 'query Total { dataset { total } }';
const VERSION = 'query Version { dataset { version } }';
const [total, version] = [TOTAL, VERSION].map((text) => `sha256:${hashDocument(text)}`) as [string, string];
const manifest = (name: string, content: unknown): string => place.write(name, JSON.stringify(content));
/** The status of a request a second later. */
const ask = async (key: string, params: Record<string, string>): Promise<number> => {
  await place.clock.advance(1_000);
  return (await place.get(key, `/graphql?${new URLSearchParams(params)}`)).status;
};

it('documents are published, requested, listed and removed while a server runs', async () => {
  const { id, key } = await place.createKey();
  const file = manifest('persisted-documents.json', { [total]: TOTAL, [version]: VERSION });
  const published = await place.run('documents', 'publish', file, '--key', id);
  const table = ['NAME     STATE  DOCUMENT', `Total    new    ${total}`, `Version  new    ${version}`, ''];
  expect(published).toEqual({ code: 0, stdout: table.join('\n'), stderr: '' });
  expect(await ask(key, { documentId: total })).toBe(200);
  const known = { operations: ['Total'], replacedId: null, isNew: false };
  expect(await place.json('documents', 'publish', file, '--key', id)).toEqual([
    { id: total, ...known },
    { id: version, ...known, operations: ['Version'] },
  ]);
  const trusted = await place.run('keys', 'documents', id, 'trusted');
  expect(trusted.stdout).toBe(`Key ${id} ("a test") can run only its published documents.\n`);
  expect(await ask(key, { query: TOTAL })).toBe(403);
  const removed = await place.run('documents', 'remove', total, '--key', id);
  expect(removed.stdout).toBe(`Removed document ${total} of key ${id}.\n`);
  expect(await ask(key, { documentId: total })).toBe(404);
  const list = (await place.run('documents', 'list', '--key', id)).stdout;
  expect(list).toMatch(
    /^PUBLISHED +OPERATIONS +FEED +DOCUMENT\n\d{4}-\d\d-\d\d +Version +– +sha256:\w{64}\n$/,
  );
  const { stdout: audit } = await place.run('audit', '--limit', '3');
  expect(audit).toMatch(/documents\.remove [\s\S]* key\.documents [\s\S]* documents\.publish /);
});

it('documents have a feed where they are published with one', async () => {
  const list = manifest('list.json', ['{ startups { nodes { slug name updatedAt } } }']);
  const { id } = await place.createKey('--embed', '--origin', 'https://example.com');
  const options = { '': false, '--feed': true, '--no-feed': false };
  for (const [option, feed] of Object.entries(options)) {
    const ended = await place.run(
      'documents',
      'publish',
      list,
      '--key',
      id,
      ...option.split(' ').filter(Boolean),
    );
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(await place.json('documents', 'list', '--key', id)).toMatchObject([{ feed }]);
  }
});

it('documents may come from standard input, and it is said which ids are replaced', async () => {
  const { id } = await place.createKey();
  const publish = (content: object) =>
    run(['documents', 'publish', '-', '--key', id], { ...place, stdin: JSON.stringify(content) });
  const { code, stdout, stderr } = await publish({ d41d8cd98f00b204e9800998ecf8427e: TOTAL });
  expect([code, stdout]).toEqual([0, expect.stringContaining(total)]);
  expect(stderr).toMatch(
    /^Ids in - that are not SHA-256: 1\. Clients must send the ids printed here instead\. /,
  );
  // A name is for the reader of the file: no client sends it.
  const named = await publish({ total: TOTAL });
  expect([named.code, named.stderr]).toEqual([0, '']);
  expect(named.stdout).toMatch(/^total +known +sha256:/m);
});

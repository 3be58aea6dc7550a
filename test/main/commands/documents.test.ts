import { describe, expect, it } from 'vitest';
import { hashDocument } from '../../../src/access/keys/documents/document-id.ts';
import { CREATE_KEY, openServedPlace } from './databases.ts';
import { run } from './process.ts';

const place = await openServedPlace();

const ask = (key: string, params: Record<string, string>) =>
  place.get(key, `/graphql?${new URLSearchParams(params)}`);
const findKey = async (id: string): Promise<object> =>
  (await place.json('keys', 'list')).find((key: { id: string }) => key.id === id);

const TOTAL = 'query Total { dataset { total } }';
const VERSION = 'query Version { dataset { version } }';
const [total, version] = [TOTAL, VERSION].map((text) => `sha256:${hashDocument(text)}`) as [string, string];
const manifest = (name: string, content: unknown): string => place.write(name, JSON.stringify(content));

describe('documents', () => {
  it('are published, requested, listed and removed while a server runs', async () => {
    const { id, key } = await place.createKey();
    const file = manifest('persisted-documents.json', { [total]: TOTAL, [version]: VERSION });
    const table = [`Total    new    ${total}`, `Version  new    ${version}`];
    const header = 'NAME     STATE  DOCUMENT';
    expect(await place.run('documents', 'publish', file, '--key', id)).toEqual({
      code: 0,
      stdout: [header, ...table, ''].join('\n'),
      stderr: '',
    });
    await place.clock.advance(1_000);
    expect((await ask(key, { documentId: total })).status).toBe(200);
    expect(await place.json('documents', 'publish', file, '--key', id)).toEqual([
      { id: total, operations: ['Total'], replacedId: null, isNew: false },
      { id: version, operations: ['Version'], replacedId: null, isNew: false },
    ]);
  });

  it('are all that a key can run after it is restricted to them', async () => {
    const { id, key } = await place.createKey();
    const file = manifest('two.json', { [total]: TOTAL, [version]: VERSION });
    await place.run('documents', 'publish', file, '--key', id);
    expect(await place.run('keys', 'documents', id, 'trusted')).toMatchObject({
      code: 0,
      stdout: `Key ${id} ("a test") can run only its published documents.\n`,
    });
    await place.clock.advance(1_000);
    expect((await ask(key, { query: TOTAL })).status).toBe(403);
    expect(await findKey(id)).toMatchObject({ trustedOnly: true });

    expect((await place.run('documents', 'remove', total, '--key', id)).stdout).toBe(
      `Removed document ${total} of key ${id}.\n`,
    );
    await place.clock.advance(1_000);
    expect((await ask(key, { documentId: total })).status).toBe(404);
    const list = await place.run('documents', 'list', '--key', id);
    expect(list.stdout).toMatch(
      new RegExp(
        `^PUBLISHED +OPERATIONS +FEED +DOCUMENT\n\\d{4}-\\d\\d-\\d\\d {2}Version {5}– {5}${version}\n$`,
      ),
    );
    expect(await place.json('documents', 'list', '--key', id)).toEqual([
      { id: version, operations: ['Version'], feed: false, publishedAt: expect.any(String) },
    ]);
    const { stdout: audit } = await place.run('audit', '--limit', '3');
    expect(audit).toMatch(/documents\.remove [\s\S]* key\.documents [\s\S]* documents\.publish /);
  });

  it('have a feed where they are published with one', async () => {
    const { id } = await place.createKey();
    const list = '{ startups { nodes { slug name updatedAt } } }';
    const [one, two] = [manifest('list.json', [list]), manifest('lists.json', [list, TOTAL])];
    const feedsOf = async (keyId: string) =>
      (await place.json('documents', 'list', '--key', keyId)).map(({ feed }: { feed: boolean }) => feed);
    const publish = async (...args: string[]) => (await place.run('documents', 'publish', ...args)).stderr;
    expect(await publish(one, '--key', id, '--feed')).toMatch(/^revgate: Key \w+ is a secret key: /);
    const embed = await place.createKey('--embed', '--origin', 'https://example.com');
    expect(await publish(two, '--key', embed.id, '--feed')).toMatch(
      /^revgate: Total \("sha256:\w+…"\): a feed needs a list: read startups\.\n$/,
    );
    for (const [options, feed] of [
      [[], false],
      [['--feed'], true],
      [[], true],
      [['--no-feed'], false],
    ] as const) {
      expect(await publish(one, '--key', embed.id, ...options)).toBe('');
      expect(await feedsOf(embed.id)).toEqual([feed]);
    }
  });

  it('may come from standard input, and say which ids are replaced', async () => {
    const { id } = await place.createKey();
    const { code, stdout, stderr } = await run(['documents', 'publish', '-', '--key', id], {
      ...place,
      stdin: JSON.stringify({ d41d8cd98f00b204e9800998ecf8427e: TOTAL }),
    });
    expect([code, stdout]).toEqual([0, expect.stringContaining(total)]);
    expect(stderr).toMatch(
      /^Ids in - that are not SHA-256: 1\. Clients must send the ids printed here instead\. /,
    );
    // A name is for the reader of the file: no client sends it.
    const named = await run(['documents', 'publish', '-', '--key', id], {
      ...place,
      stdin: JSON.stringify({ total: TOTAL }),
    });
    expect([named.code, named.stderr]).toEqual([0, '']);
    expect(named.stdout).toMatch(/^total +known +sha256:/m);
  });
});

describe('an embed key', () => {
  it('is not created without origins', async () => {
    expect(await place.run(...CREATE_KEY, '--embed')).toEqual({
      code: 1,
      stdout: '',
      stderr:
        'revgate: --origin: missing option. An embed key needs the origins of its pages, such as https://example.com.\n',
    });
  });
});

import type { GraphQLObjectType } from 'graphql';
import { expect, it, onTestFinished } from 'vitest';
import { hashDocument } from '../../../../src/access/keys/documents/list.ts';
import { schema } from '../../../../src/api/graphql/schema.ts';
import { rowsOf, textIn } from '../../../support/html.ts';
import { expectPage, openSite, textOf } from '../site.ts';

const ORIGIN = 'https://shop.example';
const DOCUMENT = 'query Total { startups { meta { total } } }';

const site = await openSite();
const ada = await site.member('ada@example.com');

it('a key for web pages is created with their origins, and runs published documents', async () => {
  const origins = `${ORIGIN}, https://b.example\r\n https://www.shop.example `;
  const made = await ada.post('/dashboard/keys', { name: 'shop', origins });
  const key = textOf(made, /<code id="key">(rvg_pub_\w{38})<\/code>/) ?? '';
  expect(key).not.toBe('');
  expect(made.text).toContain('Publish its documents');
  const id = textOf(made, /data-address="\/dashboard\/keys\/(\w+)"/) ?? '';
  const page = await ada.get(`/dashboard/keys/${id}`);
  expectPage(page, 200, `${ORIGIN}, https://b.example, https://www.shop.example`, 'Published ones only');
  expectPage(await ada.get('/dashboard/embeds'), 200, 'No document is published for this key');

  const faulty = await ada.post(`/dashboard/keys/${id}/documents`, { document: '{ nothing }' });
  expectPage(faulty, 400, 'Line 1, column 3: Cannot query field "nothing"', '{ nothing }');
  const published = await ada.submit(`/dashboard/keys/${id}/documents`, { document: `${DOCUMENT}\r\n` });
  expect(published.text).toContain('<h1>Total</h1>');
  const documentId = textOf(published, /(sha256:[0-9a-f]{64})/) ?? '';
  expect(documentId).toBe(`sha256:${hashDocument(`${DOCUMENT}\n`)}`);
  const list = await ada.get(`/dashboard/keys/${id}`);
  const path = textOf(list, /<a href="([^"]*)">Total<\/a>/) ?? '';
  expect(path).toBe(`/dashboard/keys/${id}/documents/${documentId.slice('sha256:'.length)}`);
  expect(textIn(list.text)).not.toContain(DOCUMENT);
  const sample = `/graphql?documentId=${documentId}`;
  expectPage(await ada.get(path), 200, DOCUMENT, `-H 'Origin: ${ORIGIN}'`, sample);

  const answer = await site.post({ documentId }, { key, headers: { origin: ORIGIN } });
  expect(answer.json).toMatchObject({ data: { startups: { meta: { total: 0 } } } });
  const again = await ada.submit(`/dashboard/keys/${id}/documents`, { document: `${DOCUMENT}\n` });
  expect(again.text).toContain('Nothing changed: this was published before.');
  expectPage(await ada.submit(`${path}/remove`), 200, 'The embed was removed.');
  expect((await ada.get(path)).status).toBe(404);
});

it('a key for web pages that was rotated keeps its documents, and is shown as the attribute to replace', async () => {
  const { id } = await ada.createKey({ name: 'rotated', origins: ORIGIN });
  await ada.post(`/dashboard/keys/${id}/documents`, { document: ` ${DOCUMENT} ` });
  const made = await ada.post(`/dashboard/keys/${id}/rotate`, { overlap: '24h' });
  const key = textOf(made, /<code id="key">(rvg_pub_\w{38})<\/code>/) ?? '';
  expect(textIn(made.text)).toContain(`embed-key="${key}"`);
  expect(made.text).not.toContain('Publish its documents');
  const documentId = `sha256:${hashDocument(` ${DOCUMENT} `)}`;
  const answer = await site.post({ documentId }, { key, headers: { origin: ORIGIN } });
  expect(answer.json).toMatchObject({ data: { startups: { meta: { total: 0 } } } });
});

it('a document of an embed key has a feed where that is chosen, and one of a secret key has none', async () => {
  const { id } = await ada.createKey({ name: 'feeds', origins: ORIGIN });
  const path = `/dashboard/keys/${id}/documents`;
  await ada.post(path, { document: DOCUMENT });
  const refused = await ada.post(`${path}/${hashDocument(DOCUMENT)}/feed`, { feed: 'on' });
  expectPage(refused, 400, 'feed needs slug, name, updatedAt of each startup');
  const list = 'query Latest { startups { nodes { slug name updatedAt } } }';
  await ada.post(path, { document: list });
  const hash = hashDocument(list);
  await ada.post(`${path}/${hash}/feed`, { feed: 'on' });
  const page = await ada.get(`${path}/${hash}`);
  expect(page.text).toMatch(new RegExp(`http[^<]*/feeds/${hash}\\.atom\\?key=rvg_pub_…`));
  expect((await ada.get(`/dashboard/keys/${id}`)).text).toContain(
    'Latest</a> <span class="badge">feed</span>',
  );
  await ada.post(`${path}/${hash}/feed`, { feed: 'off' });
  const ended = await ada.get(`${path}/${hash}`);
  expect(ended.text).not.toContain('.atom');
  expect(ended.text).toContain('Offer a feed');

  const secret = `/dashboard/keys/${(await ada.createKey({ name: 'secret' })).id}/documents`;
  await ada.post(secret, { document: list });
  expect((await ada.get(`${secret}/${hash}`)).text).not.toMatch(/\bfeed\b|\.atom/);
  expectPage(await ada.post(`${secret}/${hash}/feed`, { feed: 'on' }), 400, 'is a secret key');
});

it('a document with required variables says in its samples which to set', async () => {
  const { id } = await ada.createKey({ name: 'one', origins: ORIGIN });
  const document =
    'query One($slug: String!, $last: Int, $tags: [Category!]!, $none: Int! = 1) { startup(slug: $slug) { history(last: $last) { day } } startups(limit: $none, filter: { categories: $tags }) { meta { total } } }';
  const text = textIn((await ada.submit(`/dashboard/keys/${id}/documents`, { document })).text);
  expect(text).toContain(`--data-urlencode 'variables={"slug":"acme","tags":["AI"]}'`);
  expect(text).toMatch(/body: JSON\.stringify\(\{ documentId, variables \}\)/);
  expect(text).toContain('data=json.dumps({"documentId": documentId, "variables": variables})');
});

it('a long document is shown whole, but marked up only so far as its page takes no time', async () => {
  site.nextMinute();
  const { id } = await ada.createKey({ name: 'long' });
  const path = `/dashboard/keys/${id}/documents`;
  const comments = `#${'-'.repeat(40)}\n`.repeat(1_900);
  expect((await ada.post(path, { document: `${DOCUMENT}\n${comments}{}` })).status).toBe(400);
  expect((await ada.post(path, { document: `${DOCUMENT}\n${comments}#end` })).status).toBe(303);
  const [, page = ''] =
    /href="([^"]*documents\/[^"]*)"/.exec((await ada.get(`/dashboard/keys/${id}`)).text) ?? [];
  const { text } = await ada.get(page);
  const [shown = ''] = /<code id="document-text"[\s\S]*?<\/code>/.exec(text) ?? [];
  expect(shown.match(/<span class="comment"/g)).toHaveLength(299);
  expect(textIn(text)).toContain('-\n#end');
  expect(text.length).toBeLessThan(2 * comments.length);
});

it('a session that ends while a document arrives publishes nothing', async () => {
  const slow = await site.member('slow@example.com');
  const { id } = await slow.createKey({ name: 'slow' });
  const where = { userId: slow.accountId };
  const endSessions = () => site.database.prisma.session.deleteMany({ where });
  const body = { document: DOCUMENT };
  const answer = await slow.send('POST', `/dashboard/keys/${id}/documents`, body, {}, endSessions);
  expect([answer.status, answer.headers.location]).toEqual([303, '/dashboard/sign-in?notice=expired']);
  const count = await site.database.prisma.trustedDocument.count({ where: { familyId: id } });
  expect(count).toBe(0);
});

const bob = await site.member('bob@example.com');

it('the sites of a key are changed on its page, and apply at once', async () => {
  const { id, key } = await bob.createKey({ name: 'moved', origins: ORIGIN });
  await bob.post(`/dashboard/keys/${id}/documents`, { document: DOCUMENT });
  const path = `/dashboard/keys/${id}/origins`;
  expect(textIn((await bob.get(path)).text)).toContain(ORIGIN);
  for (const [origins, message] of [
    ['', 'Sites: none given'],
    ['https://*.example', 'allowed: a domain such as example.com'],
  ]) {
    expectPage(await bob.post(path, { origins: origins as string }), 400, message as string);
  }
  const changed = await bob.submit(path, { origins: 'https://new.example\r\nhttp://localhost:3000' });
  expectPage(changed, 200, 'The sites were changed', 'https://new.example, http://localhost:3000');
  await site.notice();
  const documentId = `sha256:${hashDocument(DOCUMENT)}`;
  const from = (origin: string) => site.post({ documentId }, { key, headers: { origin } });
  expect((await from('https://new.example')).status).toBe(200);
  expect((await from(ORIGIN)).json.errors[0].extensions.code).toBe('ORIGIN_NOT_ALLOWED');
  const log = await site.database.prisma.auditEntry.findFirst({
    where: { action: 'key.origins', subject: id },
  });
  expect(log?.details).toEqual({ from: [ORIGIN], to: ['https://new.example', 'http://localhost:3000'] });
});

/** The boxes of sites on a page, each with whether it is checked. */
const boxesOn = ({ text }: { readonly text: string }) =>
  Object.fromEntries(
    [...text.matchAll(/name="site\.([^"]*)"( checked)?/g)].map(([, site = '', checked]) => [
      site,
      checked !== undefined,
    ]),
  );
const [PLAIN, WWW] = ['https://pages.example', 'https://www.pages.example'];
const EXAMPLES = { [PLAIN]: true, [WWW]: true };

it('a site as people write it is shown as its origins before a key is made, and each can be left out', async () => {
  const dora = await site.member('dora@example.com');
  const shown = await dora.post('/dashboard/keys', { name: 'pages', origins: 'pages.example' });
  expectPage(shown, 200, 'Clear those that are not yours');
  expect(boxesOn(shown)).toEqual(EXAMPLES);
  // What was typed is in the boxes now.
  expect(shown.text).toMatch(/<textarea[^>]*><\/textarea>/);
  expect(await site.database.prisma.apiKey.count({ where: { accountId: dora.accountId } })).toBe(0);
  const { id } = await dora.createKey({ name: 'pages', [`site.${PLAIN}`]: 'on' });
  const key = await site.database.prisma.apiKey.findUnique({ where: { id } });
  expect(key?.origins).toEqual([PLAIN]);

  const path = `/dashboard/keys/${id}/origins`;
  expect(boxesOn(await dora.get(path))).toEqual({ [PLAIN]: true });
  const more = await dora.post(path, { origins: 'pages.example/blog' });
  expectPage(more, 200, 'Clear those that are not yours');
  expect(boxesOn(more)).toEqual(EXAMPLES);
  const wrong = await dora.post(path, { [`site.${WWW}`]: 'on', origins: 'me@example.com' });
  expectPage(wrong, 400, 'Site: got &quot;me@example.com&quot;', '>me@example.com</textarea>');
  expect(boxesOn(wrong)).toEqual({ ...EXAMPLES, [PLAIN]: false });
  await dora.submit(path, { [`site.${WWW}`]: 'on' });
  const changed = await site.database.prisma.apiKey.findUnique({ where: { id } });
  expect(changed?.origins).toEqual([WWW]);
  expectPage(await dora.post(path, { 'site.https://*.example': 'on' }), 400, 'Origin: got');
});

it('the sites of a secret key, and of the key of another account, do not exist', async () => {
  const secret = await bob.createKey({ name: 'secret' });
  expect((await bob.get(`/dashboard/keys/${secret.id}/origins`)).status).toBe(404);
  expect((await bob.post(`/dashboard/keys/${secret.id}/origins`, { origins: ORIGIN })).status).toBe(404);
  const { id } = await bob.createKey({ name: 'hers', origins: ORIGIN });
  const eva = await site.member('eva@example.com');
  expect((await eva.post(`/dashboard/keys/${id}/origins`, { origins: ORIGIN })).status).toBe(404);
});

it('the page of documents takes a manifest, and says where its ids are to be replaced', async () => {
  const { id } = await bob.createKey({ name: 'manifest', origins: ORIGIN });
  const path = `/dashboard/keys/${id}/documents`;
  const other = 'query Other { dataset { total } }';
  const manifest = JSON.stringify(
    { [hashDocument(DOCUMENT)]: DOCUMENT, [hashDocument(other)]: other },
    null,
    2,
  );
  expectPage(await bob.submit(path, { document: manifest }), 200, 'can use these IDs', 'Total', 'Other');
  expectPage(await bob.submit(path, { document: manifest }), 200, 'this was published before');
  const named = JSON.stringify({ d41d8cd98f00b204e9800998ecf8427e: 'query Third { dataset { total } }' });
  expectPage(await bob.submit(path, { document: named }), 200, 'are not SHA-256', 'Third');
  expectPage(await bob.post(path, { document: '{ "a": 1 }' }), 400, 'Manifest: not a manifest, allowed');
  const wrong = JSON.stringify([DOCUMENT, '{ nothing }']);
  expectPage(await bob.post(path, { document: wrong }), 400, 'Cannot query field &quot;nothing&quot;');
});

it('a document that uses what is deprecated is marked, and its page says what it is', async () => {
  const { id } = await bob.createKey({ name: 'aged', origins: ORIGIN });
  const path = `/dashboard/keys/${id}/documents`;
  const documents = ['query Old { dataset { version } }', 'query New { dataset { total } }'];
  await bob.submit(path, { document: JSON.stringify(documents) });
  expect((await bob.get(`/dashboard/keys/${id}`)).text).not.toContain('>deprecated<');
  const field = (schema.getType('Dataset') as GraphQLObjectType).getFields().version;
  onTestFinished(() => void Object.assign(field as object, { deprecationReason: undefined }));
  Object.assign(field as object, { deprecationReason: 'Use total. Deprecated since 2027-01-31.' });
  const rows = rowsOf((await bob.get(`/dashboard/keys/${id}`)).text, 'Newest first').map(([name = '']) =>
    name.replace(/\s+/g, ' '),
  );
  expect(rows.toSorted()).toEqual(['New', 'Old deprecated']);
  const [old, other] = documents.map((text) => `${path}/${hashDocument(text)}`) as [string, string];
  const reason = 'The field Dataset.version is deprecated. Use total. Deprecated since 2027-01-31.';
  expectPage(await bob.get(old), 200, `${reason} What is deprecated works for at least 90 days.`);
  expect((await bob.get(other)).text).not.toContain('deprecated');
});

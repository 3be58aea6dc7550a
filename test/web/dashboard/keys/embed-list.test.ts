import { expect, it } from 'vitest';
import { listAudit } from '../../../../src/access/audit/audit-log.ts';
import { OWN_KEYS_MAX } from '../../../../src/access/keys/create.ts';
import { hashDocument } from '../../../../src/access/keys/documents/list.ts';
import { sampleStartups } from '../../../../src/startups/sample/sample.ts';
import type { Answer } from '../../../support/gateway.ts';
import { decoded, rowsOf, textIn } from '../../../support/html.ts';
import { expectPage, ORIGIN, openSite, textOf } from '../site.ts';

const PATH = '/dashboard/embeds/new';
const PAGE = 'https://blog.example';
const QUERY = 'category=ai&minRevenue=100000&sort=growth-desc';

const site = await openSite({ records: [...sampleStartups({ count: 100, seed: 1 })] });
const ada = await site.member('ada@example.com');
const { slug } = await site.database.prisma.startup.findFirstOrThrow();

/** Its attributes are on a line each. */
const snippetOn = (answer: Answer): string =>
  textIn(textOf(answer, /<code id="embed">([\s\S]*?)<\/code>/) ?? '').replace(/\s+/g, ' ');
const keyOf = (snippet: string): string => /rvg_pub_\w{38}/.exec(snippet)?.[0] ?? '';
const documentOf = (snippet: string): string => / document="(sha256:[^"]*)"/.exec(snippet)?.[1] ?? '';
const counts = async () => ({
  keys: await site.database.prisma.apiKey.count(),
  documents: await site.database.prisma.trustedDocument.count(),
});
/** What the component is answered. */
const ask = (snippet: string, origin: string) =>
  site.call(`/graphql?documentId=${documentOf(snippet)}`, { key: keyOf(snippet), headers: { origin } });

it('creates a key for the origins, publishes the query for it, and gives HTML with both', async () => {
  const list = await ada.get(`/dashboard/explorer?${QUERY}&page=2`);
  expect(decoded(list.text)).toContain(`href="${PATH}?${QUERY}"`);
  const form = await ada.get(`${PATH}?${QUERY}`);
  expectPage(form, 200, 'Revenue 30d ≥ $1,000');
  const made = await ada.post(PATH, { query: QUERY, origins: `${PAGE}\r\nhttps://www.blog.example` });
  expect(made.status).toBe(200);
  const snippet = snippetOn(made);
  expect(snippet).toMatch(
    new RegExp(`^<script src="${ORIGIN}/embed.js" type="module"></script> <revgate-list embed-key=`),
  );
  // A preview runs with the session.
  expect(made.headers['content-security-policy']).toContain("connect-src 'self'");
  expect(/<div[^>]* data-preview="revgate-list"[^>]*>/.exec(made.text)?.[0]).not.toContain('rvg_pub_');
  const answer = await ask(snippet, PAGE);
  const { key } = await site.key({ tier: 'premium' });
  const rest = await site.call(`/api/v1/startups?${QUERY}`, { key });
  const names = (list: { name: string }[]) => list.map(({ name }) => name);
  expect(names(answer.json.data.startups.page)).toEqual(names(rest.json.data));
  const elsewhere = await ask(snippet, 'https://elsewhere.example');
  expect(elsewhere.json.errors[0].extensions.code).toBe('ORIGIN_NOT_ALLOWED');
  const id = textOf(made, /data-address="\/dashboard\/keys\/(key_\w+)"/) ?? '';
  const keyPage = await ada.get(`/dashboard/keys/${id}`);
  expect(keyPage.text).toContain(`${PAGE}, https://www.blog.example`);
  // It has the name of its first page.
  expect(keyPage.text).toContain('<h1>blog.example</h1>');
  expect(keyPage.text).toContain('List: Category: Artificial Intelligence · Revenue 30d ≥ $1,000</a>');
  const acts = (await listAudit(site.database.prisma, 2)).map(({ action }) => action);
  expect(acts.sort()).toEqual(['documents.publish', 'key.create']);
});

it('embeds the line of one figure of a startup', async () => {
  const path = `${PATH}?chart=${slug}&value=revenue.mrr`;
  const startupChart = await ada.get(path);
  expect(startupChart.text).toContain(`MRR of ${slug} in the last 90 days.`);
  const chosen = { value: 'customers', origins: PAGE };
  const made = await ada.post(PATH, { query: path.slice(`${PATH}?`.length), ...chosen });
  const snippet = snippetOn(made);
  expect(snippet).toMatch(/<revgate-chart [^>]* value="customers">/);
  const { history } = (await ask(snippet, PAGE)).json.data.startup;
  expect(Object.keys(history[0])).toEqual(['day', 'customers']);
  for (const query of [
    'chart=%22%3E&value=customers',
    `chart=${slug}&value=slug`,
    `chart=${slug}&show=list`,
  ]) {
    expect((await ada.get(`${PATH}?${query}`)).status).toBe(303);
    expect((await ada.post(PATH, { query, origins: PAGE })).status).toBe(303);
  }
});

it('keeps what was typed and leaves nothing behind when a step fails', async () => {
  const before = await counts();
  const wrong = await ada.post(PATH, { query: QUERY, origins: 'http://blog.example' });
  const none = await ada.post(PATH, { query: QUERY });
  expect([wrong.status, none.status]).toEqual([400, 400]);
  expect(wrong.text).toContain('>http://blog.example</textarea>');
  // One error, at the field.
  for (const [{ text }, error] of [
    [wrong, 'Site: got &quot;http://blog.example&quot;'],
    [none, 'Sites: none given. Enter the domain of your website, such as example.com.'],
  ] as const) {
    expect(text.match(/class="error"|class="notice/g)).toEqual(['class="error"']);
    expect(text).toContain(`<p class="error" id="origins-error">${error}`);
  }
  const read = await ada.post(PATH, { query: QUERY, origins: 'https://blog.example/page' });
  expectPage(read, 200, 'name="site.https://blog.example" checked');

  // The key is the step before: it is undone with the failed publication.
  const { prisma } = site.database;
  await prisma.$executeRawUnsafe(
    `ALTER TABLE documents ADD CONSTRAINT refuses CHECK (text NOT LIKE ${"'%limit: 7%'"})`,
  );
  const failed = await ada.post(PATH, { query: 'limit=7', origins: PAGE });
  await prisma.$executeRawUnsafe('ALTER TABLE documents DROP CONSTRAINT refuses');
  expect(failed.status).toBe(500);
  expect(await counts()).toEqual(before);
});

it('is within the limits of keys', async () => {
  const dan = await site.member('dan@example.com');
  for (let made = 1; made < OWN_KEYS_MAX; made++) {
    await site.key({ accountId: dan.accountId });
  }
  expect((await dan.post(PATH, { query: '', origins: PAGE })).status).toBe(200);
  expectPage(await dan.post(PATH, { query: '', origins: PAGE }), 400, `the maximum is ${OWN_KEYS_MAX}`);
});

it('leads from an invalid list to the explorer, which says what is wrong', async () => {
  for (const { headers } of [
    await ada.get(`${PATH}?category=robots`),
    await ada.post(PATH, { query: 'category=robots', origins: PAGE }),
  ]) {
    expect(headers.location).toBe('/dashboard/explorer?category=robots');
  }
});

it('embeds figures of a list, the market, and figures of a startup, of which it reads what was chosen', async () => {
  const embed = async (query: string, chosen: { [name: string]: string }) => {
    const form = await ada.get(`${PATH}?${query}`);
    expect(form.status).toBe(200);
    const made = await ada.post(PATH, { query, origins: PAGE, ...chosen });
    const snippet = snippetOn(made);
    return { snippet, data: (await ask(snippet, PAGE)).json.data };
  };
  const figures = await embed(`${QUERY}&show=figures`, { 'show.stats.revenue.sum': 'on' });
  expect(figures.snippet).toMatch(/<revgate-figures [^>]* figures="stats.revenue.sum">/);
  expect(figures.data).toEqual({ startups: { stats: { revenue: { sum: expect.any(Number) } } } });
  const market = await embed('category=ai&show=chart', { value: 'mrr.median' });
  expect(market.snippet).toMatch(/<revgate-chart [^>]* value="mrr.median">/);
  expect(Object.keys(market.data.market[0] ?? { day: 1, mrr: 1 })).toEqual(['day', 'mrr']);
  const startup = await embed(`chart=${slug}&show=figures`, { 'show.revenue.total': 'on' });
  expect(startup.data.startup).toEqual({ revenue: { total: expect.any(Number) } });
});

it('has no chart of several categories, which would show all startups, and says so', async () => {
  const note = 'A chart shows all startups or one category';
  const one = await ada.get(`${PATH}?category=ai`);
  expect(one.text).toContain('show=chart');
  expect(one.text).not.toContain(note);
  const two = await ada.get(`${PATH}?category=ai,saas`);
  expectPage(two, 200, note);
  expect(two.text).not.toContain('show=chart');
  const query = 'category=ai,saas&show=chart';
  expectPage(await ada.get(`${PATH}?${query}`), 200, note);
  const snippet = snippetOn(await ada.post(PATH, { query, origins: PAGE }));
  expect(snippet).toContain('<revgate-list');
  expect((await ask(snippet, PAGE)).json.data.startups.page).toEqual(expect.any(Array));
});

it('takes columns and theme from the form, and nothing else', async () => {
  const eve = await site.member('eve@example.com');
  const columns = { 'show.name': 'on', 'show.country': 'on', 'show.nothing': 'on' };
  const look = { theme: 'dark', accent: '" onclick="' };
  const made = await eve.post(PATH, { query: 'limit=5', origins: PAGE, ...columns, ...look });
  const snippet = snippetOn(made);
  expect(snippet).toContain(' rows="5" columns="name,country" theme="dark">');
  const [first] = (await ask(snippet, PAGE)).json.data.startups.page;
  expect(Object.keys(first)).toEqual(['name', 'country', 'website']);
  // As many rows as there are now, whatever the limit.
  for (const [query, rows, found] of [
    [`limit=5&search=${slug}`, 1, 1],
    ['limit=5&minMrr=99999999999', 5, 0],
  ] as const) {
    const few = snippetOn(await eve.post(PATH, { query, origins: PAGE }));
    expect(few).toContain(` rows="${rows}" columns=`);
    expect(few).toContain(`height="${40 * (rows + 1) + 46}"`);
    expect((await ask(few, PAGE)).json.data.startups.page).toHaveLength(found);
  }
  // Its height with a theme, and a link for readers without the script.
  expect(snippet).toContain(`height="${40 * 6 + 46 + 16}"><a href="${ORIGIN}/"> <text `);
});

it('lists embeds by what they show, with their sites, key and code, and not among the keys', async () => {
  const fay = await site.member('fay@example.com');
  expectPage(await fay.get('/dashboard/embeds'), 200, 'No embeds yet');
  await fay.post(PATH, { query: QUERY, origins: PAGE, 'show.name': 'on', 'show.revenue.mrr': 'on' });
  await fay.post(PATH, { query: 'category=ai,saas&onSale=true&show=figures', origins: PAGE });
  await fay.post(PATH, { query: 'category=ai&show=chart', origins: PAGE, value: 'count' });
  await fay.post(PATH, { query: `chart=${slug}&show=figures`, origins: PAGE });
  const chart = await fay.post(PATH, { query: `chart=${slug}`, origins: PAGE, value: 'customers' });
  const { id: bare } = await fay.createKey({ name: 'bare', origins: PAGE });
  await fay.createKey({ name: 'secret' });
  const { id: own } = await fay.createKey({ name: 'own', origins: PAGE });
  await fay.post(`/dashboard/keys/${own}/documents`, { document: 'query Mine { dataset { total } }' });

  const list = await fay.get('/dashboard/embeds');
  const names = rowsOf(list.text, 'Embeds').map(([name = '']) => name.replace(/\s+/g, ' '));
  const [ai, saas] = ['Artificial Intelligence', 'Software as a Service'];
  expect(names.toSorted()).toEqual([
    `Chart: Category: ${ai}Startups`,
    `Chart: ${slug}Customers`,
    `Figures: Sale status: For sale · Category: ${ai}, ${saas}Startups, Revenue 30d, Median revenue, Median MRR`,
    `Figures: ${slug}Revenue 30d, MRR, Total revenue, Growth 30d`,
    `List: Category: ${ai} · Revenue 30d ≥ $1,000Fastest growth first · Startup, MRR`,
    'MineA GraphQL document',
    'bareNo document is published for this key',
  ]);
  for (const row of rowsOf(list.text, 'Embeds')) {
    expect(row.slice(1, 4)).toEqual(['blog.example', expect.any(String), 'Never']);
  }
  const keys = await fay.get('/dashboard/keys');
  expect(rowsOf(keys.text, 'Working').map(([name]) => name)).toEqual([expect.stringMatching(/^secret/)]);
  expectPage(keys, 200, 'href="/dashboard/embeds"');
  expect(list.text).toContain(`href="/dashboard/keys/${bare}/revoke"`);

  // The code is as it was, with the beginning of the key in place of it.
  const made = snippetOn(chart);
  const path = textOf(list, new RegExp(`<a href="([^"]*)">Chart: ${slug}</a>`)) ?? '';
  const shown = await fay.get(path);
  expectPage(shown, 200, `<h1>Chart: ${slug}</h1>`, 'rotate the key');
  expect(snippetOn(shown)).toBe(made.replace(keyOf(made), `${keyOf(made).slice(0, 12)}…`));
});

it('makes one key of a form that is sent again', async () => {
  const hal = await site.member('hal@example.com');
  const [, id = ''] = /name="id" value="(key_\w+)"/.exec((await hal.get(PATH)).text) ?? [];
  const form = { id, query: 'category=ai', origins: PAGE };
  expectPage(await hal.post(PATH, form), 200, 'rvg_pub_');
  expect((await hal.post(PATH, form)).headers.location).toBe(`/dashboard/keys/${id}?notice=created-before`);
  expect(rowsOf((await hal.get('/dashboard/embeds')).text, 'Embeds')).toHaveLength(1);
});

it('has one row for keys that replaced another', async () => {
  const gil = await site.member('gil@example.com');
  await gil.post(PATH, { query: 'category=ai', origins: PAGE });
  const [, first = ''] = /\/keys\/(key_\w+)\/rotate/.exec((await gil.get('/dashboard/embeds')).text) ?? [];
  await gil.post(`/dashboard/keys/${first}/rotate`, { overlap: '24h' });
  const { text } = await gil.get('/dashboard/embeds');
  expect(rowsOf(text, 'Embeds')).toHaveLength(1);
  expect(text).not.toContain(first);
});

it('removes an embed, and revokes its key with it if that is chosen and nothing else needs it', async () => {
  const hal = await site.member('hal@example.com');
  const { id } = await hal.createKey({ name: 'page', origins: PAGE });
  const documents = ['{ dataset { total } }', '{ dataset { version } }'].map((text) => ({
    text,
    path: `/dashboard/keys/${id}/documents/${hashDocument(text)}`,
  }));
  for (const { text } of documents) {
    await hal.post(`/dashboard/keys/${id}/documents`, { document: text });
  }
  const [one, other] = documents.map(({ path }) => `${path}/remove`) as [string, string];
  const revokedAt = async () => (await site.database.prisma.apiKey.findUnique({ where: { id } }))?.revokedAt;
  expect((await hal.get(one)).text).not.toContain('name="revoke"');
  expectPage(await hal.submit(one, { revoke: 'on' }), 200, 'The embed was removed');
  expect(await revokedAt()).toBeNull();
  expectPage(await hal.get(other), 200, 'name="revoke" checked');
  await hal.submit(other, { revoke: 'on' });
  expect(await revokedAt()).toEqual(expect.any(Date));
});

it('leads from where embeds and documents were to where they are', async () => {
  const { id } = await ada.createKey({ name: 'old', origins: PAGE });
  for (const [old, path] of [
    ['/dashboard/embed?category=ai,saas', `${PATH}?category=ai,saas`],
    ['/dashboard/documents', '/dashboard/keys'],
    [`/dashboard/keys/${id}/documents`, `/dashboard/keys/${id}#documents`],
  ] as const) {
    const { status, headers } = await ada.get(old);
    expect([status, headers.location]).toEqual([303, path]);
  }
});

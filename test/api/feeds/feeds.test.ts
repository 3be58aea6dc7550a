import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { revokeKey } from '../../../src/access/keys/change.ts';
import { hashDocument } from '../../../src/access/keys/documents/list.ts';
import { publishDocuments } from '../../../src/access/keys/documents/publish-and-remove.ts';
import { rotateKey } from '../../../src/access/keys/rotate.ts';
import { xmlText } from '../../../src/api/feeds/feed.ts';
import { documentCheck } from '../../../src/api/graphql/planning/check-document.ts';
import { schema } from '../../../src/api/graphql/schema.ts';
import { createTestClock } from '../../support/clock.ts';
import { type CallOptions, openTestGateway } from '../../support/gateway.ts';
import { insertRecords, record } from '../../support/records.ts';
import { all, type Element, parseXml, readFeed, textOf } from './atom.ts';

const checkDocument = documentCheck(() => schema);

const PAGE = 'https://page.example';
const HOSTILE = `]]></content><script>alert(1)</script>&bogus; <!-- "'\u0008\u001b\ud800\ufffe\u{1f600}`;
const LIST = `"Startups for sale, the latest first."
query ForSale {
  startups(filter: { onSale: true }, sort: LISTED_DESC) {
    nodes { slug name updatedAt website description askingPrice growth30d revenue { mrr } techStack }
  }
}`;
const CHANGES = `query Changes($since: String) {
  changes(since: $since, first: 4) { edges { node { slug kind at startup { name website askingPrice } } } }
}`;
const PAGES = `{
  ${Array.from({ length: 6 }, (_, index) => `p${index}: startups(page: ${index + 1}) { page { slug name updatedAt } }`).join('\n')}
}`;

const clock = createTestClock();
const gateway = await openTestGateway({
  clock,
  records: [
    record('acme', {
      name: 'Acme & <Sons>',
      onSale: true,
      firstListedForSaleAt: '2026-11-01T00:00:00.000Z',
      askingPrice: 9_999_950,
      growth30d: 24.25,
      website: 'https://acme.example/?a=1&b="2"',
    }),
    record('other', { onSale: true, name: 'Other', website: null }),
    record('hidden'),
    // A database accepts no NUL.
    record('hostile', { onSale: true, name: HOSTILE, description: HOSTILE }),
    record('forged', {
      onSale: true,
      name: 'Forged\nrevenue.mrr $9',
      description: 'Good.\r\naskingPrice $1\u2028growth30d 900%',
      techStack: ['Go\naskingPrice $2'],
    }),
    record('blank', { onSale: true, name: ' \u200b', description: ' \n', founderName: '' }),
    record('script', { onSale: true, name: 'Script', website: 'javascript:alert(1)' }),
    ...Array.from({ length: 60 }, (_, index) => record(`more-${index}`)),
  ],
  origin: () => 'https://api.example',
  limits: 1_000,
  embedLimit: 10_000,
});

/** An embed key with documents that have a feed. */
async function newKey(...texts: string[]) {
  const key = await gateway.key({ origins: [PAGE] });
  await gateway.publishFeeds(key.id, ...texts);
  return key;
}
const pathOf = (text: string, key: string): string => `/feeds/${hashDocument(text)}.atom?key=${key}`;
const get = (text: string, key: string, more: CallOptions = {}) => gateway.call(pathOf(text, key), more);
const rename = (slug: string, name: string) =>
  gateway.database.prisma.startup.update({ where: { slug }, data: { name } });
/** The titles of a feed, once they are these or more. */
const waitFor = (text: string, key: string, ...expected: string[]) =>
  expect
    .poll(async () => {
      await clock.advance(1_000);
      return titles((await get(text, key)).text);
    })
    .toEqual(expect.arrayContaining(expected));
const entries = (xml: string): Element[] => all(readFeed(xml), 'entry');
const titles = (xml: string): (string | undefined)[] => entries(xml).map((entry) => textOf(entry, 'title'));
/** The entry whose title begins so. */
const entryOf = (list: Element[], title: string): Element =>
  list.find((entry) => textOf(entry, 'title')?.startsWith(title)) as Element;
const href = (element: Element): string | undefined => all(element, 'link')[0]?.attributes.href;

describe('a feed of a list', () => {
  it('is valid Atom with an entry for each startup, which readers and proxies keep for ten minutes', async () => {
    const { key } = await newKey(LIST);
    const { status, headers, text } = await get(LIST, key);
    const kept = { 'cache-control': 'public, max-age=600' };
    expect(status).toBe(200);
    expect(headers).toMatchObject({ 'content-type': 'application/atom+xml; charset=utf-8', ...kept });
    expect(headers).not.toHaveProperty('vary');
    const feed = readFeed(text);
    expect(textOf(feed, 'title')).toBe('ForSale – revgate');
    expect(textOf(feed, 'subtitle')).toBe('Startups for sale, the latest first.');
    expect(href(feed)).toBe(`https://api.example${pathOf(LIST, key)}`);
    const acme = entryOf(all(feed, 'entry'), 'Acme & <Sons>');
    expect(href(acme)).toBe('https://acme.example/?a=1&b=%222%22');
    expect(textOf(acme, 'content')).toContain(
      'Asking price: $99,999.50\nRevenue growth, 30 days: 24.25%\nMRR: $80',
    );
    expect(all(feed, 'entry').length).toBeGreaterThanOrEqual(4);
    const known = await get(LIST, key, { headers: { 'if-none-match': headers.etag ?? '' } });
    expect(known).toMatchObject({ status: 304, text: '', headers: kept });
    const head = await get(LIST, key, { method: 'HEAD' });
    expect([head.status, head.headers.etag]).toEqual([200, headers.etag]);
  });

  it('calls each figure as pages do, unless the publisher chose another name, also of past days', async () => {
    const text = `{ startups(filter: { search: "acme" }) { nodes {
      slug name updatedAt price: askingPrice revenue { last30Days month: mrr } history(last: 1) { day customers }
    } } }`;
    const { key } = await newKey(text);
    const [acme] = entries((await get(text, key)).text);
    const lines = textOf(acme as Element, 'content')?.split('\n') ?? [];
    expect(lines).toContain('price: $99,999.50');
    expect(lines).toContain('Revenue, 30 days: $100');
    expect(lines).toContain('revenue.month: $80');
  });

  it('says when each startup was first imported', async () => {
    const { key } = await newKey(LIST);
    const acme = entryOf(entries((await get(LIST, key)).text), 'Acme & <Sons>');
    const stored = await gateway.database.prisma.startup.findUnique({ where: { slug: 'acme' } });
    expect(textOf(acme, 'published')).toBe(stored?.createdAt.toISOString());
  });

  it('keeps the id of a startup that changes, with a new time, and gets one for each that is new', async () => {
    const { key } = await newKey(LIST);
    const before = entries((await get(LIST, key)).text);
    await insertRecords(gateway.database, [record('new', { onSale: true, name: 'New' })]);
    await rename('other', 'Other two');
    await waitFor(LIST, key, 'New', 'Other two', 'Acme & <Sons>');
    const after = entries((await get(LIST, key)).text);
    const [was, is] = [entryOf(before, 'Other'), entryOf(after, 'Other two')];
    expect(textOf(is, 'id')).toBe(textOf(was, 'id'));
    expect(Date.parse(textOf(is, 'updated') ?? '')).toBeGreaterThan(Date.parse(textOf(was, 'updated') ?? ''));
    expect(before.map((entry) => textOf(entry, 'id'))).not.toContain(textOf(entryOf(after, 'New'), 'id'));
    const times = after.map((entry) => textOf(entry, 'updated') ?? '');
    expect(times).toEqual(times.toSorted().reverse());
  });

  it('has at most 50 entries, of several pages, and costs what its document costs', async () => {
    const { key } = await newKey(PAGES);
    const { text, headers } = await get(PAGES, key);
    expect(entries(text)).toHaveLength(50);
    expect([headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']]).toEqual(['1000', '994']);
  });

  it('is valid without entries too', async () => {
    const none = '{ startups(filter: { minRevenue: 900000000000 }) { nodes { slug name updatedAt } } }';
    const { key } = await newKey(none);
    expect(entries((await get(none, key)).text)).toEqual([]);
  });

  it('stays valid whatever records say', async () => {
    const { key } = await newKey(LIST);
    const list = entries((await get(LIST, key)).text);
    const hostile = entryOf(list, ']]></content><script>');
    expect(textOf(hostile, 'content')).toContain('<script>alert(1)</script>&bogus; <!-- "\'');
    expect(href(entryOf(list, 'Script'))).toBeUndefined();
  });

  it('has each text of a record in one line, so that it cannot pose as a figure, and none for a blank text', async () => {
    const { key } = await newKey(LIST);
    const list = entries((await get(LIST, key)).text);
    const forged = entryOf(list, 'Forged revenue.mrr $9');
    expect(textOf(forged, 'content')?.split('\n')).toEqual([
      'Slug: forged',
      'Name: Forged revenue.mrr $9',
      expect.stringMatching(/^Updated at: /),
      'Description: Good. askingPrice $1 growth30d 900%',
      'MRR: $80',
      'Tech stack: Go askingPrice $2',
    ]);
    const blank = textOf(entryOf(list, 'blank'), 'content');
    expect(blank).not.toMatch(/^(name|description)/im);
  });

  it('writes any text as XML that reads as the same text', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.nat(0x10ffff).map((code) => String.fromCodePoint(code)) }), (text) => {
        const read = parseXml(`<title xmlns="http://www.w3.org/2005/Atom">${xmlText(text)}</title>`);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: those that XML does not allow.
        const unfit = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ud800-\udfff\ufffe\uffff]/gu;
        // XML has one kind of line end.
        expect(read.text).toBe(text.replace(unfit, '').replace(/\r\n?/g, '\n'));
      }),
    );
  });
});

describe('a feed is refused', () => {
  const refused = async (path: string, more: CallOptions = {}) => {
    const { status, json, headers } = await gateway.call(path, more);
    expect(headers['cache-control']).toBe('no-store');
    return [status, json.error.code, json.error.message];
  };

  it('for documents that have none, and unknown ones', async () => {
    const { id, key } = await gateway.key({ origins: [PAGE] });
    await gateway.publish(id, LIST);
    for (const path of [pathOf(LIST, key), pathOf(CHANGES, key)]) {
      expect((await refused(path)).slice(0, 2)).toEqual([404, 'DOCUMENT_NOT_FOUND']);
    }
    const publish = async (withFeeds: boolean) => {
      const acting = { ...gateway.acting, check: checkDocument };
      await publishDocuments(acting, id, [{ text: LIST }], withFeeds);
      await clock.advance(1_000);
    };
    await publish(true);
    expect((await get(LIST, key)).status).toBe(200);
    expect((await gateway.call(pathOf(LIST, key).replace('/feeds/', '/feeds/sha256:'))).status).toBe(200);
    await publish(false);
    expect((await refused(pathOf(LIST, key)))[0]).toBe(404);
    // The document itself still works.
    const path = `/graphql?documentId=${hashDocument(LIST)}`;
    expect((await gateway.call(path, { key, headers: { origin: PAGE } })).status).toBe(200);
    expect((await refused(`/feeds/made-up.atom?key=${key}`)).slice(0, 2)).toEqual([404, 'NOT_FOUND']);
  });

  it('with 410 for one of changes, and a sentence that says what replaces it', async () => {
    const { id, key } = await gateway.key({ origins: [PAGE] });
    await gateway.publish(id, CHANGES);
    // Such a document could have a feed before.
    await gateway.database.prisma.trustedDocument.updateMany({ data: { feed: true } });
    const message = expect.stringMatching(/^Feeds of changes were removed: publish .+ UPDATED_DESC, or read/);
    expect(await refused(pathOf(CHANGES, key))).toEqual([410, 'GONE', message]);
  });

  it('without an embed key, with an unknown, a revoked or a secret one', async () => {
    const secret = await gateway.key();
    const { id, key } = await newKey(LIST);
    const unknown = `${key.slice(0, -1)}${key.endsWith('x') ? 'y' : 'x'}`;
    for (const query of ['', `?key=${secret.key}`, `?key=${unknown}`]) {
      const path = `/feeds/${hashDocument(LIST)}.atom${query}`;
      const { status, headers, json } = await gateway.call(path, { key: secret.key });
      expect([status, headers['www-authenticate']]).toEqual([401, 'Bearer error="invalid_token"']);
      expect(json.error.message).toContain('A feed needs an embed key in its address: ?key=rvg_pub_…');
    }
    const rotated = await rotateKey(gateway.acting, id, '24h');
    expect((await get(LIST, rotated.key)).status).toBe(200);
    await revokeKey(gateway.acting, id);
    await clock.advance(1_000);
    expect((await refused(pathOf(LIST, key))).slice(0, 2)).toEqual([401, 'UNAUTHENTICATED']);
  });

  it('with other parameters or methods', async () => {
    const { key } = await newKey(LIST);
    const message = 'since: unknown parameter, allowed: key';
    expect(await refused(`${pathOf(LIST, key)}&since=1`)).toEqual([400, 'BAD_USER_INPUT', message]);
    const { status, headers } = await get(LIST, key, { method: 'POST' });
    expect([status, headers.allow]).toEqual([405, 'GET, HEAD']);
  });

  it('once the limit of a client is used up', async () => {
    const limited = await openTestGateway({ clock, records: [record('one')], limits: 1 });
    const { id, key } = await limited.key({ origins: [PAGE] });
    await limited.publishFeeds(id, LIST);
    expect((await limited.call(pathOf(LIST, key))).status).toBe(200);
    const { status, headers, json } = await limited.call(pathOf(LIST, key));
    expect([status, headers['retry-after'], json.error.code]).toEqual([429, '60', 'RATE_LIMITED']);
    expect(limited.logs.some((line) => line.includes('"surface":"feed"') && !line.includes(key))).toBe(true);
    expect(limited.logs.join('')).not.toContain(key);
  });
});

describe('publishing with a feed', () => {
  it.each([
    ['query A { dataset { total } }', 'a feed needs a list: read startups.'],
    ['{ startups { nodes { slug } } }', 'add name, updatedAt to nodes { … } or page { … }'],
    ['{ startups { nodes { slug name at: updatedAt } } }', 'without aliases: add updatedAt'],
    ['{ startups { meta { total } } }', 'add slug, name, updatedAt'],
    ['query ($n: Int!) { startups(page: $n) { nodes { slug name updatedAt } } }', 'give $n a default.'],
    ['{ changes { edges { node { slug kind at } } } }', 'a feed needs a list: read startups.'],
    ['query A { __typename } query B { __typename }', 'a feed needs a document of one operation.'],
  ])('refuses %s', async (text, message) => {
    const { id } = await gateway.key({ origins: [PAGE] });
    await expect(gateway.publishFeeds(id, text)).rejects.toThrow(message);
  });

  it('is for embed keys, and changes what is published already only when it is asked for', async () => {
    const { id } = await gateway.key();
    await expect(gateway.publishFeeds(id, LIST)).rejects.toThrow('is a secret key');
    const embed = await newKey(LIST);
    expect(await gateway.publish(embed.id, LIST)).toMatchObject([{ isNew: false }]);
    await clock.advance(1_000);
    expect((await get(LIST, embed.key)).status).toBe(200);
  });
});

import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';

const clock = createTestClock();
const gateway = await openTestGateway({
  clock,
  records: [record('one', { onSale: true, category: 'ai', askingPrice: 1_234_500 }), record('two')],
});

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

/** The startups that the first page lists, by their links. */
const listed = (text: string): string[] =>
  [...text.matchAll(/<th scope="row"><a href="\/dashboard\/explorer\/([^"]*)"/g)].map(
    ([, slug = '']) => slug,
  );

/** The code of an element. */
const codeIn = (text: string, id: string): string =>
  textIn(
    text
      .split(`<code id="${id}"`)[1]
      ?.replace(/^[^>]*>/, '')
      .split('</code>')[0] ?? '',
  );

describe('the first page', () => {
  it('says what is for sale, with a filter that leads to it, and shows a request in each language', async () => {
    const { status, headers, text } = await gateway.call('/', { headers: BROWSER });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src/);
    for (const path of ['/docs', '/graphql', '/policy', '/dashboard/sign-up', '/dashboard/sign-in']) {
      expect(text).toContain(`href="${path}"`);
    }
    for (const language of ['curl', 'javascript', 'python', 'graphql']) {
      expect(text).toContain(`<code id="${language}">`);
    }
    expect(textIn(text)).toMatch(/2 startups, 1 for sale.*Invented sample data.*Median price \$12,345/s);
    const [, form = ''] = /<form action="\/dashboard\/explorer" method="get"(.*?)<\/form>/s.exec(text) ?? [];
    const fields = [...form.matchAll(/ name="([^"]*)"/g)].map(([, name]) => name);
    expect(fields).toEqual(['onSale', 'category', 'maxPriceDollars']);
    // No address of a startup, and no script in the page itself.
    expect(text).not.toContain('one.example');
    expect(text).not.toMatch(/<script(?! src="\/assets\/)/);
  });

  it('lists startups in three orders, whose names lead to them', async () => {
    const slugs = async (order: string) => listed((await gateway.call(`/?order=${order}`)).text).toSorted();
    expect([await slugs(''), await slugs('constructor')]).toEqual([['one'], ['one']]);
    expect(await slugs('largest')).toEqual(['one', 'two']);
    expect(await slugs('newest')).toEqual(['one', 'two']);
  });

  it('shows the response that its request gets', async () => {
    const { text } = await gateway.call('/');
    const { key } = await gateway.key();
    const { json } = await gateway.graphql(codeIn(text, 'graphql'), {}, { key });
    const [, response = ''] = /aria-label="Response"><code>(.*?)<\/code>/s.exec(text) ?? [];
    expect(JSON.parse(textIn(response))).toEqual({ data: json.data });
  });

  it('says when data was imported', async () => {
    const database = await openTestDatabase();
    const counts = { created: 1, updated: 0, unchanged: 0, rejected: 0, removed: 0 };
    const run = { sources: ['a.csv'], importedBy: 'command', durationMs: 1 };
    await database.prisma.import.create({ data: { ...run, ...counts } });
    const { call } = await openTestGateway({ database });
    expect(textIn((await call('/')).text)).toMatch(/Updated\s*today/);
  });

  it.each([
    ['two', '+25% in 10 days'],
    ['two three', undefined],
  ])('says how startups of both days have grown, unless %s are most of them', async (added, growth) => {
    const records = ['one', ...added.split(' ')].map((slug) => record(slug));
    const { database, call } = await openTestGateway({ records });
    await database.pool.query(
      `WITH past AS (INSERT INTO startup_points
         SELECT id, current_date - 10, 8000, 6400, 0, 1, 1, NULL, false, NULL FROM startups WHERE slug = 'one')
       INSERT INTO market_days SELECT day, '', n, 0, n * 8000, 8000, n * 6400, 6400
       FROM (VALUES (current_date - 10, 1), (current_date, 3)) AS of (day, n)
       ON CONFLICT (category, day) DO UPDATE SET mrr_sum = excluded.mrr_sum`,
    );
    const text = textIn((await call('/')).text);
    expect(text).toContain('Invented sample data');
    expect(/[+−][\d,.]+% in \d+ days/.exec(text)?.[0]).toBe(growth);
  });

  it('shows the startups as they are after a change', async () => {
    for (const mrr of [777_00, 1_234_500_00]) {
      await gateway.database.pool.query(`UPDATE startups SET revenue_mrr = ${mrr} WHERE slug = 'two'`);
      await expect
        .poll(async () => {
          await clock.advance(1_000);
          return (await gateway.call('/')).text;
        })
        .toContain(`<span class="number">${mrr}</span>`);
    }
  });

  it('shows no startup where an operator shows none or has none', async () => {
    const hiding = await openTestGateway({
      records: [record('one')],
      app: { service: { name: 'revgate', hidesRows: true } },
    });
    for (const [{ call }, total] of [
      [hiding, '1 startup'],
      [await openTestGateway(), '0 startups'],
    ] as const) {
      const { text } = await call('/', { headers: BROWSER });
      expect(textIn(text)).toContain(total);
      expect(text).not.toContain('ONE');
      expect(text).not.toContain('href="/dashboard/explorer/');
      expect(text).not.toContain('aria-label="Response"');
    }
  });

  it('has charts that end on the current day, however long ago the process started, and can be embedded', async () => {
    const midnight = Date.UTC(2026, 2, 2);
    let time = midnight - 60_000;
    const { database, call } = await openTestGateway({ now: () => time });
    await database.pool.query(
      `INSERT INTO market_days SELECT day, '', 1, 0, 100, 100, 100, 100
       FROM unnest(ARRAY['2026-02-20', '2026-03-01', '2026-03-02', '2026-03-03']::date[]) AS day`,
    );
    const lastDay = async () =>
      textIn((await call('/')).text)
        .match(/2026-\d\d-\d\d/g)
        ?.at(-1);
    expect(await lastDay()).toBe('2026-03-01');
    time = midnight;
    expect(await lastDay()).toBe('2026-03-02');
    time += 86_400_000;
    expect(await lastDay()).toBe('2026-03-03');
    for (const value of ['mrr.sum', 'revenue.sum', 'mrr.median', 'onSale']) {
      expect((await call('/')).text).toContain(`href="/dashboard/embed?show=chart&amp;value=${value}"`);
    }
  });

  it.each(['/favicon.ico', '/favicon.svg'])('has the icon that browsers look for: %s', async (path) => {
    const { status, headers } = await gateway.call(path);
    expect([status, headers['content-type']]).toEqual([200, 'image/svg+xml']);
  });
});

it('the client is a module with its version and license, and a package as the build packed it', async () => {
  const script = await gateway.call('/client.js');
  expect(script.headers['content-type']).toBe('text/javascript; charset=utf-8');
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  expect(script.text).toMatch(`/*! revgate-client ${version}, MIT license */\n`);
  const { createClient } = await import(`data:text/javascript,${encodeURIComponent(script.text)}`);
  expect(() => createClient({})).toThrow('url: missing');
  const packed = await gateway.raw('/revgate-client.tgz', {});
  expect(packed.headers['content-type']).toBe('application/gzip');
  expect(Buffer.from(packed.body).equals(readFileSync('dist/revgate-client.tgz'))).toBe(true);
});

it('the script of the elements takes at most 15 kB', async () => {
  const { body } = await gateway.raw('/embed.js', { headers: { 'accept-encoding': 'gzip' } });
  expect(body.length).toBeLessThanOrEqual(15_000);
});

describe('the path of a page with a slash at its end', () => {
  it.each([
    ...['/docs', '/docs/errors?a=b&c=%2F', '/policy', '/openapi.json', '/health', '/dashboard', '/'],
    ...['/dashboard/keys?ended=2', '/dashboard/usage/key_0123456789AB'],
  ])('redirects to the page: %s', async (location) => {
    const path = location.replace(/(?=\?|$)/, '/');
    for (const method of ['GET', 'HEAD']) {
      const { status, headers } = await gateway.call(path, { method, headers: BROWSER });
      expect([path, status, headers.location]).toEqual([path, 308, location]);
    }
  });

  it('leads nowhere else, and the API has no such paths', async () => {
    const { key } = await gateway.key();
    for (const [path, status] of [
      ['/', 200],
      ...['//evil.example/', '/\\evil.example/', '/docs//', '/nowhere/', '/*/'].map((one) => [one, 404]),
      ...['/graphql/', '/api/v1/startups/', '/api/v1/'].map((one) => [one, 404]),
      ...['/dashboard//evil.example/', '/dashboard/../docs/'].map((one) => [one, 503]),
    ] as [string, number][]) {
      const answer = await gateway.call(path, { key });
      expect([path, answer.status, answer.headers.location]).toEqual([path, status, undefined]);
    }
    expect((await gateway.call('/docs/', { method: 'POST' })).status).toBe(404);
  });
});

it('the policy is a page for browsers, and a text for programs', async () => {
  const page = await gateway.call('/policy', { headers: BROWSER });
  expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
  expect(page.headers.vary).toBe('Accept, Accept-Encoding, Cookie');
  expect(page.text).toMatch(/<h1>Acceptable-use policy<\/h1>/);
  const text = await gateway.call('/policy');
  expect(text.headers['content-type']).toBe('text/markdown; charset=utf-8');
  expect(text.text).toBe('Be fair.');
});

it('the header of every page has the same menu of the account once signed in', async () => {
  for (const path of ['/', '/docs', '/graphql', '/policy', '/nowhere']) {
    const links = async (cookie: string) => {
      const { text } = await gateway.call(path, { headers: { ...BROWSER, cookie } });
      const [, nav = ''] = /<nav class="wide access"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
      return [...nav.matchAll(/ href="\/dashboard\/([^"]*)"/g)].map(([, name]) => name);
    };
    expect(await links('a=b')).toEqual(['sign-in', 'sign-up']);
    expect(await links('a=b; revgate.session_token=c')).toEqual(['account', 'sign-out']);
  }
});

describe('a page that does not exist', () => {
  it('is HTML for browsers, with the path as text', async () => {
    const { status, headers, text } = await gateway.call('/<b>nowhere', { headers: BROWSER });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('&lt;b&gt;nowhere');
  });

  it('is JSON for programs, and everywhere under the API', async () => {
    for (const [path, status, headers] of [
      ['/nowhere', 404, {}],
      ['/nowhere', 404, { accept: 'application/json' }],
      ['/api/v1/startups', 401, BROWSER],
    ] as const) {
      const answer = await gateway.call(path, { headers });
      expect(answer.status).toBe(status);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    }
  });
});

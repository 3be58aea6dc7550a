import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { openWeb } from '../../../src/web/open.ts';
import { createTestClock } from '../../support/clock.ts';
import { openTestDatabase } from '../../support/database.ts';
import { openTestGateway } from '../../support/gateway.ts';
import { textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { openSite } from '../dashboard/site.ts';

const clock = createTestClock();
const gateway = await openTestGateway({
  clock,
  records: [
    record('one', { onSale: true, category: 'ai', askingPrice: 1_234_500 }),
    record('two', { category: 'saas' }),
  ],
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
  it('says what the data has, and shows a request in each language', async () => {
    const { status, headers, text } = await gateway.call('/', { headers: BROWSER });
    expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src/);
    const links = ['/docs', '/graphql', '/policy', '/dashboard/sign-up?next=/dashboard/keys/new'];
    for (const path of [...links, '/dashboard/sign-in']) {
      expect(text).toContain(`href="${path}"`);
    }
    for (const language of ['curl', 'javascript', 'python', 'graphql']) {
      expect(text).toContain(`<code id="${language}">`);
    }
    expect(textIn(text)).toMatch(
      /for buyers and investors.*Startups\s*2\s*For sale\s*1\s*Median price\s*\$12,345.*Invented sample/s,
    );
    // No address of a startup, and no script in the page itself.
    expect(text).not.toContain('one.example');
    expect(text).not.toMatch(/<script(?! src="\/assets\/)/);
  });

  const slugs = async (query: string) => listed((await gateway.call(`/?${query}`)).text).toSorted();

  it('lists what is for sale in three orders, and all startups on demand', async () => {
    for (const query of ['', 'order=deals', 'order=largest', 'order=newest', 'onSale=true']) {
      expect([query, await slugs(query)]).toEqual([query, ['one']]);
    }
    for (const order of ['largest', 'newest', 'deals']) {
      expect(await slugs(`onSale=any&order=${order}`)).toEqual(['one', 'two']);
      expect(await slugs(`onSale=false&order=${order}`)).toEqual(['two']);
    }
    // Best deals are for sale: of others, the page has the largest.
    const { text } = await gateway.call('/?onSale=any&order=deals');
    expect(text).toContain('aria-current="page">Largest</a>');
    expect(text).toContain('href="/?onSale=true&amp;order=deals#startups"');
  });

  it('filters by category, of which it counts those with the sale status', async () => {
    expect([await slugs('category=ai'), await slugs('category=ai&onSale=false')]).toEqual([['one'], []]);
    expect(await slugs('category=saas&onSale=any')).toEqual(['two']);
    const options = async (query: string) =>
      [...(await gateway.call(`/?${query}`)).text.matchAll(/<option value="([^"]+)"( selected="")?>/g)].map(
        ([, value, selected]) => `${value}${selected ? '*' : ''}`,
      );
    expect(await options('')).toEqual(['ai', 'true*', 'false', 'any']);
    expect(await options('onSale=false')).toEqual(['saas', 'true', 'false*', 'any']);
    expect(await options('category=ai&onSale=false')).toEqual(['ai*', 'saas', 'true', 'false*', 'any']);
    expect(textIn((await gateway.call('/?category=ai')).text)).toContain('Artificial Intelligence (1)');
  });

  it.each(['category=robots&onSale=1&order=constructor', 'category=&category=ai&page=2'])(
    'shows the page as it is without a query for values that no page has: %s',
    async (query) => {
      expect([query, await slugs(query)]).toEqual([query, ['one']]);
    },
  );

  it('is in search engines without its query alone', async () => {
    const { headers } = await gateway.call('/', { headers: BROWSER });
    expect(headers['x-robots-tag']).toBeUndefined();
    for (const query of ['category=ai', 'order=newest', 'page=2']) {
      expect((await gateway.call(`/?${query}`, { headers: BROWSER })).headers['x-robots-tag']).toBe(
        'noindex',
      );
    }
  });

  it('never has a second page, and says what needs an account', async () => {
    const records = Array.from({ length: 12 }, (_, at) =>
      record(`n${at}`, { category: at < 11 ? 'ai' : 'saas' }),
    );
    const many = await openTestGateway({ records });
    const show = async (query: string) => (await many.call(`/?${query}`)).text;
    for (const query of ['', 'page=2', 'after=abc', 'limit=10&page=2']) {
      expect(listed(await show(query))).toEqual(listed(await show('')));
    }
    // Nothing is for sale.
    expect(listed(await show(''))).toHaveLength(10);
    expect(textIn(await show(''))).toMatch(
      /The first 10 of\s*12 startups.*Explore all 12 with a free account/s,
    );
    const category = await show('category=ai');
    expect(textIn(category)).toMatch(/The first 10 of\s*11 startups\s*in Artificial Intelligence/);
    expect(category).toMatch(
      /href="\/dashboard\/explorer\?category=ai&amp;sort=revenue-desc">Explore all 11 with a free account/,
    );
    expect(textIn(await show('category=saas'))).toContain('Explore all 12 with a free account');
    const cookie = 'revgate.session_token=c';
    const own = textIn((await many.call('/', { headers: { cookie } })).text);
    expect(own).toContain('Explore all 12');
    expect(own).not.toContain('account needed');
    expect(own).not.toContain('free account');
  });

  it('promises no account where only invited people get one', async () => {
    const invited = await openSite({ settings: { isInvitedOnly: true }, records: [record('one')] });
    const text = textIn((await invited.call('/')).text);
    expect(text).toContain('Sign in to explore all 1');
    expect(text).not.toContain('free account');
  });

  it('reads each list once for an edition, however many clients ask in however many ways', async () => {
    const run: string[] = [];
    const web: typeof openWeb = ({ engine, ...options }) =>
      openWeb({
        ...options,
        engine: {
          ...engine,
          run: (operation, ...others) => {
            run.push(operation.params.query);
            return engine.run(operation, ...others);
          },
        },
      });
    const { call, database } = await openTestGateway({
      clock,
      records: [record('one', { category: 'saas' })],
      app: { web },
    });
    const [filtered, every] = ['category=saas&onSale=any&order=newest', 'onSale=any&order=newest'];
    const ways = Array.from({ length: 20 }, (_, at) => [
      `${filtered}&a=${at}`,
      `${every}&category=robots${at}`,
    ]);
    await Promise.all(
      ways.flat().map((query) => call(`/?${query}`, { isDisconnected: query === ways[0]?.[0] })),
    );
    // What all lists have in common, and two lists.
    expect(run).toHaveLength(5);
    await Promise.all(ways.flat().map((query) => call(`/?${query}`)));
    expect(run).toHaveLength(5);
    await database.pool.query('UPDATE startups SET customers = customers + 1');
    await expect
      .poll(async () => {
        await clock.advance(1_000);
        await call(`/?${filtered}`);
        return run.length;
      })
      .toBe(9);
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
    expect(text).toContain('Invented sample');
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
      [hiding, /Explore all 1 with.*Startups\s*1\D/s],
      [await openTestGateway(), /Explore startups with.*Startups\s*0\D/s],
    ] as const) {
      const { text } = await call('/', { headers: BROWSER });
      expect(textIn(text)).toMatch(total);
      expect(text).not.toContain('data-apply');
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
      expect((await call('/')).text).toContain(`href="/dashboard/embeds/new?show=chart&amp;value=${value}"`);
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
    '/docs',
    '/docs/errors?a=b&c=%2F',
    '/policy',
    '/openapi.json',
    '/health',
    '/dashboard',
    '/',
    '/dashboard/keys?ended=2',
    '/dashboard/usage/key_0123456789AB',
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

it('the page of the policy begins with its rules, if they have names', async () => {
  const text =
    '# Fair use\n\nVersion: 2026-11-20\n\nHello.\n\n## Rules\n\n1. **Be fair.** Or not.\n2. **Be kind.** Please.';
  const site = await openTestGateway({ policy: { version: '2026-11-20', text } });
  const page = await site.call('/policy', { headers: BROWSER });
  expect(textIn(page.text)).toMatch(/In short\s*Rules:\s*Be fair\s*Be kind.*Hello\..*Or not\./s);
  expect((await site.call('/policy')).text).toBe(text);
  expect(textIn((await gateway.call('/policy', { headers: BROWSER })).text)).not.toContain('In short');
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

it.each(['/', '/docs', '/graphql', '/policy', '/nowhere'])(
  'the header of every page has the same menu of the account once signed in: %s',
  async (path) => {
    const links = async (cookie: string) => {
      const { text } = await gateway.call(path, { headers: { ...BROWSER, cookie } });
      const [, nav = ''] = /<nav class="wide access"[^>]*>(.*?)<\/nav>/s.exec(text) ?? [];
      return [...nav.matchAll(/ href="\/dashboard\/([^"]*)"/g)].map(([, name]) => name);
    };
    expect(await links('a=b')).toEqual(['sign-in', 'sign-up?next=/dashboard/keys/new']);
    expect(await links('a=b; revgate.session_token=c')).toEqual(['account', 'sign-out']);
  },
);

describe('a page that does not exist', () => {
  it('is HTML for browsers, with the path as text', async () => {
    const { status, headers, text } = await gateway.call('/<b>nowhere', { headers: BROWSER });
    expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8']);
    expect(text).toContain('&lt;b&gt;nowhere');
  });

  it.each([
    ['/nowhere', 404, {}],
    ['/nowhere', 404, { accept: 'application/json' }],
    ['/api/v1/startups', 401, BROWSER],
  ] as const)('is JSON for programs, and everywhere under the API: %s', async (path, status, headers) => {
    const answer = await gateway.call(path, { headers });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });
});

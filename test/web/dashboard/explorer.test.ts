import { describe, expect, it } from 'vitest';
import { listParameters } from '../../../src/startups/model/requests/list-parameters.ts';
import { categories } from '../../../src/startups/model/vocabulary.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { PAGES_PER_MINUTE } from '../../../src/web/dashboard/access.ts';
import { shownColumns, tableColumns } from '../../../src/web/dashboard/explorer/columns.tsx';
import { groupView } from '../../../src/web/dashboard/explorer/groups.tsx';
import { csvOf as resultsCsv } from '../../../src/web/dashboard/explorer/results-table.tsx';

import { scatter } from '../../../src/web/dashboard/explorer/scatter.tsx';
import { moneyText } from '../../../src/web/shared/figures.tsx';
import { type Html, render } from '../../../src/web/shared/jsx.ts';
import type { Answer } from '../../support/gateway.ts';
import { decoded, textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { ORIGIN, openSite, textOf } from './site.ts';

const PATH = '/dashboard/explorer';
/** More digits than an amount may have. */
const NINES = '9'.repeat(21);
const HOSTILE = '"><script>alert(1)</script>&amp;';

const site = await openSite({
  limits: { standard: 10, premium: 60 },
  records: [
    ...sampleStartups({ count: 200, seed: 1 }),
    record('hostile', {
      name: HOSTILE,
      description: HOSTILE,
      website: 'https://hostile.example/?a="><script>',
      icon: 'https://hostile.example/icon.png',
      revenue: { last30Days: 9_007_199_254_740_991, mrr: 0, total: 1 },
      growth30d: -12.5,
      onSale: true,
      askingPrice: 123_456_789,
    }),
  ],
});
const ada = await site.member('ada@example.com');
const { key } = await site.key({ tier: 'premium' });

/** A page in a minute of its own. */
const see = async (query: string): Promise<Answer> => {
  site.nextMinute();
  return ada.get(`${PATH}${query}`);
};

const csvOf = (startup: object): string =>
  resultsCsv(
    tableColumns(shownColumns(['country', 'payback', 'listed']), () => null, 0),
    [{ revenue: {}, ...startup } as never],
  );

const snippet = (answer: Answer, id: string): string =>
  textIn(textOf(answer, new RegExp(`<code id="${id}">([\\s\\S]*?)</code>`)) ?? '');
/** The URL that all samples of REST send their request to. */
const restUrl = (answer: Answer): string => /"([^"]*)"/.exec(snippet(answer, 'curl'))?.[1] ?? '';
/** The choices of the menu that is open, each with its count. */
const countsOn = ({ text }: Answer): [value: string, count: number][] =>
  [
    ...text.matchAll(
      /name="[a-zA-Z]+" value="([^"]*)"[^>]*><span class="label">[^<]*<\/span><span class="count"><svg[\s\S]*?<\/svg>(\d+)</g,
    ),
  ].map(([, value = '', count]) => [value, Number(count)]);
const shownSlugs = ({ text }: Answer): string[] =>
  [
    ...text.matchAll(
      /<th scope="row">(?:<form[\s\S]*?<\/form>)?<span[^>]*>[^<]*<\/span><a href="\/dashboard\/explorer\/([a-z0-9-]+)"/g,
    ),
  ].map(([, slug]) => slug ?? '');

describe('the explorer', () => {
  it.each([
    '',
    '?category=ai',
    '?onSale=true',
    '?onSale=true&sort=price-asc&limit=3&page=2',
    '?minGrowth=0.1&maxGrowth=0.5&sort=growth-desc',
    '?minRevenue=100000&maxMrr=5000000&fundingStatus=bootstrapped',
    '?teamSize=51%2B',
    '?xHandle=%40nobody',
    '?slug=nobody-has-this,nor-this',
    '?page=4000',
  ])('%s is what the REST URL and the GraphQL query beside it give', async (query) => {
    const answer = await see(query);
    expect(answer.status).toBe(200);
    const slugs = shownSlugs(answer);
    const url = restUrl(answer);
    expect(url).toBe(`${ORIGIN}/api/v1/startups${query}`);
    const rest = await site.call(url.slice(ORIGIN.length), { key });
    expect(rest.status).toBe(200);
    expect(rest.json.data.map((one: { slug: string }) => one.slug)).toEqual(slugs);

    const graphql = await site.graphql(snippet(answer, 'graphql'), {}, { key });
    expect(graphql.json.errors).toBeUndefined();
    const { page, meta, stats } = graphql.json.data.startups;
    expect(page.map((one: { slug: string }) => one.slug)).toEqual(slugs);
    expect(meta).toEqual(rest.json.meta);
    expect(Object.keys(stats)).toEqual(['revenue', 'mrr', 'growth', 'price']);
    for (const language of ['curl', 'python']) {
      expect(snippet(answer, language)).toContain(`"${url}"`);
    }
  });

  it('is one startup, the same in REST and GraphQL', async () => {
    const answer = await see('/hostile');
    expect(answer.status).toBe(200);
    const rest = await site.call(restUrl(answer).slice(ORIGIN.length), { key });
    expect(rest.json.data.slug).toBe('hostile');
    const graphql = await site.graphql(snippet(answer, 'graphql'), {}, { key });
    expect(graphql.json.errors).toBeUndefined();
    expect(Object.keys(graphql.json.data.startup)).toEqual(Object.keys(rest.json.data));
  });

  it('is the history of a startup, as REST gives it with every day filled', async () => {
    const { id } = await site.database.prisma.startup.findUniqueOrThrow({ where: { slug: 'hostile' } });
    const [line = ''] = /class="line" d="[^"]*"/.exec((await see('/hostile')).text) ?? [];
    // At the same time of the same clock, which may be past midnight.
    const { data } = (await site.call('/api/v1/startups/hostile/history?fill=true', { key })).json;
    expect(line.match(/H/g)).toHaveLength(data.length);
    await site.database.prisma.startupPoint.deleteMany({ where: { startupId: id } });
    expect((await see('/hostile')).text).toContain('There are no figures for these days.');
  });

  it('says how a startup is verified and what it costs, shows similar ones, and hides what is unknown', async () => {
    const query =
      '{ startups(filter: { onSale: true, minMultiple: 0.5 }) { page { slug category website xHandle revenue { mrr } } } }';
    const { json } = await site.graphql(query, {}, { key });
    const { slug, category, website, xHandle, revenue } = json.data.startups.page.find(
      (one: Record<string, unknown>) => !Object.values(one).includes(null),
    );
    const answer = await see(`/${slug}`);
    const buttons = [...answer.text.matchAll(/<a class="button second" href="(http[^"]*)"/g)];
    expect(buttons.map(([, url]) => url)).toEqual([website, `https://x.com/${xHandle}`]);
    expect(textIn(answer.text)).toMatch(/✓ Verified by [A-Z]/);
    expect(textIn(answer.text)).toMatch(/For sale · \$[\d.,]+M? · [\d.,]+× · payback [\d.]+ (months|years)/);
    // Similar ones are the nearest by MRR, from below and from above.
    const similar = shownSlugs(answer);
    expect(similar).not.toContain(slug);
    const lists = await Promise.all(
      ['maxMrr', 'minMrr'].map((bound) => {
        const sort = bound === 'maxMrr' ? 'mrr-desc' : 'mrr-asc';
        const value = category.toLowerCase().replaceAll('_', '-');
        const list = `/api/v1/startups?category=${value}&${bound}=${revenue.mrr}&sort=${sort}&limit=5`;
        return site.call(list, { key });
      }),
    );
    type Row = { slug: string; revenue: { mrr: number } };
    const mrrOf = new Map(
      lists.flatMap(({ json }) => json.data as Row[]).map((one) => [one.slug, one.revenue.mrr]),
    );
    mrrOf.delete(slug);
    const distances = [...mrrOf.values()].map((mrr) => Math.abs(mrr - revenue.mrr)).sort((a, b) => a - b);
    expect(similar.map((one) => Math.abs((mrrOf.get(one) ?? Number.NaN) - revenue.mrr))).toEqual(
      distances.slice(0, 4),
    );
    expect(answer.text).not.toMatch(/<dd>(<span class="soft">–<\/span>)?<\/dd>/);
  });

  it('has amounts that people can read, and the exact ones with them', async () => {
    const { text } = await see('?onSale=true&minPrice=123456789&maxPrice=123456789');
    expect(text).toContain('<data value="123456789" title="$1,234,567.89">$1.2M</data>');
    expect(text).toContain('>−12.5%</data>');
    expect(
      [0, 425, 94_995, 99_999_949, 99_999_950, 123_456_789_000, -94_995].map((cents) => moneyText(cents)),
    ).toEqual(['$0', '$4.25', '$950', '$999,999', '$1M', '$1.2B', '−$950']);
    // What was typed is not rounded.
    const chips = (await see('?minPrice=100050&maxPrice=120000000&minRevenue=1&maxRevenue=123456789')).text;
    for (const amount of ['$1,000.50–$1.2M', '$0.01–$1,234,567.89']) {
      expect(chips).toContain(`${amount}<span`);
    }
  });

  it('counts what each choice leaves under the other filters', async () => {
    const query = '?category=ai&onSale=false';
    expect(countsOn(await see(query))).toEqual([]);
    const [options, more] = [
      countsOn(await see(`${query}&open=category`)),
      countsOn(await see(`${query}&open=more`)),
    ];
    const counted = new Map([...options, ...more]);
    expect(options.map(([value]) => value)).toEqual(categories);
    for (const [query, value] of [
      ['category=saas&onSale=false', 'saas'],
      ['category=ai&onSale=false&fundingStatus=vc-funded', 'vc-funded'],
    ] as const) {
      const rest = await site.call(`/api/v1/startups?${query}`, { key });
      expect(counted.get(value), query).toBe(rest.json.meta.total);
    }
  });

  it('has a control for each filter, one for all dates, and eight orders', async () => {
    const { text } = await see('?foundedAfter=2020-01-01&sort=customers-asc');
    for (const [name, parameter] of Object.entries(listParameters)) {
      const isShown = parameter.kind === 'instant' ? `<option value="${name}"` : ` id="${name}"`;
      expect(text.includes(isShown), name).toBe(!['page', 'limit'].includes(name));
    }
    for (const value of categories) {
      expect(text).toContain(`name="category" value="${value}"`);
    }
    // The date in force is shown, the others stay as they are.
    expect(text).toMatch(/<option value="foundedAfter" selected/);
    expect(text).toMatch(/id="date"[^>]* value="2020-01-01"/);
    const dated = await see('?listedSince=2026-01-01&dateKind=createdSince&date=2026-02-03');
    expect(dated.headers.location).toBe(`${PATH}?listedSince=2026-01-01&createdSince=2026-02-03`);
    // The default order is listed once, without a value; an order of a heading is one more.
    const [, orders = ''] = /<select id="sort"[^>]*>([\s\S]*?)<\/select>/.exec(text) ?? [];
    expect(orders.match(/<option/g)).toHaveLength(9);
    expect(orders).toContain('<option value="">Highest last-30-days revenue first</option>');
    expect(orders).toMatch(/<option value="customers-asc" selected/);
  });

  it('leaves out a column that is empty in all of its rows', async () => {
    const headings = async (query: string) =>
      [...(await see(query)).text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(
        ([, one]) => one,
      );
    expect(await headings('?onSale=true')).toEqual(expect.arrayContaining(['Asking price', 'Multiple']));
    const without = await headings('?onSale=false&maxMrr=0');
    expect(without).toContain('MRR');
    expect(without).not.toContain('Payback');
  });

  it('searches, and sorts by a click on a heading', async () => {
    const { text } = await see('?search=hostil');
    expect(text).toContain(`href="${PATH}/hostile"`);
    expect(text).toContain('id="search"');
    expect(decoded(/<a id="sort-name" href="([^"]*)"/.exec(text)?.[1] ?? '')).toBe(
      `${PATH}?search=hostil&sort=name-asc`,
    );
    expect(decoded(/<a id="sort-mrr" href="([^"]*)"/.exec(text)?.[1] ?? '')).toBe(
      `${PATH}?search=hostil&sort=mrr-desc`,
    );
    expect((await see('?search=%21')).status).toBe(400);
  });

  it('says when a search matched only with a typing error', async () => {
    const message = 'exactly; these match with one typing error in a word.';
    expect((await see('?search=itineraries')).text).not.toContain(message);
    const { text } = await see('?search=itinararies');
    expect(text).toContain(`No startup matches “itinararies” ${message}`);
    expect((await see('?search=zzzzzzzz')).text).not.toContain(message);
  });

  it('gives the page as CSV whose texts no spreadsheet runs', async () => {
    const { text } = await see('?search=hostil');
    const [, data = ''] = /href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(text) ?? [];
    const [head = '', line = ''] = decodeURIComponent(data).split('\r\n');
    const headings = head.split(',');
    expect(headings.slice(0, 4)).toEqual(['Startup', 'Category', 'Revenue 30d (USD)', 'MRR (USD)']);
    expect(headings).toContain('Growth 30d (%)');
    expect(line).toContain('<script>alert(1)</script>');
    const startup = {
      onSale: true,
      name: '=1+1',
      category: 'say "hi", then',
      askingPrice: 120_050,
      revenue: { mrr: 5 },
    };
    const [header, row] = csvOf({ ...startup, firstListedForSaleAt: '2026-11-01' }).split('\r\n');
    expect(header).toBe(
      'Startup,Category,Revenue 30d (USD),MRR (USD),Growth 30d (%),Asking price (USD),Multiple,Payback,Country,Listed for',
    );
    expect(row).toBe(`'=1+1,"say ""hi"", then",,0.05,,1200.5,,,,2026-11-01`);
  });

  it.each([...'=+-@＝＋－＠\t\r\n'])('gives no text as CSV that begins with %j', (first) => {
    const name = `${first}HYPERLINK()`;
    expect(csvOf({ name, slug: 'a', category: 'AI', country: 'US' })).toMatch(/\r\n"?'/);
  });

  it('keeps stored script as text, and loads nothing from elsewhere', async () => {
    for (const query of ['?onSale=true&minPrice=123456789', '/hostile']) {
      const { text } = await see(query);
      expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toMatch(/\sstyle=|\son\w+=|<script(?! src="\/assets\/)/i);
      for (const [, address] of text.matchAll(/(?:src|srcset|data|action)="([^"]*)"/g)) {
        expect(address).toMatch(/^\/(dashboard|assets)\/|^\/favicon\.svg$/);
      }
      for (const [link, address] of text.matchAll(/<a href="(https?:[^"]*)"[^>]*>/g)) {
        expect(link).toContain('rel="noopener nofollow"');
        expect(address).toContain('hostile.example');
      }
    }
  });

  it('has one address, which a form with empty fields leads to', async () => {
    const answer = await see('?category=ai&xHandle=&minRevenue=+1000+&sort=');
    expect(answer).toMatchObject({
      status: 303,
      headers: { location: `${PATH}?category=ai&minRevenue=1000` },
    });
    expect((await see('?category=&sort=')).headers.location).toBe(PATH);
    // A script gets it without being redirected, with the address that it has; an open menu is no part of the list.
    const asked = `${PATH}?xHandle=&category=ai&columns=&open=more`;
    site.nextMinute();
    const inPlace = await ada.get(asked, { 'x-requested-with': 'fetch' });
    expect(inPlace).toMatchObject({ status: 200, headers: { 'content-location': `${PATH}?category=ai` } });
    expect(inPlace.cookies.join()).toContain('revgate.columns=;');
    expect((await ada.get(asked)).headers.location).toBe(`${PATH}?category=ai&open=more`);
    expect(inPlace.text).toContain(`data-open="more" open=""`);
    expect(inPlace.text).not.toMatch(/href="[^"]*open=more/);
    ada.jar.delete('revgate.columns');
    const { text } = await see('?category=ai&sort=growth-asc');
    expect(text).toMatch(/value="ai" checked=""/);
    expect(decoded(text)).toContain(
      `<a href="${PATH}?category=ai&sort=growth-asc&open=more">Show all choices`,
    );
    expect(text).toContain('aria-sort="ascending"');
    // An order keeps the filters, and begins at the first page.
    const [, sorted] =
      /<a id="sort-mrr" href="([^"]*)"/.exec((await see('?category=ai&limit=1&page=2')).text) ?? [];
    expect(decoded(sorted ?? '')).toBe(`${PATH}?category=ai&limit=1&sort=mrr-desc`);
  });

  it.each([
    [
      ['minRevenueDollars', '$1,200.50', 'minRevenue=120050', '1,200.50'],
      ['maxRevenueDollars', '20000', 'maxRevenue=2000000', '20,000'],
      ['minPriceDollars', '12.5k', 'minPrice=1250000', '12,500'],
      ['maxPriceDollars', '1.2M', 'maxPrice=120000000', '1,200,000'],
      ['minMrrDollars', '-$5', 'minMrr=-500', '-5'],
      ['maxMrrDollars', '007', 'maxMrr=700', '7'],
      ['minGrowthPercent', '-12.5 %', 'minGrowth=-0.125', '-12.5'],
      ['maxGrowthPercent', '0.1', 'maxGrowth=0.001', '0.1'],
      ['maxTotalDollars', '$90,071,992,547', 'maxTotal=9007199254700', '90,071,992,547'],
    ],
    [
      ['minPriceDollars', '0.005', 'minPrice=0.5', '0.005'],
      ['minCustomers', '10K', 'minCustomers=10000', '10,000'],
      ['minGrowthPercent', '-100%', 'minGrowth=-1', '-100'],
      ['maxGrowthPercent', '1,000', 'maxGrowth=10', '1,000'],
    ],
  ])(
    'is filtered in dollars and percent, and has the units of the API in its address: %#',
    async (...fields) => {
      const form = new URLSearchParams({
        category: '',
        sort: '',
        ...Object.fromEntries(fields.map(([field, typed]) => [field, typed])),
      });
      const query = `?${fields.map(([, , parameter]) => parameter).join('&')}`;
      expect((await see(`?${form}`)).headers.location).toBe(`${PATH}${query}`);
      const { status, text } = await see(query);
      expect(status).toBe(200);
      for (const [field, , , shown] of fields) {
        expect(text).toMatch(new RegExp(`name="${field}"[^>]* value="${shown}"`));
      }
    },
  );

  it('has several values of a filter, which its form sends one by one', async () => {
    expect((await see('?category=ai&category=saas&minMrr=1&sort=')).headers.location).toBe(
      `${PATH}?category=ai,saas&minMrr=1`,
    );
    const query = '?category=ai,saas&country=US,DE&paymentProvider=stripe,paddle&limit=3';
    const { text } = await see(query);
    for (const value of ['ai', 'saas', 'US', 'DE', 'stripe', 'paddle']) {
      expect(text).toContain(`value="${value}" checked=""`);
    }
    const rest = await site.call(`/api/v1/startups${query}`, { key });
    expect(rest.json.data).not.toEqual([]);
    expect(shownSlugs({ text } as Answer)).toEqual(rest.json.data.map(({ slug }: { slug: string }) => slug));
  });

  it('reads the history of all rows in one query, and the page says how many pages there are', async () => {
    site.nextMinute();
    site.queries.length = 0;
    const { text } = await ada.get(PATH);
    expect(site.queries.filter((query) => query.includes('startup_points'))).toHaveLength(1);
    expect(text).toMatch(/Page 1 of 21</);
    // No card stands between the figures of the list and its table.
    expect(/class="(card|table)[ "]/.exec(text)?.index).toBe(text.indexOf('class="table results'));
    expect(text).toContain('Download CSV');
  });

  it('draws the MRR of the market and of a category by day', async () => {
    // As if all had been there some days earlier.
    await site.database.pool.query(`
      INSERT INTO startup_points (day, startup_id, revenue_last_30_days, revenue_mrr, revenue_total, customers,
        active_subscriptions, on_sale)
      SELECT day - 3, startup_id, 0, 0, 0, 0, 0, false FROM startup_points ON CONFLICT DO NOTHING`);
    await site.database.pool.query(`
      INSERT INTO market_days (day, category, count, on_sale, revenue_sum, revenue_median, mrr_sum, mrr_median)
      SELECT min(day) - 3, of.category, 1, 0, 0, 0, of.mrr, of.mrr FROM startup_points,
        (VALUES ('', 700), ('ai', 300)) AS of (category, mrr) GROUP BY of.category, of.mrr ON CONFLICT DO NOTHING`);
    const trendOf = async (query: string) =>
      /<dt>(MRR[^<]*)<\/dt><dd><data value="(\d+)"[^>]*>[^<]*<\/data> <svg class="spark/
        .exec((await see(query)).text)
        ?.slice(1);
    const lastOf = async (query: string) =>
      String((await site.call(`/api/v1/market${query}`, { key })).json.data.at(-1).mrr.sum);
    expect(await trendOf('')).toEqual(['MRR, 60 days', await lastOf('')]);
    expect(
      (await see('?sort=growth-desc')).text.match(/<td class="number trend"[^>]*><svg class="spark/g),
    ).toHaveLength(10);
    for (const view of ['table', 'groups']) {
      expect(await trendOf(`?category=ai${view === 'table' ? '' : `&view=${view}`}`)).toEqual([
        'MRR, 60 days',
        await lastOf('?category=ai'),
      ]);
    }
    expect(await trendOf('?onSale=true')).toBeUndefined();
  });

  it('says what best deals are, and pays back a price by a margin that is known', async () => {
    const { text } = await see('?onSale=true&minMultiple=0.5');
    expect(textIn(text)).toContain(
      'Best deals have the lowest price ÷ yearly profit, adjusted for growth. Where the margin is unknown, 50% is assumed.',
    );
    expect(text).toMatch(/aria-sort="ascending"><a id="sort-payback"/);
    const cells = [...text.matchAll(/<td class="number payback[^>]*>(?:<[^>]*>)?([^<]*)</g)];
    const { json } = await site.graphql(
      '{ startups(filter: { onSale: true, minMultiple: 0.5 }) { page { multiple profitMarginLast30Days } } }',
      {},
      { key },
    );
    // Without growth, and only where the margin is known.
    for (const [index, { multiple, profitMarginLast30Days: margin }] of json.data.startups.page.entries()) {
      const months = margin === null ? undefined : Math.round((multiple / (margin / 100)) * 12);
      const shown =
        months === undefined ? /^–$/ : months > 36 ? /^[\d.]+ years$/ : new RegExp(`^${months} months?$`);
      expect(cells[index]?.[1]).toMatch(shown);
    }
  });

  it('keeps the chosen columns in the browser, and no others', async () => {
    const visitor = await site.member('columns@example.com');
    const head = async () =>
      [...(await visitor.visit(PATH)).text.matchAll(/data-label="([^"]*)"/g)].map(([, heading]) => heading);
    expect(await head()).toContain('Verified');
    const sent = await visitor.get(`${PATH}?category=ai&columns=&columns=customers&columns=%3Cscript%3E`);
    expect(sent.headers.location).toBe(`${PATH}?category=ai`);
    expect(sent.cookies).toEqual([expect.stringMatching(/^revgate\.columns=customers; .*HttpOnly/)]);
    const chosen = await head();
    expect(chosen).toContain('Customers');
    expect(chosen).not.toContain('Verified');
  });

  it('lists the filters in force by their field, each value with a link to the list without it', async () => {
    const chipsOf = async (query: string) =>
      [
        ...(await see(query)).text.matchAll(
          /<li class="badge"><span aria-hidden="true">([^<]*)<\/span>([\s\S]*?)<\/li>/g,
        ),
      ].flatMap(([, label, links = '']) =>
        [...links.matchAll(/href="([^"]*)"><span class="hidden">Remove ([^<]*) <\/span>([^<]*)</g)].map(
          ([, path = '', name, value], index) => {
            expect(name).toBe(label);
            return [index === 0 ? `${label} ${value}` : value, decoded(path)];
          },
        ),
      );
    const query = '?category=ai&maxGrowth=2&onSale=true&minPrice=100000&minGrowth=1&sort=price-asc&page=1';
    const { text } = await see(query);
    expect(await chipsOf(query)).toEqual([
      ['Sale status: For sale', `${PATH}?category=ai&maxGrowth=2&minPrice=100000&minGrowth=1&sort=price-asc`],
      [
        'Category: Artificial Intelligence',
        `${PATH}?maxGrowth=2&onSale=true&minPrice=100000&minGrowth=1&sort=price-asc`,
      ],
      // Both bounds are one value.
      ['Growth 30d 100%–200%', `${PATH}?category=ai&onSale=true&minPrice=100000&sort=price-asc`],
      ['Asking price ≥ $1,000', `${PATH}?category=ai&maxGrowth=2&onSale=true&minGrowth=1&sort=price-asc`],
    ]);
    expect(decoded(text)).toContain(`<a class="badge clear" id="chip-all" href="${PATH}?sort=price-asc">`);
    expect((await see('')).text).not.toContain('aria-label="Active filters"');
    expect((await chipsOf('?minMultiple=2'))[0]?.[0]).toBe('Multiple ≥ 2×');
    // Each of several values on its own.
    const several = await chipsOf('?country=AI,DE&search=ai&updatedSince=2026-11-01T10:30:00Z');
    expect(several).toEqual([
      ['Search: ai', `${PATH}?country=AI,DE&updatedSince=2026-11-01T10%3A30%3A00Z`],
      ['Country: Anguilla', `${PATH}?country=DE&search=ai&updatedSince=2026-11-01T10%3A30%3A00Z`],
      ['Germany', `${PATH}?country=AI&search=ai&updatedSince=2026-11-01T10%3A30%3A00Z`],
      ['Changed since: 2026-11-01 10:30 UTC', `${PATH}?country=AI,DE&search=ai`],
    ]);
  });
});

describe('the views of a list', () => {
  const priced = '?minMultiple=0&onSale=true';

  it('are a chart of price by revenue, whose points lead to the startups', async () => {
    const { text } = await see(`${priced}&view=chart`);
    const slugs: string[] = [];
    const first = await site.call(`/api/v1/startups${priced}&minRevenue=1&minPrice=1`, { key });
    for (let page = 1; page <= Math.ceil(first.json.meta.total / 10); page += 1) {
      const { json } = await site.call(`/api/v1/startups${priced}&minRevenue=1&minPrice=1&page=${page}`, {
        key,
      });
      slugs.push(...json.data.map(({ slug }: { slug: string }) => slug));
    }
    const points = [...text.matchAll(/<a href="\/dashboard\/explorer\/([a-z0-9-]+)"[^>]*><title>/g)];
    expect(points.map(([, slug]) => slug).sort()).toEqual(slugs.sort());
    expect(text).toMatch(/<g class="multiple"><line [^>]*><\/line><text [^>]*>1×<\/text>/);
    // Filters and sorts stay in the view.
    expect(decoded(text)).toContain(`href="${PATH}?onSale=true&view=chart"`);
  });

  it('have texts at the scales of a chart whose startups are alike, and hollow points where revenue shrinks', () => {
    const point = (slug: string, askingPrice: number, last30Days: number) => ({
      ...{ name: slug, slug, onSale: true, askingPrice, multiple: 2, growth30d: null },
      revenue: { last30Days },
    });
    const shrinking = { ...point('b', 9_000_000, 300_000), growth30d: -1 };
    const drawn = String(scatter([point('a', 5_000_000, 200_000), shrinking], 2));
    expect(drawn.match(/class="[^"]*shrinking"/g)).toHaveLength(1);
    expect(drawn).toContain('−1% growth 30d');
    for (const [anchor, tick] of [
      ['end', '$60,000'],
      ['middle', '$3,000'],
    ]) {
      expect(drawn).toContain(`text-anchor="${anchor}">${tick}</text>`);
      expect(drawn.split(`text-anchor="${anchor}">$`).length).toBeGreaterThan(3);
    }
  });

  it.each(['category', 'country', 'fundingStatus'])(
    'are the groups of REST by %s, each of which leads to its startups',
    async (by) => {
      const { text } = await see(`?onSale=true&view=groups${by === 'category' ? '' : `&by=${by}`}`);
      const { json } = await site.call(`/api/v1/summary?onSale=true&by=${by}`, { key });
      const groups = json.data.groups as { value: string | null; count: number; onSale: number }[];
      const rows = [...text.matchAll(/<tr><th scope="row">([\s\S]*?)<\/tr>/g)].map(([, row = '']) =>
        decoded(row),
      );
      expect(rows).toHaveLength(groups.length);
      for (const [index, { value, count }] of groups.entries()) {
        expect(rows[index]).toContain(
          value === null ? 'Unknown' : `href="${PATH}?onSale=true&${by}=${value}"`,
        );
        expect(textIn(rows[index] ?? '')).toContain(String(count));
      }
      const url = restUrl({ text } as Answer);
      expect(url).toBe(`${ORIGIN}/api/v1/summary?onSale=true&by=${by}`);
      const asked = await site.graphql(snippet({ text } as Answer, 'graphql'), {}, { key });
      expect(asked.json.data.startups.groups).toHaveLength(groups.length);
    },
  );

  it('show a hundred groups on a page, and all as CSV', () => {
    const groups = Array.from({ length: 250 }, (_, index) => {
      const value = String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26));
      const figures = { sum: index, median: index, known: 1 };
      const stats = { revenue: figures, mrr: figures, growth: figures, price: figures, multiple: figures };
      return { value, count: 250 - index, onSale: 0, stats };
    }) as unknown as Parameters<typeof groupView>[0];
    const page = (query: string) =>
      render(groupView(groups, { by: 'country', order: 'count-desc' }, new URLSearchParams(query)) as Html);
    for (const [query, rows, pager] of [
      ['', 100, 'Page 1 of 3Next'],
      ['page=3', 50, 'PreviousPage 3 of 3'],
      ['page=9', 50, 'PreviousPage 3 of 3'],
    ] as const) {
      const html = page(query);
      expect(html.split('<th scope="row">')).toHaveLength(rows + 1);
      expect(textIn(html)).toContain(`Download CSV${pager}`);
      expect(html.match(/%0D%0A/g)).toHaveLength(251);
    }
    expect(decoded(page('page=2'))).toContain('href="/dashboard/explorer?page=3&view=groups&by=country"');
    expect(decoded(page('page=2'))).toContain('href="/dashboard/explorer?country=DW"');
  });

  it('sort groups by each column, what is unknown last, and give them as CSV in that order', async () => {
    const { json } = await site.call('/api/v1/summary?by=country', { key });
    type Group = { value: string | null; stats: { price: { median: number | null } } };
    const medians = (json.data.groups as Group[])
      .filter(({ value }) => value !== null)
      .map(({ stats }) => stats.price.median);
    const known = medians.filter((median) => median !== null).sort((a, b) => a - b);
    expect(known.length).toBeLessThan(medians.length);
    const dollars = (text = '') => (text === '' ? '' : String(Math.round(Number(text) * 100)));
    const rowsOf = async (order: string) => {
      const { text } = await see(`?view=groups&by=country&order=${order}`);
      const [, csv = ''] =
        /download="startups-by-country.csv" href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(text) ?? [];
      const [head = [], ...rows] = decodeURIComponent(csv)
        .trimEnd()
        .split('\r\n')
        .map((line) => line.replace(/"([^"]*)"/g, (_, text) => text.replaceAll(',', ';')).split(','));
      const shown = [...text.matchAll(/class="number price-median[^"]*"[^>]*>(?:<data value="(\d+)")?/g)];
      const inCsv = rows.map((row) => dollars(row[head.indexOf('Median price (USD)')]));
      expect(shown.map(([, value = '']) => value)).toEqual(inCsv);
      expect(head.slice(0, 4)).toEqual(['Country', 'Startups', 'Revenue; 30 days (USD)', 'For sale']);
      const prices = inCsv.filter((price, index) => price !== '' && rows[index]?.[0] !== 'Unknown');
      return { text, prices, names: rows.map(([name]) => name) };
    };
    const ascending = await rowsOf('price-median-asc');
    expect(ascending.prices).toEqual(known.map(String));
    expect(ascending.names.at(-1)).toBe('Unknown');
    expect(ascending.text).toMatch(
      /<th scope="col" class="number" aria-sort="ascending"><a id="sort-price-median"/,
    );
    const descending = await rowsOf('price-median-desc');
    expect(descending.prices).toEqual(known.reverse().map(String));
    // The order stays with another field, and filters; it is none of the table.
    expect(decoded(descending.text)).toContain(`href="${PATH}?view=groups&order=price-median-desc"`);
    expect(descending.text).toContain('name="order" value="price-median-desc"');
    const named = (await rowsOf('name-asc')).text;
    const names = [...named.matchAll(/<tr><th scope="row"><a href="[^"]*">([^<]*)</g)].map(
      ([, name]) => name,
    );
    expect(names).toEqual([...names].sort());
    expect((await see('?view=groups&order=count-desc')).headers.location).toBe(`${PATH}?view=groups`);
    expect((await see('?order=name-asc')).headers.location).toBe(PATH);
  });

  it('have one address: the table has none of its own, and an unknown view is the table', async () => {
    expect((await see('?view=table&category=ai')).headers.location).toBe(`${PATH}?category=ai`);
    expect((await see('?view=map&by=category')).headers.location).toBe(PATH);
    expect((await see('?view=groups&by=category')).headers.location).toBe(`${PATH}?view=groups`);
  });

  it('count technologies, and know them in any case', async () => {
    const answer = await see('?techStack=go,zig&open=more');
    const { text } = answer;
    const { json } = await site.call('/api/v1/summary', { key });
    for (const { value, count } of json.data.facets.techStack) {
      if (value !== null) {
        expect(countsOn(answer)).toContainEqual([value, count]);
      }
    }
    expect(text).toContain('name="techStack" value="Go" checked=""');
    expect(text).toContain('name="techStack" value="zig" checked=""');
    expect((await see('?techStack=Go&techStack=Vue')).headers.location).toBe(`${PATH}?techStack=Go,Vue`);
  });
});

describe('what the explorer refuses', () => {
  it('is every invalid parameter, with the words of the API, beside its field', async () => {
    const query = '?category=robots&limit=11&foo=1&onSale=yes&onSale=no';
    const answer = await see(query);
    expect(answer.status).toBe(400);
    const rest = await site.call(`/api/v1/startups${query}`, { key });
    expect(rest.json.error.details).toHaveLength(4);
    const text = decoded(answer.text);
    for (const { parameter, message } of rest.json.error.details) {
      expect(text).toContain(message);
      if (!['foo', 'limit'].includes(parameter)) {
        expect(text).toContain(`id="${parameter}-error"`);
        expect(text).toContain(`<a href="#${parameter}">`);
      }
    }
    expect(text).toContain('role="alert"');
    expect(text).toContain('4 filters are invalid. The list below leaves them out.');
  });

  it.each([
    ['?onSale=true&category=robots&foo=1', '?onSale=true'],
    ['?category=ai&minRevenueDollars=much&minPrice=500&maxPrice=100', '?category=ai&maxPrice=100'],
    ['?search=%21&sort=relevance', ''],
  ])('leaves the invalid filters of %s out of its list, which shows the rest', async (query, valid) => {
    const [answer, without] = [await ada.get(`${PATH}${query}`), await ada.get(`${PATH}${valid}`)];
    expect([answer.status, without.status]).toEqual([400, 200]);
    const listOf = ({ text }: { text: string }) =>
      /<p class="shown">[\s\S]*?<\/p>|<section class="card empty">[\s\S]*?<\/section>|<div class="table results"[^>]*>[\s\S]*?<\/table>/g[
        Symbol.match
      ](text);
    expect(listOf(without)).not.toBeNull();
    expect(listOf(answer)).toEqual(listOf(without));
  });

  const labels: Readonly<Record<string, string>> = {
    minRevenue: 'Revenue 30d, minimum',
    maxGrowth: 'Growth 30d, maximum',
    minPrice: 'Asking price, minimum',
    minGrowth: 'Growth 30d, minimum',
    minMrr: 'MRR, minimum',
  };
  it.each([
    ['?minRevenueDollars=5x', 'minRevenue', 'got "5x", allowed: an amount in US dollars'],
    ['?maxGrowthPercent=5k', 'maxGrowth', 'got "5k", allowed: a percentage'],
    ['?minRevenueDollars=1,5', 'minRevenue', 'got "1,5", allowed: an amount in US dollars'],
    ['?minRevenueDollars=1,2000', 'minRevenue', 'got "1,2000", allowed: an amount in US dollars'],
    ['?minRevenueDollars=1 200', 'minRevenue', 'got "1 200", allowed: an amount in US dollars'],
    ['?minRevenueDollars=.5', 'minRevenue', 'got ".5", allowed: an amount in US dollars'],
    [`?minRevenueDollars=${NINES}`, 'minRevenue', `got "${NINES}", allowed: an amount in US dollars`],
    ['?minRevenue=1e3', 'minRevenue', 'got "1e3", allowed: an amount in US dollars'],
    ['?maxGrowthPercent=lots', 'maxGrowth', 'got "lots", allowed: a percentage'],
    ['?minPrice=500&maxPrice=100', 'minPrice', 'got $5, allowed: at most the maximum, $1'],
    ['?minMrr=-100&maxMrr=-120050', 'minMrr', 'got −$1, allowed: at most the maximum, −$1,200.50'],
    ['?minGrowth=0.5&maxGrowth=0.1', 'minGrowth', 'got 50%, allowed: at most the maximum, 10%'],
    ['?minMrr=1&minMrr=2', 'minMrr', 'got ["1","2"], allowed: one value, given once'],
    ['?minMrr=1&minMrrDollars=2', 'minMrr', 'got ["1","200"], allowed: one value, given once'],
  ])('is the bound of %s, in the unit of its field', async (query, parameter, message) => {
    site.nextMinute();
    const { status, text } = await ada.visit(`${PATH}${query}`);
    expect(status).toBe(400);
    expect(decoded(text)).toContain(`<li><a href="#${parameter}">${labels[parameter]}</a>: ${message}`);
    expect(text).toContain(`aria-describedby="${parameter}-error"`);
    if (!query.includes('&')) {
      expect(text).toContain(`value="${query.split('=')[1]}"`);
    }
  });

  it('is a page beyond 120 in a minute, whatever each shows: filters and what was seen last stay', async () => {
    site.nextMinute();
    const bob = await site.member('bob@example.com');
    const { key: own } = await site.key({ accountId: (await site.accountOf('bob@example.com')).id });
    site.nextMinute();
    const [list, other] = [`${PATH}?category=ai`, `${PATH}?category=saas&view=chart`];
    for (const path of [...Array(PAGES_PER_MINUTE - 2).fill('/dashboard/keys'), other, list]) {
      expect((await bob.get(path)).status).toBe(200);
    }
    const shown = shownSlugs(await ada.get(list));
    expect(shown.length).toBeGreaterThan(0);
    for (const path of [list, other]) {
      const refused = await bob.get(path);
      expect(refused.status).toBe(429);
      const seconds = Number(refused.headers['retry-after']);
      expect(seconds).toBeGreaterThan(0);
      expect(seconds).toBeLessThanOrEqual(60);
      expect(textIn(refused.text)).toContain('You have opened 120 pages in a minute, which is the limit.');
      expect(refused.text).toContain(`<span data-retry-in="">${seconds}</span> second`);
      expect(decoded(refused.text)).toContain(`<a href="${path}">Try again</a>`);
      expect(refused.text).toMatch(new RegExp(`value="${path === list ? 'ai' : 'saas'}" checked=""`));
      expect(shownSlugs(refused)).toEqual(shown);
    }
    // Other pages have nothing to show; keys, other accounts and GraphiQL have limits of their own.
    expect(await bob.get(`${PATH}/hostile`)).toMatchObject({
      status: 429,
      headers: { 'retry-after': expect.stringMatching(/^\d+$/) },
    });
    expect((await site.call('/api/v1/startups', { key: own })).status).toBe(200);
    expect((await ada.get(list)).status).toBe(200);
    site.nextMinute();
    expect((await bob.get(other)).status).toBe(200);
  });

  it.each(['nothing', 'UPPER', '%00', '%E0%A4', 'a'.repeat(500)])(
    'is %s, which no startup is',
    async (slug) => {
      expect((await see(`/${slug}`)).status).toBe(404);
    },
  );
});

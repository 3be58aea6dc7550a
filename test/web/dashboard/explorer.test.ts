import { describe, expect, it } from 'vitest';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import { listParameters } from '../../../src/startups/model/requests/list-parameters.ts';
import { categories, labelOf } from '../../../src/startups/model/vocabulary.ts';
import { sampleStartups } from '../../../src/startups/sample/sample.ts';
import { groupView } from '../../../src/web/dashboard/explorer/groups.tsx';
import { pagesApart, scatter } from '../../../src/web/dashboard/explorer/scatter.tsx';
import { PAGES_PER_MINUTE } from '../../../src/web/page/access.ts';
import { shownColumns, tableColumns } from '../../../src/web/parts/startups/columns.tsx';
import { csvOf } from '../../../src/web/parts/startups/results-table.tsx';
import { type Html, render } from '../../../src/web/shared/jsx.ts';
import type { Answer } from '../../support/gateway.ts';
import { decoded, textIn } from '../../support/html.ts';
import { record } from '../../support/records.ts';
import { expectPage, ORIGIN, openSite, textOf } from './site.ts';

const PATH = '/dashboard/explorer';
/** More digits than an amount may have. */
const NINES = '9'.repeat(21);
const HOSTILE = '"><script>alert(1)</script>&amp;';

/** Texts that show nothing, in every field of texts. */
const blankTexts = Object.fromEntries(
  storedStartupFields
    .filter(({ kind }) => kind === 'string')
    .map(({ path }, index) => [path, ['', ' ', '\n\u200b'][index % 3]]),
);

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
    record('blank', { ...blankTexts, name: ' ' }),
  ],
});
const ada = await site.member('ada@example.com');
const { key } = await site.key({ tier: 'premium' });

/** A page in a minute of its own. */
const see = async (query: string): Promise<Answer> => {
  site.nextMinute();
  return ada.get(`${PATH}${query}`);
};
const locationOf = async (query: string) => (await see(query)).headers.location;

interface Row {
  readonly slug: string;
  readonly revenue: { readonly mrr: number };
}
const slugsOf = (rows: readonly Row[]): string[] => rows.map(({ slug }) => slug);
const rest = async (path: string) => (await site.call(`/api/v1${path}`, { key })).json;

const snippet = (answer: Answer, id: string): string =>
  textIn(textOf(answer, new RegExp(`<code id="${id}">([\\s\\S]*?)</code>`)) ?? '');
/** The URL that all samples of REST send their request to. */
const restUrl = (answer: Answer): string => /"([^"]*)"/.exec(snippet(answer, 'curl'))?.[1] ?? '';
/** The data that the GraphQL sample of a page gets. */
const sampleData = async (answer: Answer) => {
  const { json } = await site.graphql(snippet(answer, 'graphql'), {}, { key });
  expect(json.errors).toBeUndefined();
  return json.data;
};
/** The choices of the menu that is open, each with its count. */
const countsOn = ({ text }: Answer): [value: string, count: number][] =>
  [...text.matchAll(/ value="([^"]*)"[^>]*><span class="label">[^<]*<\/span>.*?<\/svg>(\d+)</gs)].map(
    ([, value = '', count]) => [value, Number(count)],
  );
const shownSlugs = ({ text }: Answer): string[] =>
  [...text.matchAll(/<th scope="row">(?:(?!<\/th>).)*<a href="\/dashboard\/explorer\/([a-z0-9-]+)"/gs)].map(
    ([, slug = '']) => slug,
  );
const headings = ({ text }: Answer) =>
  [...text.matchAll(/<th scope="col"[^>]*>(?:<a[^>]*>)?([^<]*)/g)].map(([, heading]) => heading);

describe('the explorer', () => {
  it.each([
    '',
    '?onSale=true&sort=price-asc&limit=3&page=2',
    '?minGrowth=0.1&maxGrowth=0.5&sort=growth-desc',
    '?minRevenue=100000&maxMrr=5000000&fundingStatus=bootstrapped',
    '?category=ai,saas&country=US,DE&paymentProvider=stripe,paddle&limit=3',
    '?teamSize=51%2B',
    '?foundedAfter=2020-01-01&createdSince=2020-02-01',
    '?slug=nobody-has-this,nor-this',
    '?page=4000',
  ])('%s is what the REST URL and the GraphQL query beside it give', async (query) => {
    const answer = await see(query);
    const slugs = shownSlugs(answer);
    const url = restUrl(answer);
    expect(decoded(url)).toBe(`${ORIGIN}/api/v1/startups${query}`);
    const { data, meta } = await rest(url.slice(`${ORIGIN}/api/v1`.length));
    expect(slugsOf(data)).toEqual(slugs);
    const { startups } = await sampleData(answer);
    expect(slugsOf(startups.page)).toEqual(slugs);
    expect(startups.meta).toEqual(meta);
    expect(Object.keys(startups.stats)).toEqual(['revenue', 'mrr', 'growth', 'price']);
    expect(snippet(answer, 'python')).toContain(`"${url}"`);
  });

  it('is one startup, the same in REST and GraphQL, with its history from the second day on', async () => {
    const { id } = await site.database.prisma.startup.findUniqueOrThrow({ where: { slug: 'hostile' } });
    const points = { where: { startupId: id } };
    await site.database.pool.query(`INSERT INTO startup_points (day, startup_id, revenue_last_30_days, revenue_mrr,
      revenue_total, customers, active_subscriptions, on_sale) SELECT max(day) - 2, startup_id, 0, 0, 0, 0, 0, false
      FROM startup_points WHERE startup_id = ${id} GROUP BY startup_id ON CONFLICT DO NOTHING`);
    const answer = await see('/hostile');
    const { data } = await rest(restUrl(answer).slice(`${ORIGIN}/api/v1`.length));
    expect(data.slug).toBe('hostile');
    expect(Object.keys((await sampleData(answer)).startup)).toEqual(Object.keys(data));
    const [line = ''] = /class="line" d="[^"]*"/.exec(answer.text) ?? [];
    // At the same time of the same clock, which may be past midnight.
    expect(line.match(/H/g)).toHaveLength((await rest('/startups/hostile/history?fill=true')).data.length);
    expect(decoded(answer.text)).toContain('href="/dashboard/embeds/new?chart=hostile&value=revenue.mrr"');
    await site.database.prisma.startupPoint.deleteMany(points);
    expect((await see('/hostile')).text).toContain('There are no figures for these days.');
    const day = new Date(site.now()).toISOString().slice(0, 10);
    await site.database.pool.query(`INSERT INTO startup_points (day, startup_id, revenue_last_30_days, revenue_mrr,
      revenue_total, customers, active_subscriptions, on_sale) VALUES ('${day}', ${id}, 4200, 0, 0, 0, 0, false)`);
    const { text } = await see('/hostile');
    expect(textIn(text)).toContain(`History starts on ${day}. A chart appears with the second day.`);
    expect(text).not.toContain('class="plot"');
  });

  it('says how a startup is verified and what it costs, shows similar ones, and hides what is unknown', async () => {
    const known =
      '{ startups(filter: { onSale: true, minMultiple: 0.5 }) { page { slug category website xHandle revenue { mrr } } } }';
    const { json } = await site.graphql(known, {}, { key });
    const { slug, category, website, xHandle, revenue } = json.data.startups.page.find(
      (one: Record<string, unknown>) => !Object.values(one).includes(null),
    );
    const answer = await see(`/${slug}`);
    const buttons = [...answer.text.matchAll(/<a class="button second" href="(http[^"]*)"/g)];
    expect(buttons.map(([, url]) => url)).toEqual([website, `https://x.com/${xHandle}`]);
    expect(textIn(answer.text)).toMatch(
      /✓ Verified by [A-Z].*For sale · [\d.,]+× revenue · payback [\d.]+ (months|years)/s,
    );
    // Similar ones are the nearest by MRR, from below and from above.
    const similar = shownSlugs(answer);
    const list = `/startups?category=${category.toLowerCase().replaceAll('_', '-')}`;
    const near: Row[] = [
      ...(await rest(`${list}&maxMrr=${revenue.mrr}&sort=mrr-desc&limit=5`)).data,
      ...(await rest(`${list}&minMrr=${revenue.mrr}&sort=mrr-asc&limit=5`)).data,
    ];
    const distances = new Map(near.map((one) => [one.slug, Math.abs(one.revenue.mrr - revenue.mrr)]));
    distances.delete(slug);
    expect(similar.map((one) => distances.get(one))).toEqual(
      [...distances.values()].sort((a, b) => a - b).slice(0, 4),
    );
    expect(answer.text).not.toMatch(/<dd>(<span class="soft">–<\/span>)?<\/dd>/);
  });

  it('searches, says when only a typing error was corrected, and sorts by a click on a heading', async () => {
    const message = 'exactly; these match with one typing error in a word.';
    const { text } = await see('?search=itinararies&limit=1');
    expect(text).toContain(`No startup matches “itinararies” ${message}`);
    expect((await see('?search=itineraries')).text).not.toContain(message);
    // An order keeps the filters, and begins at the first page.
    for (const sort of ['name-asc', 'mrr-desc']) {
      const link = `id="sort-${sort.split('-')[0]}" href="${PATH}?search=itinararies&limit=1&sort=${sort}"`;
      expect(decoded(text)).toContain(link);
    }
    expect((await see('?sort=growth-asc')).text).toContain('aria-sort="ascending"');
  });

  it('offers the filters that a search without a result may have meant, with how many they leave', async () => {
    const { text } = await see('?search=germany+analytics&sort=relevance&onSale=false');
    const offered = [...decoded(text).matchAll(/<a class="button" href="([^"]*)">([^<]*), (\d+)<\/a>/g)];
    expect(offered.map(([, path, label]) => [path, label]).toSorted()).toEqual([
      [`${PATH}?onSale=false&category=analytics`, 'Category: Analytics'],
      [`${PATH}?onSale=false&country=DE`, 'Country: Germany'],
    ]);
    for (const [, path = '', , total] of offered) {
      expect((await rest(`/startups${path.slice(PATH.length)}`)).meta.total).toBe(Number(total));
    }
    expect((await see('?search=qqqqq')).text).not.toMatch(/Filter by|Did you mean/);
  });

  it.each([
    ['annalitycs', ['Category: Analytics']],
    ['annalitycs+germny', ['Category: Analytics', 'Country: Germany']],
  ])(
    'corrects typing errors in the names of filters, of a search that nothing else answers: %s',
    async (search, meant) => {
      const { text } = await see(`?search=${search}`);
      const [, line = ''] = /Did you mean (.*?)<\/p>/.exec(text) ?? [];
      const offered = [...decoded(line).matchAll(/href="[^"?]*\?([^"]*)">([^<]*), (\d+)</g)];
      expect(offered.map(([, , label]) => label)).toEqual(meant);
      for (const [, query, , total] of offered) {
        expect((await rest(`/startups?${query}`)).meta.total).toBe(Number(total));
      }
    },
  );

  it('has no control for rare filters, but keeps those of an address, as chips', async () => {
    const { text } = await see('?active=true&xHandle=nobody&website=acme.example&category=ai');
    const controls = ['active', 'xHandle', 'website'];
    for (const [index, name] of controls.entries()) {
      expect(text).toContain(`id="chip-${name}"`);
      const [field = ''] = new RegExp(`<input type="hidden"[^>]* name="${name}"[^>]*>`).exec(text) ?? [];
      expect(field).toContain(`value="${['true', 'nobody', 'acme.example'][index]}"`);
      expect(text.match(new RegExp(` name="${name}"`, 'g'))).toHaveLength(1);
    }
  });

  it.each(['?onSale=true&minPrice=123456789', '/hostile'])(
    'keeps stored script as text, and loads nothing from elsewhere: %s',
    async (query) => {
      const { text } = await see(query);
      // Amounts are short, with the exact ones as their titles.
      expect(text).toContain('<data value="123456789" title="$1,234,567.89">$1.2M</data>');
      expect(text).toContain('>−12.5%</data>');
      expect(text).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;&amp;amp;');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toMatch(/\sstyle=|\son\w+=|<script(?! src="\/assets\/)/i);
      for (const [, address] of text.matchAll(/(?:src|srcset|data|\saction)="([^"]*)"/g)) {
        expect(address).toMatch(/^\/(dashboard|assets)\/|^\/favicon\.svg$/);
      }
      for (const [link, address] of text.matchAll(/<a href="(https?:[^"]*)"[^>]*>/g)) {
        expect(link).toContain('rel="noopener nofollow"');
        expect(address).toContain('hostile.example');
      }
    },
  );

  it('draws the MRR of the market and of a category by day', async () => {
    // As if all had been there some days earlier.
    await site.database.pool.query(`
      INSERT INTO startup_points (day, startup_id, revenue_last_30_days, revenue_mrr, revenue_total, customers,
        active_subscriptions, on_sale)
      SELECT day - 3, startup_id, 0, 0, 0, 0, 0, false FROM startup_points ON CONFLICT DO NOTHING`);
    await site.database.pool.query(`
      INSERT INTO market_days (day, category, count, on_sale, revenue_sum, revenue_median, mrr_sum, mrr_median)
      SELECT min(day) - of.ago, of.category, of.count, 0, 0, 0, of.mrr, of.mrr FROM startup_points,
        (VALUES ('', 700, 150, 3), ('analytics', 300, 1000, 3), ('analytics', 300, 100, 1))
          AS of (category, mrr, count, ago)
      GROUP BY of.category, of.mrr, of.count, of.ago ON CONFLICT DO NOTHING`);
    const trendOf = async (query: string) =>
      /<dt>Total MRR<\/dt><dd><data value="(\d+)"[^>]*>[^<]*<\/data> <span title="60 days"><svg class="spark/.exec(
        (await see(query)).text,
      )?.[1];
    const lastOf = async (query: string) => String((await rest(`/market${query}`)).data.at(-1).mrr.sum);
    expect(await trendOf('')).toBe(await lastOf(''));
    // Not where fewer than half can be in the data on both days, nor of a list whose days are not stored.
    for (const query of ['?category=analytics', '?onSale=true']) {
      expect(await trendOf(query)).toBeUndefined();
    }
    // The history of all rows is read in one query.
    site.nextMinute();
    site.queries.length = 0;
    const { text: rows } = await ada.get(`${PATH}?sort=growth-desc`);
    expect(site.queries.filter((query) => query.includes('startup_points'))).toHaveLength(1);
    expect(rows).toMatch(/Page 1 of 21</);
    expect(rows).toContain('Invented sample');
    expect(rows.match(/<td class="number" data-label="MRR trend"><svg class="spark/g)).toHaveLength(10);
  });

  it('says what best deals are, and pays back a price only by a margin that is known, without growth', async () => {
    const { text } = await see('?onSale=true&minMultiple=0.5');
    expect(textIn(text)).toContain(
      'Lowest deal score first: the price in years of profit, adjusted for growth. An unknown margin counts as 50%. ' +
        'Payback does not count growth.',
    );
    // What is sorted by is no column: the estimate of what is unknown is not shown.
    expect(text).not.toContain('aria-sort');
    const cells = [...text.matchAll(/<td class="number[^>]*data-label="Payback"[^>]*>(?:<[^>]*>)?([^<]*)</g)];
    const { data } = await rest('/startups?onSale=true&minMultiple=0.5');
    for (const [index, { multiple, profitMarginLast30Days: margin }] of data.entries()) {
      const months = Math.round((multiple / (margin / 100)) * 12);
      const inYears = months > 240 ? /^20\+ years$/ : /^[\d.]+ years$/;
      const known = months > 36 ? inYears : new RegExp(`^${months} months?$`);
      expect(cells[index]?.[1]).toMatch(margin === null ? /^–$/ : known);
    }
  });

  it('keeps the chosen columns in the browser, and leaves out those that are empty in all rows', async () => {
    const visitor = await site.member('columns@example.com');
    expect(headings(await visitor.visit(PATH))).toContain('Verified');
    const sent = await visitor.get(`${PATH}?category=ai&columns=&columns=customers&columns=%3Cscript%3E`);
    expect(sent.headers.location).toBe(`${PATH}?category=ai`);
    expect(sent.cookies).toEqual([expect.stringMatching(/^revgate\.columns=customers; .*HttpOnly/)]);
    const chosen = headings(await visitor.visit(PATH));
    expect(chosen).toContain('Customers');
    expect(chosen).not.toContain('Verified');
    expect(headings(await see('?onSale=true'))).toEqual(expect.arrayContaining(['Asking price', 'Multiple']));
    expect(headings(await see('?onSale=false'))).not.toContain('Payback');
  });

  it('shows no row, paragraph or link of a blank text, and calls a startup with a blank name by its slug', async () => {
    const { text } = await see('/blank');
    expect(Object.keys(blankTexts)).toContain('founderName');
    expect(textIn(text)).toMatch(/blank/);
    for (const label of ['Founder<', 'Pricing model<', 'Value proposition', 'About<']) {
      expect(text).not.toContain(label);
    }
    const empty = text.match(/<(dd|p|h1|a|blockquote)( [^>]*)?>[\s\u200b]*<\/\1>/g) ?? [];
    expect(empty.filter((element) => !element.includes('role="status"'))).toEqual([]);
    expect((await see('?slug=blank')).text).toContain('<a href="/dashboard/explorer/blank">blank</a>');
  });

  const columns = tableColumns(shownColumns(['country', 'payback', 'listed']), () => null, 0);
  const csv = (startup: object): string => csvOf(columns, [{ revenue: {}, ...startup } as never]);

  it('gives the columns of the page as CSV, with its labels and amounts in dollars', async () => {
    const { text } = await see('?search=hostil');
    const [, data = ''] = /href="data:text\/csv;charset=utf-8,([^"]*)"/.exec(text) ?? [];
    expect(decodeURIComponent(data)).toMatch(
      /^Startup,.*Revenue 30d \(USD\),MRR \(USD\),.*\r\n.*<script>alert/,
    );
    const startup = { name: '=1+1', category: 'say "hi", then', askingPrice: 120_050, revenue: { mrr: 5 } };
    expect(csv({ onSale: true, ...startup, firstListedForSaleAt: '2026-11-01' }).split('\r\n')).toEqual([
      'Startup,Category,Revenue 30d (USD),MRR (USD),Growth 30d (%),Asking price (USD),Multiple,Payback (months),Country,Listed for',
      `'=1+1,"say ""hi"", then",,0.05,,1200.5,,,,2026-11-01`,
      '',
    ]);
    // A spreadsheet runs what begins like this.
    for (const first of '=+-@＝＋－＠') {
      expect(csv({ name: `\t\r\n${first}HYPERLINK()` }), first).toContain(`\r\n'${first}HYPERLINK()`);
    }
    // And a row is one line.
    expect(csv({ name: 'Acme\r\nGlobex,ai' }).split('\r\n')).toHaveLength(3);
  });
});

describe('the filters of the explorer', () => {
  it('are one for each parameter, one for all dates, and eight orders', async () => {
    const { text } = await see('?foundedAfter=2020-01-01&sort=customers-asc');
    for (const [name, parameter] of Object.entries(listParameters)) {
      const control = parameter.kind === 'instant' ? `<option value="${name}"` : ` id="${name}"`;
      expect(text.includes(control), name).toBe(!['page', 'limit'].includes(name));
    }
    for (const value of categories) {
      expect(text).toContain(`name="category" value="${value}"`);
    }
    // The date in force is shown, the others stay as they are.
    expect(text).toMatch(/<option value="foundedAfter" selected/);
    expect(text).toMatch(/id="date"[^>]* value="2020-01-01"/);
    expect(await locationOf('?listedSince=2026-01-01&dateKind=createdSince&date=2026-02-03')).toBe(
      `${PATH}?listedSince=2026-01-01&createdSince=2026-02-03`,
    );
    // The default order is listed once, without a value; an order of a heading is one more.
    const [, orders = ''] = /<select id="sort"[^>]*>([\s\S]*?)<\/select>/.exec(text) ?? [];
    expect(orders.match(/<option/g)).toHaveLength(9);
    expect(orders).toContain('<option value="">Highest revenue 30d</option>');
    expect(orders).toMatch(/<option value="customers-asc" selected/);
  });

  it('count what each choice leaves under the other filters, only in the menu that is open', async () => {
    const query = '?category=ai&onSale=false';
    expect(countsOn(await see(query))).toEqual([]);
    const options = countsOn(await see(`${query}&open=category`));
    const labels = options.map(([value]) => labelOf(value) ?? '');
    expect(labels.slice(1)).toEqual(labels.slice(1).toSorted((a, b) => a.localeCompare(b, 'en')));
    expect(options).toHaveLength(categories.length);
    const counted = new Map([...options, ...countsOn(await see(`${query}&open=more`))]);
    const total = async (list: string) => (await rest(`/startups?onSale=false&${list}`)).meta.total;
    expect(counted.get('saas')).toBe(await total('category=saas'));
    expect(counted.get('vc-funded')).toBe(await total('category=ai&fundingStatus=vc-funded'));
    // Technologies are known in any case, and one that is not counted stays.
    const technologies = await see('?techStack=go,zig&open=more');
    const { value, count } = (await rest('/summary')).data.facets.techStack[0];
    expect(countsOn(technologies)).toContainEqual([value, count]);
    for (const one of ['Go', 'zig']) {
      expect(technologies.text).toContain(`name="techStack" value="${one}" checked=""`);
    }
  });

  it('have one address, which a form with empty fields and each of several values leads to', async () => {
    for (const [sent, address] of [
      ['?category=ai&xHandle=&minRevenue=+1000+&sort=', '?category=ai&minRevenue=1000'],
      ['?category=ai&category=saas&minMrr=1&sort=', '?category=ai,saas&minMrr=1'],
      ['?techStack=Go&techStack=Vue', '?techStack=Go,Vue'],
      ['?category=&sort=', ''],
      ['?view=table&category=ai', '?category=ai'],
      ['?view=map&by=category&order=name-asc', ''],
      ['?view=groups&by=category&order=count-desc', '?view=groups'],
    ]) {
      expect(await locationOf(sent ?? '')).toBe(`${PATH}${address}`);
    }
    // A script gets it without being redirected, with the address that it has; an open menu is no part of the list.
    const asked = `${PATH}?xHandle=&category=ai&columns=&open=more`;
    site.nextMinute();
    const inPlace = await ada.get(asked, { 'x-requested-with': 'fetch' });
    expect(inPlace).toMatchObject({ status: 200, headers: { 'content-location': `${PATH}?category=ai` } });
    expect(inPlace.cookies.join()).toContain('revgate.columns=;');
    expect((await ada.get(asked)).headers.location).toBe(`${PATH}?category=ai&open=more`);
    expect(inPlace.text).toMatch(/popover="auto" data-open="category".*panel whole" data-open="more"/s);
    expect(inPlace.text).not.toMatch(/href="[^"]*open=more/);
    ada.jar.delete('revgate.columns');
    const { text } = await see('?category=ai');
    expect(text).toMatch(/value="ai" checked=""/);
    expect(decoded(text)).toContain(`<a href="${PATH}?category=ai&open=more">Show all choices`);
  });

  it('are in dollars and percent, and have the units of the API in their address', async () => {
    for (const fields of [
      [
        ['minRevenueDollars', '$1,200.50', 'minRevenue=120050', '1,200.50'],
        ['minMrrDollars', '-$5', 'minMrr=-500', '-5'],
        ['minGrowthPercent', '-12.5 %', 'minGrowth=-0.125', '-12.5'],
        ['maxGrowthPercent', '1,000', 'maxGrowth=10', '1,000'],
        ['minPriceDollars', '0.005', 'minPrice=0.5', '0.005'],
        ['maxPriceDollars', '1.2M', 'maxPrice=120000000', '1,200,000'],
        ['minCustomers', '10K', 'minCustomers=10000', '10,000'],
        ['maxTotalDollars', '$90,071,992,547', 'maxTotal=9007199254700', '90,071,992,547'],
      ],
      [['maxGrowthPercent', '0.1', 'maxGrowth=0.001', '0.1']],
    ]) {
      const form = new URLSearchParams(fields.map(([field = '', typed = '']) => [field, typed]));
      const query = `?${fields.map(([, , parameter]) => parameter).join('&')}`;
      expect(await locationOf(`?${form}`)).toBe(`${PATH}${query}`);
      const { text } = await see(query);
      for (const [field, , , shown] of fields) {
        expect(text).toMatch(new RegExp(`name="${field}"[^>]* value="${shown}"`));
      }
    }
  });

  it('in force are listed by their field, each value with a link to the list without it', async () => {
    const chip = /<li class="badge"><span aria-hidden="true">([^<]*)<\/span>([\s\S]*?)<\/li>/g;
    const link = /href="([^"]*)"><span class="hidden">Remove ([^<]*) <\/span>([^<]*)</g;
    const chipsOf = async (query: string) =>
      [...(await see(query)).text.matchAll(chip)].flatMap(([, label, links = '']) =>
        [...links.matchAll(link)].map(([, path = '', name, value], index) => {
          expect(name).toBe(label);
          return [index === 0 ? `${label} ${value}` : value, decoded(path).slice(PATH.length)];
        }),
      );
    const query = '?category=ai&maxGrowth=2&minPrice=100000&minGrowth=1&sort=price-asc&page=1';
    expect(await chipsOf(query)).toEqual([
      ['Category: Artificial Intelligence', '?maxGrowth=2&minPrice=100000&minGrowth=1&sort=price-asc'],
      // Both bounds are one value.
      ['Growth 30d 100%–200%', '?category=ai&minPrice=100000&sort=price-asc'],
      ['Asking price ≥ $1,000', '?category=ai&maxGrowth=2&minGrowth=1&sort=price-asc'],
    ]);
    expect(decoded((await see(query)).text)).toContain(`id="chip-all" href="${PATH}?sort=price-asc">`);
    expect((await see('')).text).not.toContain('aria-label="Active filters"');
    // Each of several values on its own. What was typed is not rounded.
    const several = '?country=AI,DE&search=ai&updatedSince=2026-11-01T10:30:00Z&maxRevenue=123456789';
    expect((await chipsOf(several)).map(([text]) => text)).toEqual([
      'Search: ai',
      'Country: Anguilla',
      'Germany',
      'Changed since: 2026-11-01 10:30 UTC',
      'Revenue 30d ≤ $1,234,567.89',
    ]);
    expect((await chipsOf('?minMultiple=2'))[0]?.[0]).toBe('Multiple ≥ 2×');
  });
});

describe('the views of a list', () => {
  const point = (slug: string, askingPrice: number, last30Days: number, growth30d: number | null = null) => ({
    name: slug,
    slug,
    onSale: true,
    askingPrice,
    multiple: 2,
    growth30d,
    revenue: { last30Days },
  });

  it('are a chart of price by revenue, whose points lead to the startups', async () => {
    const priced = '?minMultiple=0&onSale=true';
    const { text } = await see(`${priced}&view=chart`);
    const list = `/startups${priced}&minRevenue=1&minPrice=1`;
    const { total } = (await rest(list)).meta;
    const pages = Array.from({ length: Math.ceil(total / 10) }, (_, index) =>
      rest(`${list}&page=${index + 1}`),
    );
    const slugs = (await Promise.all(pages)).flatMap(({ data }) => slugsOf(data));
    const points = [...text.matchAll(/<a href="\/dashboard\/explorer\/([a-z0-9-]+)"[^>]*><title>/g)];
    expect(points.map(([, slug]) => slug).sort()).toEqual(slugs.sort());
    expect(text).toMatch(/<g class="multiple"><line [^>]*><\/line><text [^>]*>1×<\/text>/);
    // Filters and sorts stay in the view.
    expect(decoded(text)).toContain(`href="${PATH}?onSale=true&view=chart"`);
  });

  it('read the pages of a chart at equal distances, the first and the last among them', () => {
    expect(pagesApart(0, 18)).toEqual([]);
    expect(pagesApart(3, 18)).toEqual([1, 2, 3]);
    expect(pagesApart(10_000, 3)).toEqual([1, 5_001, 10_000]);
  });

  it('have texts at the scales of a chart whose startups are alike, and hollow points where revenue falls', () => {
    const points = [
      point('a', 5_000_000, 200_000),
      point('b', 9_000_000, 300_000, -1),
      point('c', 9_000_000, 300_000, 0),
    ];
    const drawn = String(scatter(points, 3, 3));
    for (const [anchor, tick] of Object.entries({ end: '$60,000', middle: '$3,000' })) {
      expect(drawn).toContain(`text-anchor="${anchor}">${tick}</text>`);
      expect(drawn.split(`text-anchor="${anchor}">$`).length).toBeGreaterThan(3);
    }
    expect(drawn.match(/class="[^"]*shrinking"/g)).toHaveLength(1);
    expect(drawn).toContain('−1% growth 30d');
    // What is unknown is not drawn as if it did not grow.
    expect(drawn.match(/class="[^"]*unknown"/g)).toHaveLength(1);
    expect(drawn).toContain('Growth 30d unknown');
    for (const text of ['revenue falling', 'growth unknown', 'flat or growing']) {
      expect(textIn(drawn)).toContain(text);
    }
  });

  it.each(['category', 'country', 'fundingStatus', 'xHandle', 'techStack'])(
    'are the groups of REST by %s, each of which leads to its startups',
    async (by) => {
      const answer = await see(`?onSale=true&view=groups${by === 'category' ? '' : `&by=${by}`}`);
      const { groups } = (await rest(`/summary?onSale=true&by=${by}`)).data;
      const [, ...rows] = decoded(answer.text).split('<tr><th scope="row">');
      expect(rows).toHaveLength(groups.length);
      for (const [index, { value, count }] of groups.entries()) {
        const link =
          value === null ? 'Unknown' : `href="${PATH}?onSale=true&${new URLSearchParams([[by, value]])}"`;
        expect(rows[index]).toContain(link);
        expect(textIn(rows[index] ?? '')).toContain(String(count));
      }
      expect(restUrl(answer)).toBe(`${ORIGIN}/api/v1/summary?onSale=true&by=${by}`);
      expect((await sampleData(answer)).startups.groups).toHaveLength(groups.length);
    },
  );

  it('show a hundred groups on a page, in the order of each column, what is unknown last, and all as CSV', () => {
    const groups = Array.from({ length: 250 }, (_, index) => {
      const value = index === 20 ? null : String.fromCharCode(65 + Math.floor(index / 26), 65 + (index % 26));
      const figures = { sum: index, median: index === 9 ? null : (index * 37) % 250 };
      const stats = { revenue: figures, mrr: figures, growth: figures, price: figures, multiple: figures };
      return { value, count: 250 - index, onSale: 0, stats };
    });
    const page = (query: string, order = 'count-desc') =>
      render(groupView(groups, { by: 'country', order }, new URLSearchParams(query)) as Html);
    for (const [query, rows, pager] of [
      ['', 100, 'Page 1 of 3Next'],
      ['page=9', 50, 'PreviousPage 3 of 3'],
    ] as const) {
      const html = page(query);
      expect(html.split('<th scope="row">')).toHaveLength(rows + 1);
      expect(textIn(html)).toContain(`Download CSV${pager}`);
      expect(html.match(/%0D%0A/g)).toHaveLength(251);
    }
    expect(decoded(page('page=2'))).toContain('href="/dashboard/explorer?page=3&view=groups&by=country"');
    for (const way of [1, -1]) {
      const html = page('', `price-median-${way === 1 ? 'asc' : 'desc'}`);
      const [, data = ''] = /download="startups-by-country.csv" href="[^,]*,([^"]*)"/.exec(html) ?? [];
      const [, ...lines] = decodeURIComponent(data).trimEnd().split('\r\n');
      expect(lines.at(-1)).toMatch(/^Unknown,/);
      const prices = lines.slice(0, -1).map((line) => line.split(',').at(-2) ?? '');
      // One group has none.
      expect(prices.at(-1)).toBe('');
      const known = prices.slice(0, -1).map(Number);
      expect(known).toEqual(known.toSorted((a, b) => way * (a - b)));
      expect(html).toContain(`aria-sort="${way === 1 ? 'ascending' : 'descending'}"`);
    }
  });
});

describe('what the explorer refuses', () => {
  it('is every invalid parameter, with the words of the API, beside its field', async () => {
    const query = '?category=robots&limit=11&foo=1&onSale=yes&onSale=no&verifiedSince=soon';
    const answer = await see(query);
    expect(answer.status).toBe(400);
    const { details } = (await rest(`/startups${query}`)).error;
    expect(details).toHaveLength(5);
    const text = decoded(answer.text);
    for (const { parameter, message } of details) {
      // Choices are listed once, in their filter, and names of parameters are for programs.
      const shown = message.replace(/^got "?(.*?)"?, allowed: /, '“$1” is not valid. Use ');
      const choices = shown
        .replace(/one of ai, .*/, 'one of its choices')
        .replace(/.*one value, given once/, 'It is set twice. Set it once');
      expect(text).toContain(`${choices.replace(/^unknown parameter.*/, 'There is no such filter')}.`);
      if (!['foo', 'limit'].includes(parameter)) {
        expect(text).toContain(`id="${parameter}-error"`);
        expect(text).toContain(`<a href="#${parameter === 'verifiedSince' ? 'date' : parameter}">`);
      }
    }
    expect(text).toContain('role="alert"');
    expect(text).toContain('These filters were not applied:');
    expect(text).toContain('No filter applies: the list shows all startups.');
  });

  it.each([
    ['?onSale=true&category=robots&foo=1', '?onSale=true'],
    ['?category=ai&minRevenueDollars=much&minPrice=500&maxPrice=100', '?category=ai'],
    ['?search=%21&sort=relevance', ''],
  ])('leaves the invalid filters of %s out of its list, which shows the rest', async (query, valid) => {
    const listOf = ({ text }: Answer) =>
      /<p class="shown">[\s\S]*?<\/p>|<section class="card empty">[\s\S]*?<\/section>/g[Symbol.match](text);
    const [answer, without] = [await see(query), await see(valid)];
    expect([answer.status, without.status]).toEqual([400, 200]);
    expect(listOf(without)).not.toBeNull();
    expect([listOf(answer), shownSlugs(answer)]).toEqual([listOf(without), shownSlugs(without)]);
  });

  it.each([
    ...['5x', '1,5', '1 200', '.5', NINES].map((text) => [
      `?minRevenueDollars=${text}`,
      'minRevenue',
      'Revenue 30d',
      `“${text}” is not valid. Use an amount in US dollars`,
    ]),
    ['?maxGrowthPercent=5k', 'maxGrowth', 'Growth 30d', '“5k” is not valid. Use a percentage'],
    ['?minRevenue=1e3', 'minRevenue', 'Revenue 30d', '“1e3” is not valid. Use an amount in US dollars'],
    ['?minMrr=-100&maxMrr=-120050', 'minMrr', 'MRR', 'The minimum, −$1, is above the maximum, −$1,200.50.'],
    [
      '?minGrowth=0.5&maxGrowth=0.1',
      'minGrowth',
      'Growth 30d',
      'The minimum, 50%, is above the maximum, 10%.',
    ],
    ['?minMrr=1&minMrr=2', 'minMrr', 'MRR', 'It is set twice. Set it once.'],
  ])('is the bound of %s, in the unit of its field', async (query = '', parameter, label, message) => {
    const answer = await see(query);
    expectPage(answer, 400, `aria-describedby="${parameter}-error"`);
    expect(decoded(answer.text)).toContain(`<li><a href="#${parameter}">${label}</a>: ${message}`);
    if (!query.includes('&')) {
      expect(answer.text).toContain(`value="${query.split('=')[1]}"`);
    }
  });

  it('is a page beyond 120 in a minute, whatever each shows: filters and what was seen last stay', async () => {
    site.nextMinute();
    const bob = await site.member('bob@example.com');
    const { key: own } = await site.key({ accountId: bob.accountId });
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
      expect(seconds > 0 && seconds <= 60).toBe(true);
      expect(textIn(refused.text)).toContain('You have opened 120 pages in a minute, which is the limit.');
      expect(refused.text).toContain(`<span data-retry-in="">${seconds}</span> second`);
      expect(decoded(refused.text)).toContain(`<a href="${path}">Try again</a>`);
      expect(refused.text).toMatch(new RegExp(`value="${path === list ? 'ai' : 'saas'}" checked=""`));
      expect(shownSlugs(refused)).toEqual(shown);
    }
    // Other pages have nothing to show; keys, other accounts and GraphiQL have limits of their own.
    expect((await bob.get(`${PATH}/hostile`)).status).toBe(429);
    expect((await site.call('/api/v1/startups', { key: own })).status).toBe(200);
    expect((await ada.get(list)).status).toBe(200);
    site.nextMinute();
    expect((await bob.get(other)).status).toBe(200);
  });

  it.each(['nothing', 'UPPER', '%00', '%E0%A4'])('is %s, which no startup is', async (slug) => {
    expect((await see(`/${slug}`)).status).toBe(404);
  });
});

import { expect, it } from 'vitest';
import { exactText } from '../../src/lib/text/figures.ts';
import type { Grouping } from '../../src/startups/model/vocabulary.ts';
import { sampleStartups } from '../../src/startups/sample/sample.ts';
import { agentOf } from '../api/mcp/agent.ts';
import { openTestGateway } from '../support/gateway.ts';
import { type ListCase, matchingRows } from '../support/model/rest-list.ts';
import {
  expectedCounts,
  expectedGroups,
  expectedRanges,
  expectedStats,
  expectedTechnologies,
  facetColumns,
} from '../support/model/summary.ts';
import { record, rowsOf } from '../support/records.ts';
import { errorsOf, toValue, variablesOf } from './surfaces.ts';

const records = [
  ...sampleStartups({ count: 150, seed: 11 }),
  record('bare'),
  // Of one founder, of whose handle one record has the name of a category in GraphQL.
  record('first', { xHandle: 'ai', techStack: ['SaaS'] }),
  record('second', { xHandle: 'AI', techStack: ['saas', 'ai'] }),
  // A country whose code is the name of a category in GraphQL.
  record('anguilla', { country: 'AI', growth30d: 0.7 }),
];
const gateway = await openTestGateway({ records, limits: 1_000 });
const { key } = await gateway.key();

const figures = '{ count sum min median p90 max }';
const stats = `{ revenue ${figures} mrr ${figures} price ${figures} multiple ${figures} growth ${figures} }`;
const ranges = '{ from to count }';
const document = `query ($filter: StartupFilter, $by: StartupGrouping = CATEGORY) {
  startups(filter: $filter) {
    facets {
      category { value count } paymentProvider { value count } country { value count }
      targetAudience { value count } teamSize { value count } fundingStatus { value count } onSale { value count }
      techStack { value count }
      revenue ${ranges} mrr ${ranges} price ${ranges} multiple ${ranges} growth ${ranges}
    }
    stats ${stats}
    groups(by: $by) { value count onSale stats ${stats} }
    meta { total }
  }
}`;

it.each<[ListCase, Grouping, string]>([
  [{}, 'category', 'CATEGORY'],
  [{ onSale: true, minRevenue: 1 }, 'country', 'COUNTRY'],
  [{ country: 'US,DE', paymentProvider: 'stripe,paddle' }, 'paymentProvider', 'PAYMENT_PROVIDER'],
  [{ techStack: 'rails,go', targetAudience: 'b2b' }, 'targetAudience', 'TARGET_AUDIENCE'],
  [{ xHandle: 'none' }, 'teamSize', 'TEAM_SIZE'],
  [{ category: 'ai,saas', minGrowth: 0, search: 'a' }, 'fundingStatus', 'FUNDING_STATUS'],
  [{ minRevenue: 1 }, 'xHandle', 'X_HANDLE'],
  [{ onSale: true }, 'techStack', 'TECH_STACK'],
])(
  'both surfaces summarise %j by %s alike, as a plain reading of the rules has it',
  async (list, by, name) => {
    const asked = Object.entries({ ...list, by }).map(([name, value]) => [name, String(value)]);
    const rest = await gateway.call(`/api/v1/summary?${new URLSearchParams(asked)}`, { key });
    const graphql = await gateway.graphql(document, { ...variablesOf(list), by: name }, { key });
    const { facets, stats, groups, meta } = graphql.json.data.startups;
    for (const [counts, field] of [
      ...['category', 'paymentProvider', 'targetAudience', 'teamSize', 'fundingStatus'].map((one) => [
        facets[one],
        one,
      ]),
      ...(['country', 'xHandle', 'techStack'].includes(by) ? [] : [[groups, by]]),
    ]) {
      for (const counted of counts) {
        counted.value = counted.value === null ? null : toValue(counted.value, field);
      }
    }
    expect(rest.status).toBe(200);
    expect(rest.json).toEqual({ data: { facets, stats, groups }, meta });
    const rows = matchingRows(records, list);
    expect(meta.total).toBe(rows.length);
    expect([stats, groups]).toEqual([expectedStats(rows), expectedGroups(rows, by, rowsOf(records))]);
    expect(facets).toEqual({
      ...Object.fromEntries(facetColumns.map((column) => [column, expectedCounts(rows, column)])),
      techStack: expectedTechnologies(rowsOf(records), rows),
      ...expectedRanges(rows),
    });
  },
);

it('groups by aliases, each with what it selects', async () => {
  const { json } = await gateway.graphql(
    `{ startups { a: groups(by: CATEGORY) { value } b: groups(by: TEAM_SIZE) { count stats { mrr { median } } } } }`,
    {},
    { key },
  );
  const sizes = expectedGroups(matchingRows(records, {}), 'teamSize');
  expect(json.data.startups.a).toHaveLength(expectedGroups(matchingRows(records, {}), 'category').length);
  expect(json.data.startups.b).toEqual(
    sizes.map(({ count, stats }) => ({ count, stats: { mrr: { median: stats.mrr?.median } } })),
  );
  expect(json.extensions.rateLimit.cost).toBe(3);
});

it('finds nothing to summarise for an empty list of categories', async () => {
  const { json } = await gateway.graphql(document, { filter: { categories: [] } }, { key });
  expect(json.data.startups).toMatchObject({ meta: { total: 0 }, facets: { category: [] } });
  expect(json.data.startups.stats).toEqual(expectedStats([]));
});

it('takes only filters over REST', async () => {
  const refused = await gateway.call('/api/v1/summary?page=1&sort=name-asc&minMrr=x', { key });
  expect(refused.status).toBe(400);
  expect(errorsOf(refused).map(({ parameter }) => parameter)).toEqual(['minMrr', 'page', 'sort']);
  const unknown = await gateway.call('/api/v1/summary?by=categroy', { key });
  expect(unknown.status).toBe(400);
  const message = /^got "categroy" \(did you mean "category"\?\), allowed: one of category, /;
  expect(errorsOf(unknown)).toEqual([{ parameter: 'by', message: expect.stringMatching(message) }]);
  expect((await gateway.call('/api/v1/startups?by=category', { key })).status).toBe(400);
});

it('every surface has the same sums of amounts beyond 2^53: exact, and rounded once', async () => {
  const most = 2 ** 53 - 1;
  const amounts = [...Array.from({ length: 9 }, () => most), 1, 1, 1, 1, 1, 1];
  const revenues = amounts.map((mrr) => ({ last30Days: mrr, mrr, total: most }));
  const large = await openTestGateway({
    records: revenues.map((revenue, index) => record(`large-${index}`, { category: 'ai', revenue })),
    limits: 1_000,
  });
  await large.database.pool.query('SELECT revgate_record_market(revgate_utc_day(clock_timestamp()))');
  const { key: largeKey } = await large.key();
  const sum = Number(amounts.reduce((total, one) => total + BigInt(one), 0n));
  const rest = (path: string) => large.call(`/api/v1${path}`, { key: largeKey });
  const summary = (await rest('/summary?by=category')).json.data;
  const [market] = (await rest('/market?category=ai')).json.data.slice(-1);
  const sums = [summary.stats, summary.groups[0].stats, market].flatMap(({ revenue, mrr }) => [
    revenue.sum,
    mrr.sum,
  ]);
  expect(sums).toEqual(Array.from({ length: 6 }, () => sum));

  const agent = agentOf(large, largeKey);
  for (const [tool, args] of [
    ['summarize_startups', {}],
    ['summarize_startups', { by: 'category' }],
    ['read_market', {}],
  ] as const) {
    expect((await agent.call(tool, args)).text).toContain(exactText(sum).replace('.00', ''));
  }
});

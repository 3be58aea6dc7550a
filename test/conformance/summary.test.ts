import { expect, it } from 'vitest';
import { sampleStartups } from '../../src/startups/sample/sample.ts';
import { openTestGateway } from '../support/gateway.ts';
import { type ListCase, matchingRows } from '../support/model/rest-list.ts';
import type { plurals } from '../support/model/rules.ts';
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
  // A country whose code is the name of a category in GraphQL.
  record('anguilla', { country: 'AI', growth30d: 0.7 }),
];
const gateway = await openTestGateway({ records, limits: 1_000 });
const { key } = await gateway.key();

const figures = '{ count sum min median p90 max }';
const ranges = '{ from to count }';
const document = `query ($filter: StartupFilter) {
  startups(filter: $filter) {
    facets {
      category { value count } paymentProvider { value count } country { value count }
      targetAudience { value count } teamSize { value count } fundingStatus { value count } onSale { value count }
      techStack { value count }
      revenue ${ranges} mrr ${ranges} price ${ranges} multiple ${ranges} growth ${ranges}
    }
    stats { revenue ${figures} mrr ${figures} price ${figures} multiple ${figures} growth ${figures} }
    meta { total }
  }
}`;

const grouped = `query ($filter: StartupFilter, $by: StartupGrouping!) {
  startups(filter: $filter) {
    groups(by: $by) {
      value count onSale
      stats { revenue ${figures} mrr ${figures} price ${figures} multiple ${figures} growth ${figures} }
    }
  }
}`;

it.each<ListCase>([
  {},
  { category: 'ai,saas' },
  { onSale: true, minRevenue: 1 },
  { xHandle: 'none' },
  { country: 'US,DE', paymentProvider: 'stripe,paddle' },
  { targetAudience: 'b2b', minGrowth: 0 },
  { techStack: 'rails,go', targetAudience: 'b2b' },
])('both surfaces summarise %j alike, as a plain reading of the rules has it', async (list) => {
  const query = new URLSearchParams(Object.entries(list).map(([name, value]) => [name, String(value)]));
  const rest = await gateway.call(`/api/v1/summary?${query}`, { key });
  const graphql = await gateway.graphql(document, variablesOf(list), { key });
  const { facets, stats, meta } = graphql.json.data.startups;
  for (const name of ['category', 'paymentProvider', 'targetAudience', 'teamSize', 'fundingStatus']) {
    for (const counted of facets[name]) {
      counted.value = counted.value === null ? null : toValue(counted.value, name);
    }
  }
  expect(rest.status).toBe(200);
  expect(rest.json).toEqual({ data: { facets, stats }, meta });
  const rows = matchingRows(records, list);
  expect(meta.total).toBe(rows.length);
  expect(stats).toEqual(expectedStats(rows));
  const expectedOfRanges = expectedRanges(rows);
  expect(facets).toMatchObject(expectedOfRanges);
  expect(Object.keys(facets).sort()).toEqual(
    [...facetColumns, 'techStack', ...Object.keys(expectedOfRanges)].sort(),
  );
  expect(facets.techStack).toEqual(expectedTechnologies(rowsOf(records), rows));
  for (const column of facetColumns) {
    expect(facets[column]).toEqual(expectedCounts(rows, column));
  }
});

it.each<[keyof typeof plurals, string, ListCase]>([
  ['category', 'CATEGORY', {}],
  ['country', 'COUNTRY', { onSale: true }],
  ['paymentProvider', 'PAYMENT_PROVIDER', { minRevenue: 1, sort: 'relevance', search: 'a' }],
  ['targetAudience', 'TARGET_AUDIENCE', { category: 'ai,saas' }],
  ['teamSize', 'TEAM_SIZE', { xHandle: 'none' }],
  ['fundingStatus', 'FUNDING_STATUS', { minGrowth: 0 }],
])('both surfaces group by %s alike, as a naive grouping does', async (by, name, { sort: _, ...list }) => {
  const query = new URLSearchParams(
    Object.entries({ ...list, by }).map(([name, value]) => [name, String(value)]),
  );
  const rest = await gateway.call(`/api/v1/summary?${query}`, { key });
  const graphql = await gateway.graphql(grouped, { ...variablesOf(list), by: name }, { key });
  const { groups } = graphql.json.data.startups;
  for (const group of groups) {
    group.value = group.value === null || by === 'country' ? group.value : toValue(group.value, by);
  }
  expect(rest.status).toBe(200);
  expect(rest.json.data).toEqual({ facets: rest.json.data.facets, stats: rest.json.data.stats, groups });
  expect(groups).toEqual(expectedGroups(matchingRows(records, list), by));
});

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
  expect(errorsOf(unknown)).toEqual([
    {
      parameter: 'by',
      message: expect.stringMatching(
        /^got "categroy", allowed: one of category, .*; did you mean "category"/,
      ),
    },
  ]);
  expect((await gateway.call('/api/v1/startups?by=category', { key })).status).toBe(400);
});

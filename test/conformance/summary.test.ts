import { expect, it } from 'vitest';
import { sampleStartups } from '../../src/startups/import/sample.ts';
import { expectedCounts, expectedStats, facetColumns } from '../catalogue/oracle.ts';
import { openTestGateway } from '../support/gateway.ts';
import { type ListCase, matchingRows } from '../support/oracle.ts';
import { record } from '../support/records.ts';
import { errorsOf, toValue, variablesOf } from './surfaces.ts';

const records = [
  ...sampleStartups({ count: 150, seed: 11 }),
  record('bare'),
  // A country whose code is the name of a category in GraphQL.
  record('anguilla', { country: 'AI', growth30d: 0.7 }),
];
const gateway = await openTestGateway({ records, limits: 100 });
const { key } = await gateway.key();

const figures = '{ count sum min median p90 max }';
const document = `query ($filter: StartupFilter) {
  startups(filter: $filter) {
    facets {
      category { value count } paymentProvider { value count } country { value count }
      targetAudience { value count } teamSize { value count } fundingStatus { value count } onSale { value count }
    }
    stats { revenue ${figures} mrr ${figures} price ${figures} multiple ${figures} growth ${figures} }
    meta { total }
  }
}`;

it.each<ListCase>([
  {},
  { category: 'ai' },
  { category: 'ai,saas' },
  { onSale: true },
  { onSale: true, minRevenue: 1 },
  { teamSize: '51+' },
  { xHandle: 'none' },
  { country: 'US,DE', paymentProvider: 'stripe,paddle' },
  { targetAudience: 'b2b', minGrowth: 0 },
  { minGrowth: 0.007, maxGrowth: 0.007 },
  { minPrice: 1, maxRevenue: 5_000_000 },
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
  expect(Object.keys(facets).sort()).toEqual([...facetColumns].sort());
  for (const column of facetColumns) {
    expect(facets[column]).toEqual(expectedCounts(rows, column));
  }
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
});

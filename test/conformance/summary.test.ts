import { expect, it } from 'vitest';
import { sampleStartups } from '../../src/startups/import/sample.ts';
import { openTestGateway } from '../support/gateway.ts';
import { errorsOf, toValue, variablesOf } from './surfaces.ts';

const gateway = await openTestGateway({
  records: [...sampleStartups({ count: 120, seed: 7 })],
  limits: { standard: 100, premium: 100 },
});
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

it.each([
  {},
  { category: 'ai,saas' },
  { onSale: true, minRevenue: 1 },
  { teamSize: '51+' },
  { xHandle: 'none' },
])('both surfaces summarise %j alike', async (list) => {
  const query = new URLSearchParams(Object.entries(list).map(([name, value]) => [name, String(value)]));
  const rest = await gateway.call(`/api/v1/summary?${query}`, { key });
  const { filter } = variablesOf(list) as { filter: object };
  const graphql = await gateway.graphql(document, { filter }, { key });
  const { facets, stats, meta } = graphql.json.data.startups;
  for (const name of ['category', 'paymentProvider', 'targetAudience', 'teamSize', 'fundingStatus']) {
    for (const counted of facets[name]) {
      counted.value = counted.value === null ? null : toValue(counted.value, name);
    }
  }
  expect(rest.status).toBe(200);
  expect(rest.json).toEqual({ data: { facets, stats }, meta });
  expect(meta.total).toBe((await gateway.call(`/api/v1/startups?${query}`, { key })).json.meta.total);
});

it('costs 3 on both surfaces, and takes only filters over REST', async () => {
  const before = await gateway.call('/api/v1/startups', { key });
  const left = (answer: typeof before): number => Number(answer.headers['x-ratelimit-remaining']);
  const rest = await gateway.call('/api/v1/summary', { key });
  const graphql = await gateway.graphql(document, {}, { key });
  expect([left(rest), left(graphql)]).toEqual([left(before) - 3, left(before) - 6]);
  const refused = await gateway.call('/api/v1/summary?page=1&sort=name-asc&minMrr=x', { key });
  expect(refused.status).toBe(400);
  expect(errorsOf(refused).map(({ parameter }) => parameter)).toEqual(['minMrr', 'page', 'sort']);
});

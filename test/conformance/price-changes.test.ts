import { expect, it } from 'vitest';
import { openTestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';
import { surfaces } from './surfaces.ts';

const gateway = await openTestGateway({
  records: [
    record('reduced', { askingPrice: 100_00, onSale: true }),
    record('raised', { askingPrice: 100_00, onSale: true }),
    record('unlisted', { askingPrice: 100_00 }),
    record('unchanged', { askingPrice: 100_00 }),
  ],
  limits: 1_000,
});
const { key } = await gateway.key();

it('both surfaces find and show reduced prices alike', async () => {
  await gateway.database.pool.query(
    `UPDATE startups SET asking_price = CASE slug WHEN 'reduced' THEN 8000 WHEN 'raised' THEN 12000 END
     WHERE slug <> 'unchanged'`,
  );
  await expect
    .poll(async () => (await surfaces.rest(gateway, { priceReducedSince: '2020-01-01' }, key)).data?.length)
    .toBe(1);
  const rest = await surfaces.rest(gateway, { priceReducedSince: '2020-01-01' }, key);
  const graphql = await surfaces.graphql(gateway, { priceReducedSince: '2020-01-01' }, key);
  expect(rest.data?.map(({ slug }) => slug)).toEqual(['reduced']);
  expect(graphql.data).toEqual(rest.data);
  const later = { priceReducedSince: '2100-01-01', onSale: true };
  expect((await surfaces.rest(gateway, later, key)).meta).toMatchObject({ total: 0 });
  for (const [slug, previous] of [
    ['reduced', 100_00],
    ['raised', 100_00],
    ['unlisted', null],
    ['unchanged', null],
  ] as const) {
    const { data } = (await gateway.call(`/api/v1/startups/${slug}`, { key })).json;
    const answer = await gateway.graphql(
      `{ startup(slug: "${slug}") { previousAskingPrice askingPriceChangedAt updatedAt } }`,
      {},
      { key },
    );
    const { startup } = answer.json.data;
    expect(data.previousAskingPrice).toBe(previous);
    expect(data.askingPriceChangedAt).toBe(previous === null ? null : startup.updatedAt);
    expect(startup).toMatchObject({
      previousAskingPrice: data.previousAskingPrice,
      askingPriceChangedAt: data.askingPriceChangedAt,
    });
  }
});

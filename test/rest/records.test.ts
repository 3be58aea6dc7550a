import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Prisma } from '../../src/db/generated/client/client.ts';
import { createRestRecords, detailJson } from '../../src/rest/records.ts';
import type { Catalogue } from '../../src/startups/catalogue/catalogue.ts';
import { createStartupRows } from '../../src/startups/rows.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { record } from '../support/records.ts';

const clock = createTestClock();
let gateway: TestGateway;
let key: string;
beforeAll(async () => {
  const revenue = (total: number) => ({ last30Days: total, mrr: total, total });
  gateway = await openTestGateway({
    clock,
    records: [
      record('one', { revenue: revenue(100), name: '"rank":7 ,"teamSize":"1" \\ 🚀' }),
      record('two', { revenue: revenue(200), teamSize: null }),
    ],
    limits: { standard: 10_000, premium: 10_000 },
    caches: { rows: 0, records: 1_000_000, answers: 0 },
  });
  ({ key } = await gateway.key());
});
afterAll(() => gateway.close());

/** Changes a record after a quiet time, and lets a second pass. */
async function change(slug: string, data: Prisma.StartupUpdateInput): Promise<void> {
  await clock.advance(1_000);
  await gateway.database.prisma.startup.update({ where: { slug }, data });
  await clock.advance(1_000);
}
const detail = async (slug: string) => (await gateway.call(`/api/v1/startups/${slug}`, { key })).json.data;
const list = async () => (await gateway.call('/api/v1/startups', { key })).json.data;

it('records are read once, for lists and details, and say the same', async () => {
  const listed = await list();
  gateway.queries.length = 0;
  expect(listed.map(({ rank }: { rank: number }) => rank)).toEqual([1, 2]);
  const { teamSize, fundingStatus, ...shared } = await detail('one');
  expect(listed[1]).toEqual(shared);
  expect(shared.name).toBe('"rank":7 ,"teamSize":"1" \\ 🚀');
  expect([teamSize, fundingStatus]).toEqual([null, null]);
  expect(gateway.rowQueries()).toEqual([]);
});

it('a rank that changes with another record needs no row, and is another answer', async () => {
  // Both are read here, whatever was asked before.
  await list();
  const before = await gateway.call('/api/v1/startups/one', { key });
  expect(before.json.data.rank).toBe(2);
  gateway.queries.length = 0;
  await change('two', { revenueTotal: 1n });
  await expect.poll(async () => (await detail('one')).rank).toBe(1);
  const after = await gateway.call('/api/v1/startups/one', { key });
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(gateway.rowQueries()).toEqual([]);
  await change('two', { revenueTotal: 200n });
  await expect.poll(async () => (await detail('one')).rank).toBe(2);
});

it('a record that many ask for at once takes the room of one', async () => {
  const { pool } = gateway.database;
  const reader = createRestRecords({ rows: createStartupRows({ pool, capacity: 0 }), capacity: 32_000 });
  const stored = await pool.query('SELECT id, revision FROM startups');
  const revisions = new Map(stored.rows.map(({ id, revision }) => [id, Number(revision)]));
  const catalogue = { revisionOf: (id: number) => revisions.get(id), rank: () => 1 } as unknown as Catalogue;
  await reader.bySlugs(['two'], catalogue);
  await Promise.all(Array.from({ length: 100 }, () => reader.bySlugs(['one'], catalogue)));
  gateway.queries.length = 0;
  const found = await reader.bySlugs(['two', 'one'], catalogue);
  expect(found.map((one) => one && JSON.parse(detailJson('', one, '').toString()).slug)).toEqual([
    'two',
    'one',
  ]);
  expect(gateway.rowQueries()).toEqual([]);
});

it('a record is not found under a slug that it had', async () => {
  await detail('one');
  const status = async (slug: string) => (await gateway.call(`/api/v1/startups/${slug}`, { key })).status;
  await change('one', { slug: 'other' });
  await expect.poll(() => status('one')).toBe(404);
  expect((await detail('other')).rank).toBe(2);
  await change('other', { slug: 'one' });
  await expect.poll(() => status('other')).toBe(404);
});

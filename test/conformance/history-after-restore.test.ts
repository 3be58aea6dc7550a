import { beforeEach, describe, expect, it } from 'vitest';
import { backUp, restore } from '../db/backup/backup-file.ts';
import { createTestClock } from '../support/clock.ts';
import { openTestDatabase } from '../support/database.ts';
import { openTestGateway, type TestGateway } from '../support/gateway.ts';
import { insertRecords, record } from '../support/records.ts';

describe('between the restore of another database and the next edition', () => {
  const clock = createTestClock();
  let gateway: TestGateway;
  let key: string;

  beforeEach(async () => {
    const other = await openTestDatabase();
    await insertRecords(other, [record('of-other', { customers: 77 })]);
    gateway = await openTestGateway({
      records: [record('one', { customers: 10 })],
      limits: 1_000,
      // The poll runs when the clock advances.
      clock,
    });
    key = (await gateway.key()).key;
    // The key must be known, as the restore removes it.
    expect((await gateway.call('/api/v1/startups/one/history', { key })).status).toBe(200);
    await restore(gateway.database, await backUp(other));
  });

  it('history and market are unavailable on both surfaces, and records are of the old database', async () => {
    for (const path of [
      '/api/v1/startups/one/history',
      '/api/v1/startups/one/history?fill=true',
      '/api/v1/market',
    ]) {
      const { status, json, headers } = await gateway.call(path, { key });
      expect([path, status, json.error?.code, headers['retry-after']]).toEqual([
        path,
        503,
        'SERVICE_UNAVAILABLE',
        '5',
      ]);
    }
    const { json } = await gateway.graphql(
      '{ market { count } startup(slug: "one") { customers history { customers } } startups { nodes { slug history { customers } } } }',
      {},
      { key },
    );
    expect(json.data).toEqual({
      market: null,
      startup: { customers: 10, history: null },
      startups: { nodes: [{ slug: 'one', history: null }] },
    });
    expect(
      json.errors.map(({ path, extensions }: { path: string[]; extensions: { code: string } }) => [
        path[0],
        extensions.code,
      ]),
    ).toEqual([
      ['market', 'SERVICE_UNAVAILABLE'],
      ['startup', 'SERVICE_UNAVAILABLE'],
      ['startups', 'SERVICE_UNAVAILABLE'],
    ]);
  });

  it('which then has the history of the new database', async () => {
    const { key: newKey } = await gateway.key();
    const read = async () => {
      await clock.advance(1_000);
      const { status, json } = await gateway.call('/api/v1/startups/of-other/history', { key: newKey });
      return [status, json.data?.map(({ customers }: { customers: number }) => customers)];
    };
    await expect.poll(read).toEqual([200, [77]]);
    expect((await gateway.call('/api/v1/startups/one/history', { key: newKey })).status).toBe(404);
  });
});

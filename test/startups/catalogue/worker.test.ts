import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type LiveCatalogue, openCatalogue } from '../../../src/startups/catalogue/live.ts';
import { openTestDatabase } from '../../support/database.ts';
import { insertRows } from './database-rows.ts';
import { expectedList } from './oracle.ts';
import { manyRows } from './rows.ts';

const rows = manyRows(300, 2);
const faults: unknown[] = [];
let database: Awaited<ReturnType<typeof openTestDatabase>>;
let live: LiveCatalogue;

describe('the catalogue of a database', () => {
  beforeAll(async () => {
    database = await openTestDatabase();
  });
  beforeEach(async () => {
    faults.length = 0;
    await database.pool.query('TRUNCATE startups');
    const client = await database.connect();
    await insertRows(client, rows);
    await client.end();
    live = await openCatalogue({
      connect: () => database.threadConnection(),
      now: Date.now,
      onFault: (error) => faults.push(error),
    });
  });

  afterEach(async () => {
    await live.close();
  });
  afterAll(() => database.close());

  it('is built in a thread of its own and follows changes', async () => {
    const query = { filter: {}, sort: 'best-deal', offset: 20, limit: 10, total: true } as const;
    expect(live.current().find(query)).toEqual({
      ids: expectedList(rows, {}, 'best-deal')
        .slice(20, 30)
        .map(({ id }) => id),
      total: 300,
      hasMore: true,
    });
    await database.pool.query('DELETE FROM startups WHERE id = 1');
    expect(live.current().size).toBe(300);
    const fresh = await live.fresh();
    expect(fresh.size).toBe(299);
    expect(live.current()).toBe(fresh);
    await database.pool.query('UPDATE startups SET revenue_last_30_days = 9007199254740991 WHERE id = 3');
    const { ids } = (await live.fresh()).find({
      filter: {},
      sort: 'revenue-desc',
      offset: 0,
      limit: 1,
      total: false,
    });
    expect(ids).toEqual([3]);
    expect(faults).toEqual([]);
  });

  it('is built again after a failure, over a new connection', async () => {
    await database.pool.query('ALTER TABLE startups RENAME TO elsewhere');
    await expect(live.fresh()).rejects.toThrow('startups');
    expect(live.current().size).toBe(300);
    await database.pool.query('ALTER TABLE elsewhere RENAME TO startups');
    expect((await live.fresh()).size).toBe(300);
  });
});

describe('openCatalogue', () => {
  it('fails with the reason when the database cannot be reached', async () => {
    const opening = openCatalogue({
      connect: () => ({ connectionString: 'postgres://postgres@127.0.0.1:1/none' }),
      now: Date.now,
      onFault: () => {},
    });
    await expect(opening).rejects.toThrow('ECONNREFUSED');
  });
});

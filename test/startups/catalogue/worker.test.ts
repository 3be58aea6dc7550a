import { beforeEach, describe, expect, it } from 'vitest';
import type { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import { type LiveCatalogue, openCatalogue } from '../../../src/startups/catalogue/live-catalogue.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openTestDatabase } from '../../support/database.ts';
import { expectedList } from '../../support/model/rules.ts';
import { readRevisions } from '../../support/revisions.ts';
import { insertRows } from './database-rows.ts';
import { find } from './editions.ts';
import { manyRows } from './rows.ts';

const rows = manyRows(300, 2);
const errors: unknown[] = [];
const database = await openTestDatabase();
const client = await database.openClient();
let live: LiveCatalogue;

describe('the catalogue of a database', () => {
  beforeEach(async () => {
    errors.length = 0;
    await client.query('TRUNCATE startups');
    await insertRows(client, rows);
    live = await openCatalogue({
      connect: () => database.threadConnection(),
      now: Date.now,
      onError: (error) => errors.push(error),
    });
    closeAfterwards(() => live.close());
  });

  /** Tells of the revision that the database has until a catalogue shows it. */
  async function follow(): Promise<Catalogue> {
    const { dataset } = await readRevisions(database.pool);
    await expect
      .poll(
        () => {
          live.notify(Number(dataset));
          return live.current().revision;
        },
        { interval: 20 },
      )
      .toBe(Number(dataset));
    return live.current();
  }

  it('is built in a thread of its own and follows changes', async () => {
    const query = { filter: {}, sort: 'best-deal', page: 3, limit: 10, total: true } as const;
    expect(find(live.current(), query)).toEqual({
      ids: expectedList(rows, {}, 'best-deal')
        .slice(20, 30)
        .map(({ id }) => id),
      total: 300,
      hasMore: true,
    });
    await database.pool.query('DELETE FROM startups WHERE id = 1');
    expect(live.current().size).toBe(300);
    expect((await follow()).size).toBe(299);
    await database.pool.query(
      "UPDATE startups SET revenue_last_30_days = 9007199254740991, slug = 'another' WHERE id = 3",
    );
    const updated = await follow();
    expect(find(updated, { filter: {}, sort: 'revenue-desc', limit: 1, total: false }).ids).toEqual([3]);
    expect([updated.get('another')?.id, updated.get('startup-3')]).toEqual([3, null]);
    expect(errors).toEqual([]);
  });

  it('is built again after a failure, over a new connection', async () => {
    await database.pool.query("UPDATE startups SET name = 'new' WHERE id = 3");
    await database.pool.query('ALTER TABLE startups RENAME TO elsewhere');
    const { dataset } = await readRevisions(database.pool);
    await expect
      .poll(
        () => {
          live.notify(Number(dataset));
          return errors.length;
        },
        { interval: 20 },
      )
      .toBe(1);
    expect(String(errors[0])).toContain('startups');
    expect(live.current().size).toBe(300);
    await database.pool.query('ALTER TABLE elsewhere RENAME TO startups');
    expect((await follow()).get('startup-3')?.name).toBe('new');
  });
});

describe('openCatalogue', () => {
  it('fails with the reason when the database cannot be reached', async () => {
    const opening = openCatalogue({
      connect: () => ({ connectionString: 'postgres://postgres@127.0.0.1:1/none' }),
      now: Date.now,
      onError: () => {},
    });
    await expect(opening).rejects.toThrow('ECONNREFUSED');
  });
});

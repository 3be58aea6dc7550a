import { expect, it } from 'vitest';
import { openCatalogue } from '../../../src/startups/catalogue/live-catalogue.ts';
import { createBuilder } from '../../../src/startups/catalogue/load/catalogue-builder.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { openTestDatabase } from '../../support/database.ts';
import { readRevisions } from '../../support/revisions.ts';
import { insertRows } from './database-rows.ts';
import { manyRows } from './rows.ts';

it('a catalogue is built in a thread of its own, follows changes, and after a failure over a new connection', async () => {
  const database = await openTestDatabase();
  const client = await database.openClient();
  await insertRows(client, manyRows(300, 2));
  const errors: unknown[] = [];
  const live = await openCatalogue(
    createBuilder(() => database.threadConnection()),
    {
      now: Date.now,
      onError: (error) => errors.push(error),
    },
  );
  closeAfterwards(() => live.close());
  /** Tells of the revision that the database has until something is seen. */
  const follow = async (see: (revision: number) => unknown, expected: unknown): Promise<void> => {
    const revision = Number((await readRevisions(database.pool)).dataset);
    const look = () => {
      live.notify(revision);
      return see(revision);
    };
    await expect.poll(look, { interval: 20 }).toEqual(expected);
  };
  const shown = (revision: number) => live.current().revision === revision;

  expect(live.current().size).toBe(300);
  await database.pool.query('DELETE FROM startups WHERE id = 1');
  expect(live.current().size).toBe(300);
  await follow(shown, true);
  expect([live.current().size, errors]).toEqual([299, []]);

  await database.pool.query("UPDATE startups SET name = 'new' WHERE id = 3");
  await database.pool.query('ALTER TABLE startups RENAME TO elsewhere');
  await follow(() => errors.length, 1);
  expect(String(errors[0])).toContain('startups');
  expect(live.current().size).toBe(299);
  await database.pool.query('ALTER TABLE elsewhere RENAME TO startups');
  await follow(shown, true);
  expect(live.current().get('startup-3')?.name).toBe('new');
});

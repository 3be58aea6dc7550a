import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { openTestDatabase } from '../../support/database.ts';
import { insertRecords, record } from '../../support/records.ts';
import { backUp, readRows, restore, rewrite } from './backup-file.ts';

/** A database with a history: some points, changed and removed startups, and a market. */
async function openFilled(): Promise<Database> {
  const database = await openTestDatabase();
  await insertRecords(database, [record('a'), record('b', { category: 'ai' }), record('c')]);
  for (const sql of [
    "UPDATE startups SET customers = 11 WHERE slug = 'a'",
    "DELETE FROM startups WHERE slug = 'c'",
    "UPDATE startups SET slug = 'renamed' WHERE slug = 'b'",
    "INSERT INTO startup_points SELECT id, '2026-01-02', 1, 2, 3, 4, 5, 6, true FROM startups",
    "SELECT revgate_record_market(day) FROM unnest('{2026-01-02, 2026-03-04}'::date[]) AS t (day)",
    `INSERT INTO imports (finished_at, sources, imported_by, duration_ms, created, updated, unchanged, rejected, removed, as_of)
     VALUES ('2026-03-04T05:06:07.089Z', '{a}', 'x', 1, 1, 1, 1, 1, 1, '2026-01-02')`,
  ]) {
    await database.pool.query(sql);
  }
  return database;
}

it('a restore leaves exactly the history of the backup, also between kinds of databases', async () => {
  const source = await openFilled();
  const history = await readRows(source);
  const embedded = await openTestDatabase(undefined, 'embedded');
  await restore(embedded, await backUp(source));
  expect(await readRows(embedded)).toEqual(history);

  // What was there leaves neither rows nor removals behind.
  const target = await openTestDatabase();
  await insertRecords(target, [record('other'), record('removed')]);
  await target.pool.query("DELETE FROM startups WHERE slug = 'removed'");
  await restore(target, await backUp(embedded));
  expect(await readRows(target)).toEqual(history);
  // From then on, changes are recorded as ever.
  await target.pool.query("DELETE FROM startups WHERE slug = 'a'");
  expect((await readChanges(target)).at(-1)).toBe('a');
});

/** All changes, in the order in which readers get them. */
async function readChanges({ pool }: Database): Promise<string[]> {
  const { rows } = await pool.query(
    `SELECT slug FROM (
       SELECT slug, revision, id FROM startups UNION ALL SELECT slug, revision, -startup_id FROM startup_removals
     ) AS c ORDER BY revision, id`,
  );
  return rows.map(({ slug }) => slug);
}

it('a restore keeps the order in which startups changed and were removed', async () => {
  const source = await openTestDatabase();
  await insertRecords(source, [record('a'), record('b'), record('c'), record('d'), record('e')]);
  await source.pool.query("UPDATE startups SET customers = 11 WHERE slug = 'b'");
  await source.pool.query("DELETE FROM startups WHERE slug = 'd'");
  await source.pool.query("UPDATE startups SET customers = 11 WHERE slug = 'a'");
  const order = ['c', 'e', 'b', 'd', 'a'];
  expect(await readChanges(source)).toEqual(order);
  const target = await openTestDatabase();
  await restore(target, await backUp(source));
  expect(await readChanges(target)).toEqual(order);
  // Later changes follow.
  await target.pool.query("UPDATE startups SET customers = 12 WHERE slug = 'c'");
  expect(await readChanges(target)).toEqual(['e', 'b', 'd', 'a', 'c']);
});

it('revisions continue after all restored ones, also where the mark of a backup is older than its rows', async () => {
  const source = await openFilled();
  const path = await backUp(source);
  rewrite(path, (text) =>
    text
      .replace(/"mark":\{"dataset":\d+/, '"mark":{"dataset":0')
      .replaceAll(/"revision":\d+/g, '"revision":1000'),
  );
  const target = await openTestDatabase();
  await restore(target, path);
  const { rows } = await target.pool.query("SELECT value::integer FROM revisions WHERE name = 'dataset'");
  expect(rows[0].value).toBeGreaterThan(1_000);
});

import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { openTestDatabase } from '../../support/database.ts';
import { insertRecords, record } from '../../support/records.ts';
import { backUp, restore, rewrite } from './backup-file.ts';

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

/** The history, and the times of the startups. */
async function readHistory({ pool }: Database): Promise<unknown> {
  const { rows } = await pool.query(
    `SELECT 'point' AS kind, to_jsonb(p) AS row FROM startup_points AS p
     UNION ALL SELECT 'removal', to_jsonb(r) || jsonb_build_object('removed_at', removed_at::timestamptz AT TIME ZONE 'UTC')
       FROM startup_removals AS r
     UNION ALL SELECT 'market', to_jsonb(m) FROM market_days AS m
     UNION ALL SELECT 'times', jsonb_build_array(id, slug, created_at AT TIME ZONE 'UTC', updated_at AT TIME ZONE 'UTC')
       FROM startups
     UNION ALL SELECT 'import', to_jsonb(as_of) FROM imports ORDER BY 1, 2`,
  );
  return rows;
}

it('a restore leaves exactly the history of the backup, also between kinds of databases', async () => {
  const source = await openFilled();
  const history = await readHistory(source);
  const embedded = await openTestDatabase(undefined, 'embedded');
  await restore(embedded, await backUp(source));
  expect(await readHistory(embedded)).toEqual(history);

  // What was there leaves neither points nor removals behind.
  const target = await openTestDatabase();
  await insertRecords(target, [record('other'), record('removed')]);
  await target.pool.query("DELETE FROM startups WHERE slug = 'removed'");
  await restore(target, await backUp(embedded));
  expect(await readHistory(target)).toEqual(history);
  // From then on, changes are recorded as ever.
  await target.pool.query("DELETE FROM startups WHERE slug = 'a'");
  const { rows } = await target.pool.query(
    "SELECT revision = (SELECT value FROM revisions WHERE name = 'dataset') AS is_last FROM startup_removals WHERE slug = 'a'",
  );
  expect(rows).toEqual([{ is_last: true }]);
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

import { expect, it } from 'vitest';
import type { Database } from '../../src/db/open.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRecords, record } from '../support/records.ts';
import { backUp, readParts, restore, rewrite } from './backup-file.ts';

/** A database with a history: some points, changed and removed startups, and a market. */
async function openFilled(): Promise<Database> {
  const database = await openTestDatabase();
  const { pool } = database;
  await insertRecords(database, [record('a'), record('b', { category: 'ai' }), record('c')]);
  await pool.query("UPDATE startups SET customers = 11 WHERE slug = 'a'");
  await pool.query("DELETE FROM startups WHERE slug = 'c'");
  await pool.query("UPDATE startups SET slug = 'renamed' WHERE slug = 'b'");
  await pool.query(
    "INSERT INTO startup_points SELECT id, '2026-01-02', 1, 2, 3, 4, 5, 6, true FROM startups",
  );
  await pool.query(
    `SELECT revgate_record_market(day) FROM unnest('{2026-01-02, 2026-03-04}'::date[]) AS t (day)`,
  );
  await pool.query(
    `INSERT INTO imports (finished_at, sources, imported_by, duration_ms, created, updated, unchanged, rejected, removed, as_of)
     VALUES ('2026-03-04T05:06:07.089Z', '{a}', 'x', 1, 1, 1, 1, 1, 1, '2026-01-02')`,
  );
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

it('a backup of a version without a history begins one, of the last import', async () => {
  const source = await openFilled();
  const path = await backUp(source);
  rewrite(path, (text) => asBefore('0011', text));
  const target = await openTestDatabase();
  await insertRecords(target, [record('other')]);
  await restore(target, path);
  const { rows } = await target.pool.query(
    `SELECT slug, created_at, updated_at, day::text, p.customers FROM startups AS s
     JOIN startup_points AS p ON p.startup_id = s.id ORDER BY slug`,
  );
  const since = new Date('2026-03-04T05:06:07.089Z');
  const times = { created_at: since, updated_at: since, day: '2026-03-04' };
  expect(rows).toEqual([
    { slug: 'a', customers: 11, ...times },
    { slug: 'renamed', customers: 10, ...times },
  ]);
  const market = await target.pool.query('SELECT day::text, category, count FROM market_days ORDER BY 2');
  expect(market.rows).toEqual([
    { day: '2026-03-04', category: '', count: 2 },
    { day: '2026-03-04', category: 'ai', count: 1 },
  ]);
  expect((await target.pool.query('SELECT FROM startup_removals')).rowCount).toBe(0);
});

it('a backup of a version that forgot removed startups tells their removals, and the last categories', async () => {
  const source = await openFilled();
  const path = await backUp(source);
  rewrite(path, (text) => asBefore('0016', text));
  const target = await openTestDatabase();
  await restore(target, path);
  const { rows } = await target.pool.query(
    `SELECT slug, p.day = revgate_utc_day(updated_at) AS is_last, p.category FROM startups AS s
     JOIN startup_points AS p ON p.startup_id = s.id ORDER BY slug, p.day`,
  );
  expect(rows).toEqual([
    { slug: 'a', is_last: false, category: '' },
    { slug: 'a', is_last: true, category: null },
    { slug: 'renamed', is_last: false, category: '' },
    { slug: 'renamed', is_last: true, category: 'ai' },
  ]);
  const removed = 'SELECT startup_id, slug, day::text FROM removed_startups';
  expect((await target.pool.query(removed)).rows).toEqual((await source.pool.query(removed)).rows);
  const { rows: states } = await target.pool.query(
    `SELECT slug, (revgate_point_on(id, '2026-01-02')).category FROM startups ORDER BY slug`,
  );
  expect(states).toEqual([
    { slug: 'a', category: null },
    { slug: 'renamed', category: 'ai' },
  ]);
});

/** What the version before a migration would have written, but for the checksum. */
function asBefore(migration: '0011' | '0016', text: string): string {
  const isWithoutHistory = migration === '0011';
  const newTables = isWithoutHistory
    ? /^(startup_points|(startup|market)_(removals|days)|(removed|unchanged)_startups)$/
    : /^(removed|unchanged)_startups$/;
  const header = JSON.parse(text.slice(0, text.indexOf('\n')));
  header.migrations = header.migrations.filter(({ name }: { name: string }) => name < migration);
  const lines = [JSON.stringify(header)];
  for (const { header: table, rows } of readParts(text)) {
    const isNew = (column: string): boolean =>
      (isWithoutHistory && table.table === 'startups' && /^(created|updated)_at$/.test(column)) ||
      (isWithoutHistory && column === 'as_of') ||
      (table.table === 'startup_points' && column === 'category') ||
      (table.table === 'market_days' && /^known$|_(near|below)$/.test(column));
    if (!newTables.test(table.table)) {
      lines.push(JSON.stringify({ ...table, columns: table.columns.filter((column) => !isNew(column)) }));
      for (const row of rows) {
        lines.push(JSON.stringify(JSON.parse(row, (name, value) => (isNew(name) ? undefined : value))));
      }
    }
  }
  return `${lines.join('\n')}\n{}\n`;
}

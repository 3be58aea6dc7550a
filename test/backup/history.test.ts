import { createHash, randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { expect, it, onTestFinished } from 'vitest';
import { parseTable } from '../../src/backup/format.ts';
import { restoreBackup } from '../../src/backup/restore.ts';
import { writeBackup } from '../../src/backup/write.ts';
import { type Database, openDatabase } from '../../src/db/open.ts';
import { testDirectory } from '../cli/process.ts';
import { openTestDatabase } from '../support/database.ts';
import { insertRecords, record } from '../support/records.ts';

const NOW = Date.parse('2026-11-22T12:00:00Z');

async function open(): Promise<Database> {
  const database = await openTestDatabase();
  onTestFinished(() => database.close());
  return database;
}

/** A database with a history: some points, changed and removed startups, and a market. */
async function openFilled(): Promise<Database> {
  const database = await open();
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

async function backUp(database: Database): Promise<string> {
  const path = join(testDirectory(), `${randomBytes(4).toString('hex')}.gz`);
  const client = await database.connect();
  await writeBackup({ client, kind: database.kind, path, now: () => NOW }).finally(() => client.end());
  return path;
}

async function restore(database: Database, path: string): Promise<void> {
  const client = await database.connect();
  const options = { client, kind: database.kind, path, actor: 'x', now: () => NOW, yes: true };
  await restoreBackup(options).finally(() => client.end());
}

it('a restore leaves exactly the history of the backup, also between kinds of databases', async () => {
  const source = await openFilled();
  const history = await readHistory(source);
  const embedded = await openDatabase({ kind: 'embedded', directory: undefined }, () => {});
  onTestFinished(() => embedded.close());
  await restore(embedded, await backUp(source));
  expect(await readHistory(embedded)).toEqual(history);

  // What was there leaves neither points nor removals behind.
  const target = await open();
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

it('a backup of a version without a history begins one, of the last import', async () => {
  const source = await openFilled();
  const path = await backUp(source);
  writeFileSync(path, gzipSync(withoutHistory(gunzipSync(readFileSync(path)).toString('utf8'))));
  const target = await open();
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

/** What the version before would have written. */
function withoutHistory(text: string): string {
  const [first = '', ...lines] = text.split('\n');
  const header = JSON.parse(first);
  header.migrations = header.migrations.filter(({ name }: { name: string }) => name < '0011');
  const kept = [JSON.stringify(header)];
  for (let at = 0; ; ) {
    const table = parseTable(lines[at] ?? '');
    if (table === undefined) {
      break;
    }
    const isNew = (column: string): boolean =>
      (table.table === 'startups' && /^(created|updated)_at$/.test(column)) || column === 'as_of';
    if (!/^(startup_points|startup_removals|market_days)$/.test(table.table)) {
      kept.push(JSON.stringify({ ...table, columns: table.columns.filter((column) => !isNew(column)) }));
      for (const line of lines.slice(at + 1, at + 1 + table.rows)) {
        kept.push(JSON.stringify(JSON.parse(line, (name, value) => (isNew(name) ? undefined : value))));
      }
    }
    at += 1 + table.rows;
  }
  const body = `${kept.join('\n')}\n`;
  return `${body}{"kind":"end","sha256":"${createHash('sha256').update(body).digest('hex')}"}\n`;
}

import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { type Migration, migrate, readMigrations } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { OperatorError } from '../../src/lib/errors.ts';
import { createTestDatabase, openTestDatabase } from '../support/database.ts';
import { onPostgres } from '../support/only.ts';

const FOLDER = new URL('../../prisma/migrations/', import.meta.url);
const shipped = readMigrations(FOLDER);

const database = await openTestDatabase();
const client = await database.openClient();
// Back to what is shipped.
afterEach(async () => {
  await client.query(`DROP TABLE IF EXISTS first_table, half, newer, slow`);
  await client.query(`DELETE FROM "_prisma_migrations" WHERE migration_name LIKE '9%'`);
});

function migration(name: string, sql: string): Migration {
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') };
}
const first = migration('9001_first', 'CREATE TABLE first_table AS SELECT 1 AS id');
const second = migration('9002_second', 'ALTER TABLE first_table ADD COLUMN more TEXT');

async function recorded(): Promise<string[]> {
  const { rows } = await client.query(
    'SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1',
  );
  return rows.map(({ name }) => name);
}

/** What migrations make: columns, constraints, indexes, triggers, functions, and the rows to begin with. */
async function structure(): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(
    `SELECT concat_ws(' ', table_name, column_name, data_type, character_maximum_length, is_nullable, column_default,
         generation_expression) AS line
       FROM information_schema.columns WHERE table_schema = current_schema()
     UNION ALL SELECT concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid))
       FROM pg_constraint WHERE connamespace = quote_ident(current_schema())::regnamespace AND contype <> 'n'
     UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
     UNION ALL SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
     UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = quote_ident(current_schema())::regnamespace
     UNION ALL SELECT concat_ws(' ', name, CASE WHEN name <> 'epoch' THEN value END) FROM revisions
     ORDER BY 1`,
  );
  return rows.map(({ line }) => line);
}

async function errorOf(...more: Migration[]): Promise<string> {
  const error = await apply(...more).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(OperatorError);
  return (error as OperatorError).message;
}

/** Applies migrations after those that are shipped. */
const apply = (...more: Migration[]) => migrate(client, database.kind, [...shipped, ...more]);
const names = (migrations: readonly Migration[]): string[] => migrations.map(({ name }) => name);

describe('migrations', () => {
  it('of an opened database are all applied, oldest first', async () => {
    const folders = readdirSync(FOLDER, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(names(shipped)).toEqual(folders.map(({ name }) => name).sort());
    expect(await apply()).toEqual([]);
    // As `prisma migrate deploy` records them.
    const { rows } = await client.query('SELECT * FROM "_prisma_migrations" ORDER BY migration_name');
    const asPrisma = { finished_at: expect.any(Date), rolled_back_at: null, applied_steps_count: 1 };
    const expected = shipped.map(({ name, checksum }) => ({ migration_name: name, checksum, ...asPrisma }));
    expect(rows).toMatchObject(expected);
  });

  it('applied to an empty database make the one that new databases are copies of', async () => {
    const copied = await structure();
    const { rows } = await client.query('SELECT quote_ident(current_schema()) AS schema');
    await client.query(`DROP SCHEMA ${rows[0].schema} CASCADE; CREATE SCHEMA ${rows[0].schema}`);
    expect(await apply()).toEqual(names(shipped));
    expect(await structure()).toEqual(copied);
    expect(copied.length).toBeGreaterThan(100);
  });

  it('keep what emails told, and which of them wait', async () => {
    const { rows: found } = await client.query('SELECT quote_ident(current_schema()) AS schema');
    await client.query(`DROP SCHEMA ${found[0].schema} CASCADE; CREATE SCHEMA ${found[0].schema}`);
    await migrate(client, database.kind, shipped.slice(0, names(shipped).indexOf('0012_mail_queue')));
    const digest = JSON.stringify({ total: 2, lists: [{ heading: 'A', lines: ['ACME: new', 'B: new'] }] });
    await client.query(
      `INSERT INTO sent_mails (kind, account_id, subject, occasion, recorded_at, sent_at, failure, content, told) VALUES
         ('saved', 'waits', '', '', '2026-11-01', NULL, NULL, $1, NULL),
         ('saved', 'sent', '', '', '2026-11-01', '2026-11-02', NULL, NULL, $1),
         ('key-limit', 'failed', '', '', '2026-11-01', NULL, '550', NULL, NULL),
         ('key-limit', 'interrupted', '', '', '2026-11-01', NULL, 'interrupted', NULL, NULL),
         ('key-limit', 'begun', '', '', '2026-11-01', NULL, NULL, NULL, NULL)`,
      [digest],
    );
    await apply();
    const { rows } = await client.query(
      `SELECT account_id AS account, outcome, ended_at::date::text AS ended, content ->> 'total' AS total,
         content #> '{lists,0,lines}' AS lines FROM sent_mails ORDER BY 1`,
    );
    const lines = [{ text: 'ACME: new' }, { text: 'B: new' }];
    expect(rows).toEqual([
      { account: 'begun', outcome: 'unknown', ended: '2026-11-01', total: null, lines: null },
      { account: 'failed', outcome: 'failed', ended: '2026-11-01', total: null, lines: null },
      { account: 'interrupted', outcome: 'unknown', ended: '2026-11-01', total: null, lines: null },
      { account: 'sent', outcome: 'sent', ended: '2026-11-02', total: '2', lines },
      { account: 'waits', outcome: null, ended: null, total: '2', lines },
    ]);
    await client.query('DELETE FROM sent_mails');
  });

  it('are applied where they are missing, once', async () => {
    expect(await apply(first)).toEqual([first.name]);
    expect(await apply(first, second)).toEqual([second.name]);
    expect(await apply(first, second)).toEqual([]);
    const { rows } = await client.query('SELECT * FROM first_table');
    expect(rows).toEqual([{ id: 1, more: null }]);
  });

  it('that fail are reported, and roll back with those before them', async () => {
    const before = await structure();
    const failing = migration('9002_failing', 'CREATE TABLE half (id INTEGER); SELECT no_such_function()');
    expect(await errorOf(first, failing)).toMatch(
      /^Migration 9002_failing failed, and nothing was changed: .*no_such_function/,
    );
    expect([await structure(), await recorded()]).toEqual([before, names(shipped)]);
    // Mended, it can be applied, on the same connection too.
    const fixed = migration('9002_failing', 'CREATE TABLE half (id INTEGER)');
    expect(await apply(first, fixed)).toEqual([first.name, fixed.name]);
  });

  it.each([
    [
      'of a newer version',
      migration('9009_newer', 'CREATE TABLE newer (id INTEGER)'),
      first,
      /^The database has migration 9009_newer, .+ its last one is 9002_second\..+\nRun the newer version/,
    ],
    [
      'whose migration differs',
      first,
      migration(first.name, `${first.sql} -- edited`),
      /^Migration 9001_first in the database differs/,
    ],
  ])('refuse a database %s, and change nothing', async (_, theirs, ours, error) => {
    await apply(theirs);
    const before = await structure();
    expect(await errorOf(ours, second)).toMatch(error);
    expect(await structure()).toEqual(before);
    expect(await recorded()).not.toContain(second.name);
  });

  it('refuse to continue after one that was begun elsewhere and did not finish', async () => {
    const record = 'INSERT INTO "_prisma_migrations" (id, checksum, migration_name) VALUES ($1, $2, $3)';
    await client.query(record, ['x', first.checksum, first.name]);
    expect(await errorOf(first)).toMatch(/^Migration 9001_first was begun elsewhere and did not finish/);
    // Resolved as rolled back, it is applied anew.
    await client.query(`UPDATE "_prisma_migrations" SET rolled_back_at = now() WHERE id = 'x'`);
    expect(await apply(first)).toEqual([first.name]);
  });

  onPostgres.it('of another node are not waited for after a signal', async () => {
    const url = await createTestDatabase();
    const other = await openDatabase({ kind: 'server', url }, () => {});
    onTestFinished(() => other.close());
    const migrating = await other.connect();
    onTestFinished(() => migrating.end());
    await migrating.query('BEGIN; SELECT pg_advisory_xact_lock(72707369)');
    const stop = new AbortController();
    const opening = openDatabase({ kind: 'server', url }, () => {}, { signal: stop.signal });
    // Other tests may do the same in theirs.
    const waiting = `SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = 72707369 AND NOT granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
    await expect.poll(async () => (await migrating.query(waiting)).rowCount).toBe(1);
    stop.abort();
    await expect(opening).rejects.toThrow('Stopped before the database was ready.');
    await migrating.query('ROLLBACK');
  });

  // The embedded engine has one session, and its one process migrates once.
  onPostgres.it('of many nodes at once are applied by one', async () => {
    const clients = await Promise.all(Array.from({ length: 5 }, () => database.connect()));
    const slow = migration('9001_slow', 'CREATE TABLE slow (id INTEGER); SELECT pg_sleep(0.3)');
    const applied = await Promise.all(clients.map((one) => migrate(one, database.kind, [...shipped, slow])));
    await Promise.all(clients.map((one) => one.end()));
    expect(applied.flat()).toEqual(['9001_slow']);
  });
});

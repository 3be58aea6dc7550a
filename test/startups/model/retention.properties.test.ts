import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readMark } from '../../../src/db/backup/write-file.ts';
import type { Database } from '../../../src/db/open.ts';
import { removeOldHistory } from '../../../src/startups/model/retention.ts';
import { openTestDatabase } from '../../support/database.ts';
import { onPostgres } from '../../support/only.ts';
import { insertRecords, record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { countScannedRows } from '../../support/scans.ts';

const NOW = Date.parse('2026-11-22T23:30:00Z');
const DAY_MS = 86_400_000;
const HISTORY_DAYS = 10;
/** The first that is kept has number 0. */
const FIRST_DAY = NOW - HISTORY_DAYS * DAY_MS;

// Statements that fill in 60,000 rows can take longer than a request may wait.
const database = await openTestDatabase();

const dayOf = (number: number): string => new Date(FIRST_DAY + number * DAY_MS).toISOString().slice(0, 10);

/** Startups of ids from 1 with points on these days, and a market with the same days for each category. */
async function fill(days: readonly (readonly number[])[]): Promise<void> {
  await database.pool.query('TRUNCATE startups, market_days, startup_removals RESTART IDENTITY');
  await insertRecords(
    database,
    days.map((_, index) => record(`s-${index}`)),
  );
  await database.pool.query('DELETE FROM startup_points');
  const rows = days.flatMap((own, index) => own.map((day) => [index + 1, dayOf(day)] as const));
  const columns = [rows.map(([id]) => id), rows.map(([, day]) => day)];
  await database.pool.query(
    `INSERT INTO startup_points SELECT id, day, 1, 1, 1, 1, 1, NULL, false
     FROM unnest($1::integer[], $2::date[]) AS t (id, day)`,
    columns,
  );
  await database.pool.query(
    `INSERT INTO market_days SELECT day, id, 1, 1, 1, 1, 1, 1 FROM unnest($1::integer[], $2::date[]) AS t (id, day)`,
    columns,
  );
}

async function readDays(table: 'startup_points' | 'market_days'): Promise<string[]> {
  const { rows } = await database.pool.query(
    `SELECT ${table === 'market_days' ? 'category' : 'startup_id'} || ' ' || day AS key FROM ${table}`,
  );
  return rows.map(({ key }) => key).sort();
}

async function readRevision(name: string): Promise<number> {
  const { rows } = await database.pool.query('SELECT value FROM revisions WHERE name = $1', [name]);
  return Number(rows[0].value);
}

async function readRemovals(): Promise<{ slugs: string[]; unrecorded: number }> {
  const { rows } = await database.pool.query('SELECT slug FROM startup_removals ORDER BY slug');
  return { slugs: rows.map(({ slug }) => slug), unrecorded: await readRevision('unrecorded_removals') };
}

/** A removal at so many hours after the first day began. */
async function addRemoval(slug: string, revision: number, hours: number): Promise<void> {
  const time = new Date(Math.floor(FIRST_DAY / DAY_MS) * DAY_MS + hours * 3_600_000);
  await database.pool.query(
    'INSERT INTO startup_removals (slug, startup_id, revision, removed_at) VALUES ($1, $2, $3, $4)',
    [slug, revision, revision, time],
  );
}

const options = () => ({ pool: database.pool, historyDays: HISTORY_DAYS, now: () => NOW });

it('removes rows that do not affect any kept day', async () => {
  const days = fc.uniqueArray(fc.integer({ min: -6, max: 6 }), { maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(fc.array(days, { minLength: 1, maxLength: 6 }), async (startups) => {
      await fill(startups);
      const kept = startups.flatMap((own, index) => {
        const last = Math.max(...own.filter((day) => day <= 0));
        return own.filter((day) => day >= last || day > 0).map((day) => `${index + 1} ${dayOf(day)}`);
      });
      const removed = startups.flat().length - kept.length;
      expect(await removeOldHistory(options())).toEqual({ points: removed, market: removed, removals: 0 });
      expect(await readDays('startup_points')).toEqual(kept.sort());
      expect(await readDays('market_days')).toEqual(kept.sort());
    }),
    runs(20),
  );
});

it('keeps points of removed startups as long as they affect a kept day', async () => {
  await fill([[-3, -1, 2], [-3, -1], [-2]]);
  await database.pool.query("DELETE FROM startups WHERE slug <> 's-2'");
  await database.pool.query(
    'UPDATE removed_startups SET day = CASE startup_id WHEN 1 THEN $1::date ELSE $2 END',
    [dayOf(3), dayOf(0)],
  );
  await database.pool.query("INSERT INTO unchanged_startups VALUES ($1, '{[1,3)}'), ($2, '{[1,2)}')", [
    dayOf(0),
    dayOf(1),
  ]);
  expect(await removeOldHistory(options())).toMatchObject({ points: 3 });
  expect(await readDays('startup_points')).toEqual([`1 ${dayOf(-1)}`, `1 ${dayOf(2)}`, `3 ${dayOf(-2)}`]);
  const { rows } = await database.pool.query(
    'SELECT startup_id AS key FROM removed_startups UNION ALL SELECT day - $1::date FROM unchanged_startups ORDER BY 1',
    [dayOf(0)],
  );
  expect(rows.map(({ key }) => key)).toEqual([1, 1]);
});

it('removes more than fit in one statement, of many startups and of one, without changing the mark of a backup', async () => {
  const many = Array.from({ length: 700 }, () => [-4, -3, -2]);
  const one = Array.from({ length: 1_300 }, (_, index) => -index - 1);
  await fill([...many, one]);
  const statements: number[] = [];
  const query = database.pool.query.bind(database.pool) as (...all: unknown[]) => Promise<{ rows: object[] }>;
  const counting = {
    query: async (...parameters: unknown[]) => {
      const before = (await readDays('startup_points')).length;
      const answer = await query(...parameters);
      statements.push(before - (await readDays('startup_points')).length);
      return answer;
    },
  };
  const client = await database.openClient();
  const mark = await readMark(client);
  const pool = counting as unknown as Database['pool'];
  expect(await removeOldHistory({ ...options(), pool })).toMatchObject({ points: 2 * 700 + 1_299 });
  expect(await readMark(client)).toEqual(mark);
  expect(Math.max(...statements)).toBe(500);
  expect(await readDays('startup_points')).toEqual(
    [...many.map((_, index) => `${index + 1} ${dayOf(-2)}`), `701 ${dayOf(-1)}`].sort(),
  );
  expect(await removeOldHistory(options())).toEqual({ points: 0, market: 0, removals: 0 });
});

it('looks points up by index, also where it removes none', async () => {
  await fill(Array.from({ length: 1_000 }, () => [1]));
  await database.pool.query(
    `INSERT INTO startup_points SELECT startup_id, p.day + n, 1, 1, 1, 1, 1, NULL, false
     FROM startup_points AS p, generate_series(1, 10) AS n`,
  );
  await database.pool.query('ANALYZE');
  const client = await database.openClient();
  await client.query('BEGIN');
  const pool = client as unknown as Database['pool'];
  const read = await countScannedRows(
    async (sql) => (await client.query(sql)).rows,
    'startup_points',
    async () => {
      expect(await removeOldHistory({ ...options(), pool })).toMatchObject({ points: 0 });
    },
  );
  expect(read).toBeLessThan(100);
  await client.query('ROLLBACK');
});

it('removes old removals, and those in excess, and raises the revision up to which they are incomplete', async () => {
  await fill([]);
  const base = await readRevision('dataset');
  await addRemoval('old', base + 1, -30);
  await addRemoval('just-old', base + 2, -0.01);
  await addRemoval('kept', base + 5, 0);
  await addRemoval('newer', base + 6, 50);
  await addRemoval('newest', base + 7, 60);
  expect(await removeOldHistory(options())).toMatchObject({ removals: 2 });
  expect(await readRemovals()).toEqual({ slugs: ['kept', 'newer', 'newest'], unrecorded: base + 2 });
  expect(await removeOldHistory(options(), undefined, 2)).toMatchObject({ removals: 1 });
  expect(await readRemovals()).toEqual({ slugs: ['newer', 'newest'], unrecorded: base + 5 });
  expect(await removeOldHistory(options(), undefined, 2)).toMatchObject({ removals: 0 });
});

onPostgres.it('goes past a removal that a transaction is writing', async () => {
  await fill([]);
  await addRemoval('a', 1, -30);
  await addRemoval('b', 2, -30);
  const client = await database.openClient();
  await client.query('BEGIN');
  await client.query("UPDATE startup_removals SET removed_at = now() WHERE slug = 'a'");
  expect(await removeOldHistory(options())).toMatchObject({ removals: 1 });
  await client.query('COMMIT');
  expect((await readRemovals()).slugs).toEqual(['a']);
});

import { Readable } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import type { ImportOptions } from '../../../src/startups/import/import.ts';
import { importAndRecord, listImports } from '../../../src/startups/import/import-log.ts';
import type { ImportInput } from '../../../src/startups/import/rows/input.ts';
import type { ImportSummary } from '../../../src/startups/import/values/summary.ts';
import { pointColumns, priceColumns } from '../../../src/startups/model/point-figures.ts';
import { openTestDatabase } from '../../support/database.ts';
import { type ImportRecord, record } from '../../support/records.ts';
import { avoidMidnight, input, ndjson } from './inputs.ts';

const HISTORY_DAYS = 730;
const DAY_MS = 86_400_000;

const database = await openTestDatabase();
const client = await database.openClient();
beforeEach(avoidMidnight);
beforeEach(clear);

async function clear(): Promise<void> {
  await client.query('TRUNCATE startups, imports, market_days RESTART IDENTITY');
}

/** So many days before today. */
function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10);
}

/** Imports as of a day, or as of now, and records it as the command does. */
async function run(
  content: readonly ImportRecord[] | ImportInput,
  day?: string,
  options: Partial<ImportOptions> = {},
): Promise<ImportSummary> {
  const connection = await database.connect();
  try {
    const { summary } = await importAndRecord({
      client: connection,
      kind: database.kind,
      fields: standardFields,
      user: 'op',
      via: 'command',
      now: Date.now,
      inputs: ['open' in content ? content : input('a.ndjson', ndjson(...content))],
      ...(day === undefined ? {} : { asOf: { day, historyDays: HISTORY_DAYS } }),
      ...options,
    });
    return summary;
  } finally {
    await connection.end();
  }
}

/** All that imports write, but for the records of themselves. What it must be is in past-days.properties.test.ts. */
async function everything() {
  const all = async (table: string, order: string) =>
    (await client.query(`SELECT * FROM ${table} ORDER BY ${order}`)).rows;
  return {
    startups: await all('startups', 'id'),
    points: await all('startup_points', 'startup_id, day'),
    market: await all('market_days', 'day, category'),
  };
}

const revenue = (last30Days: number) => ({ revenue: { last30Days, mrr: 0, total: 0 } });

describe('imports of past days', () => {
  it('write nothing when repeated, and a dry run of them tells what they write', async () => {
    const imported = [record('a', { category: 'ai', ...revenue(3) }), record('b', revenue(9))];
    const dry = await run(imported, daysAgo(3), { dryRun: true });
    expect(await run(imported, daysAgo(3))).toEqual(dry);
    expect(dry).toMatchObject({ created: 2, points: 2 });
    const before = await everything();
    expect(await run(imported, daysAgo(3))).toMatchObject({ unchanged: 2, points: 0 });
    expect(await everything()).toEqual(before);
  });

  it('change only history and market of startups with newer data', async () => {
    await run([record('known', revenue(100))]);
    const before = await everything();
    const old = [record('known', { name: 'Old', ...revenue(40) }), record('gone', revenue(7))];
    const dry = await run(old, daysAgo(10), { dryRun: true });
    expect(await everything()).toEqual(before);
    expect(await run(old, daysAgo(10))).toEqual(dry);
    expect(dry).toMatchObject({ created: 1, updated: 0, unchanged: 1, points: 2 });
    expect((await everything()).startups).toEqual([
      ...before.startups,
      expect.objectContaining({ slug: 'gone' }),
    ]);
    // The same values a day later are no point of the one, the other is as it was last known.
    const next = [record('known', revenue(40)), record('gone', revenue(9))];
    expect(await run(next, daysAgo(9))).toMatchObject({ created: 0, updated: 1, unchanged: 1, points: 1 });
    const [latest] = await listImports(database.prisma, 1);
    expect(latest).toMatchObject({ asOf: daysAgo(9), updated: 1 });
    const { rows } = await client.query('SELECT details FROM audit_log ORDER BY id DESC LIMIT 1');
    expect(rows[0].details).toMatchObject({ asOf: daysAgo(9), updated: 1 });
  });

  it('are times of their own: what changed says when the import ran', async () => {
    await run([record('a')], daysAgo(5));
    const { rows } = await client.query(
      `SELECT created_at = updated_at AS is_new, created_at > now() - interval '1 hour' AS is_recent FROM startups`,
    );
    expect(rows).toEqual([{ is_new: true, is_recent: true }]);
  });

  it('remove the sample and its market', async () => {
    await run([record('made-up')], undefined, { sample: true });
    expect(await run([record('own', revenue(5))], daysAgo(3))).toMatchObject({ removedSample: 1, points: 1 });
    expect((await everything()).market).toMatchObject([{ category: '', count: 1, revenue_sum: 5 }]);
  });
});

describe('a past day is refused', () => {
  const refused = (day: string, options: Partial<ImportOptions> = {}): Promise<string> =>
    run([record('refused')], day, options).then(
      () => 'imported',
      (error: Error) => error.message,
    );

  it('when it is in the future, or older than the history', async () => {
    const allowed = `a day from ${daysAgo(HISTORY_DAYS)}, the oldest that HISTORY_DAYS keeps, to ${daysAgo(0)}`;
    for (const day of [-2, HISTORY_DAYS + 1].map(daysAgo)) {
      const error = `--as-of: got "${day}", allowed: ${allowed}, today in UTC. Nothing was written.`;
      expect(await refused(day)).toBe(error);
    }
    expect(await refused(daysAgo(HISTORY_DAYS))).toBe('imported');
  });

  it('when a later one was imported, but not when that was the same', async () => {
    await run([record('a')], daysAgo(5));
    const how =
      'has been imported already: import past days from the oldest to the newest. Nothing was written.';
    expect(await refused(daysAgo(6))).toBe(`--as-of: got "${daysAgo(6)}", but ${daysAgo(5)} ${how}`);
    expect([await refused(daysAgo(5)), await refused(daysAgo(0))]).toEqual(['imported', 'imported']);
  });

  it('when a later one is imported while this one is read', async () => {
    async function* pieces(): AsyncGenerator<Buffer> {
      yield Buffer.from(ndjson(record('first')));
      await run([record('second')], daysAgo(4));
      yield Buffer.from(ndjson(record('third')));
    }
    const held: ImportInput = { name: 'held.ndjson', open: () => Readable.from(pieces()) };
    await expect(run(held, daysAgo(5))).rejects.toThrow('import past days from the oldest to the newest');
    const { rows } = await client.query('SELECT slug FROM startups');
    expect(rows).toEqual([{ slug: 'second' }]);
    expect(await listImports(database.prisma, 10)).toHaveLength(1);
  });

  it('together with --replace or the sample', async () => {
    const message = '--as-of cannot be combined with --replace';
    expect(await refused(daysAgo(1), { replace: { yes: true } })).toContain(message);
    expect(await refused(daysAgo(1), { sample: true })).toContain(message);
  });
});

it('an import that fails after its last change leaves no history', async () => {
  await run([record('a')], daysAgo(2));
  const before = await everything();
  const publish = () => Promise.reject(new Error('on purpose'));
  const invalid = { ...record('b'), onSale: null } as unknown as ImportRecord;
  const failing = run([record('a', revenue(5)), invalid], daysAgo(1), {
    skipInvalid: { write() {}, publish },
  });
  await expect(failing).rejects.toThrow('on purpose');
  expect(await everything()).toEqual(before);
});

it('calculating the market of each day that an import touches shows its progress, and can be stopped', async () => {
  await run([record('a')], daysAgo(9));
  await run([record('b')], daysAgo(5));
  await run([record('c')]);
  const before = await everything();
  const reports: string[] = [];
  const stop = new AbortController();
  const progress: ImportOptions['progress'] = ({ phase, records, totalRecords }) => {
    if (phase === 'calculating') {
      reports.push(`${records} of ${totalRecords}`);
      if (reports.length === 2) {
        stop.abort();
      }
    }
  };
  await expect(run([record('d')], daysAgo(5), { progress, signal: stop.signal })).rejects.toThrow('aborted');
  expect(await everything()).toEqual(before);
  await run([record('d')], daysAgo(5), { progress });
  expect(reports).toEqual(['0 of 2', '1 of 2', '0 of 2', '1 of 2']);
});

it('points have every column of the table', async () => {
  const { rows } = await client.query(
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = 'startup_points'::regclass AND attnum > 0`,
  );
  expect(rows.map(({ name }) => name).sort()).toEqual(
    ['startup_id', 'day', ...pointColumns, ...priceColumns].sort(),
  );
});

describe('the trigger that records points', async () => {
  const { rows } = await client.query(`SELECT prosrc FROM pg_proc WHERE proname = 'revgate_record_points'`);
  const [inserted = '', updated = ''] = `${rows[0]?.prosrc}`.split('ON CONFLICT');

  it.each([...pointColumns, ...priceColumns])('copies %s from the startup', (column) => {
    expect(inserted).toMatch(new RegExp(`\\b${column}\\b`));
  });

  it.each([...pointColumns, ...priceColumns])('replaces %s of the same day', (column) => {
    expect(updated).toContain(`${column} = excluded.${column}`);
  });
});

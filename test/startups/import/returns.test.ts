import { beforeEach, describe, expect, it } from 'vitest';
import type { OperatorError } from '../../../src/lib/errors.ts';
import { addDays, dayOf } from '../../../src/lib/text/days.ts';
import { findPoints } from '../../../src/startups/history/history.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import { type ImportOptions, importStartups } from '../../../src/startups/import/import.ts';
import { digestOfIdentity } from '../../../src/startups/model/requests/changes-request.ts';
import { openTestDatabase } from '../../support/database.ts';
import { type ImportRecord, record } from '../../support/records.ts';
import { avoidMidnight, input, ndjson } from './inputs.ts';

await avoidMidnight();
const TODAY = dayOf(Date.now());
const ago = (days: number): string => addDays(TODAY, -days);
const at = (days: number): Date => new Date(`${ago(days)}T12:00:00Z`);

const database = await openTestDatabase();
const connection = await database.openClient();
beforeEach(async () => {
  await connection.query('TRUNCATE startups, startup_removals, market_days RESTART IDENTITY');
});

/** Imports as if it were some days ago; startups that the input lacks are removed. */
function importOn(age: number, records: readonly ImportRecord[], options: Partial<ImportOptions> = {}) {
  const client: ImportOptions['client'] = {
    async query(text, values) {
      const answer = await connection.query(text, values);
      if (text.startsWith('LOCK TABLE')) {
        await connection.query("SELECT set_config('revgate.at', $1, true)", [at(age).toISOString()]);
      }
      return answer;
    },
  };
  const inputs = [input('a.ndjson', ndjson(...records))];
  return importStartups({
    client,
    kind: database.kind,
    fields: standardFields,
    inputs,
    replace: { yes: true },
    historyDays: 30,
    ...options,
  });
}

const other = record('other');
const startup = (slug: string) => database.prisma.startup.findUniqueOrThrow({ where: { slug } });
const lines = (running: Promise<unknown>): Promise<readonly string[]> =>
  running.then(
    () => [],
    (error: unknown) => (error as OperatorError).lines,
  );

/** The customers of a startup on each of the last days; null on days without a point. */
async function customersOf(id: number, days: number, fill: boolean): Promise<(number | null)[]> {
  const { rows } = await connection.query('SELECT identity FROM revgate_identity()');
  const source = { prisma: database.prisma, identity: digestOfIdentity(rows[0].identity) };
  const points = await findPoints(source, [id], { from: ago(days), to: TODAY, last: 90, fill });
  return Array.from({ length: days + 1 }, (_, index) => {
    const day = ago(days - index);
    return points.get(id)?.find((point) => dayOf(Number(point.day)) === day)?.customers ?? null;
  });
}

describe('a startup that returns', () => {
  it('has its id, its creation, its history and its earlier price again, and none for the days between', async () => {
    await importOn(9, [record('a', { askingPrice: 100, customers: 1 }), other]);
    await importOn(8, [record('a', { askingPrice: 80, customers: 2 }), other]);
    const before = await startup('a');
    await importOn(6, [other]);
    const returning = [record('a', { askingPrice: 80, customers: 3 }), other];
    const told = { created: 0, updated: 1, returned: 1, firstReturned: [{ slug: 'a', name: 'A' }] };
    expect(await importOn(3, returning, { dryRun: true })).toMatchObject(told);
    expect(await importOn(3, returning)).toMatchObject(told);
    const again = await startup('a');
    expect(again).toEqual({ ...before, customers: 3, revision: again.revision, updatedAt: at(3) });
    expect(await customersOf(again.id, 9, false)).toEqual([
      1,
      2,
      null,
      null,
      null,
      null,
      3,
      null,
      null,
      null,
    ]);
    expect(await customersOf(again.id, 9, true)).toEqual([1, 2, 2, null, null, null, 3, 3, 3, 3]);
    // Also where the days begin or end in its absence.
    expect(await customersOf(again.id, 4, true)).toEqual([null, 3, 3, 3, 3]);
    const market = await database.prisma.marketDay.findMany({
      where: { category: '' },
      orderBy: { day: 'asc' },
    });
    expect(market.map(({ count }) => count)).toEqual([2, 2, 1, 2]);
    await importOn(0, [record('a', { askingPrice: 60, customers: 3 }), other]);
    expect(await startup('a')).toMatchObject({ previousAskingPrice: 80n, askingPriceChangedAt: at(0) });
  });

  it('was not absent if it is there again at the end of the day', async () => {
    await importOn(5, [record('a', { customers: 1 }), other]);
    await importOn(3, [other]);
    await importOn(3, [record('a', { customers: 2 }), other]);
    expect(await customersOf((await startup('a')).id, 5, true)).toEqual([1, 1, 2, 2, 2, 2]);
  });

  it('can leave and return repeatedly, and past days are filled in as if they had been imported on their day', async () => {
    for (const age of [9, 7, 5]) {
      await importOn(age, [record('a', { customers: age }), other]);
      await importOn(age - 1, [other]);
    }
    await importOn(1, [record('a', { customers: 1 }), other]);
    const { id } = await startup('a');
    expect(await customersOf(id, 9, true)).toEqual([9, null, 7, null, 5, null, null, null, 1, 1]);
    const past = [record('a', { customers: 3 })];
    await importOn(0, past, { replace: undefined, asOf: { day: ago(3), historyDays: 30 } });
    expect(await customersOf(id, 9, true)).toEqual([9, null, 7, null, 5, null, 3, 3, 1, 1]);
    await importOn(0, [record('b')], { replace: undefined, asOf: { day: ago(2), historyDays: 30 } });
    const market = await database.prisma.marketDay.findMany({
      where: { category: '' },
      orderBy: { day: 'asc' },
    });
    expect(market.map(({ day, count }) => [dayOf(Number(day)), count]).slice(-4)).toEqual([
      [ago(4), 1],
      [ago(3), 2],
      [ago(2), 3],
      [ago(1), 3],
    ]);
  });

  it('is a new one after the days for which history is kept', async () => {
    await importOn(40, [record('a'), other]);
    const { id } = await startup('a');
    await importOn(31, [other]);
    expect(await importOn(0, [record('a'), other], { historyDays: 31 })).toMatchObject({
      created: 1,
      returned: 0,
    });
    expect((await startup('a')).id).not.toBe(id);
  });

  it('is the same one in SQL, by its id', async () => {
    await importOn(5, [record('a', { customers: 1 }), other]);
    await connection.query(`BEGIN; CREATE TEMPORARY TABLE gone ON COMMIT DROP AS SELECT * FROM startups WHERE slug = 'a';
      DELETE FROM startups WHERE slug = 'a'; INSERT INTO startups SELECT * FROM gone; COMMIT`);
    expect(await startup('a')).toMatchObject({ createdAt: at(5) });
    expect(await customersOf((await startup('a')).id, 5, true)).toEqual([1, 1, 1, 1, 1, 1]);
  });
});

describe('a startup that returns with another name and website', () => {
  const old = { name: 'Acme', website: 'https://www.acme.com/' };
  const changed = { name: 'Other', website: 'https://other.io' };

  beforeEach(async () => {
    await importOn(5, [record('a', old), other]);
    await importOn(4, [other]);
  });

  it('is a question, which a dry run asks too', async () => {
    const asked = [
      '1 question about startups that return: nothing was written.',
      `a: got "Other" (https://other.io), but until ${ago(4)} it was "Acme" (https://www.acme.com/): ` +
        'is it the same startup again? Add --returns a=same, with which it continues, or --returns a=new.',
    ];
    for (const dryRun of [true, false]) {
      expect(await lines(importOn(0, [record('a', changed), other], { dryRun }))).toEqual(asked);
    }
  });

  it.each([[{ ...changed, name: 'acme' }], [{ ...changed, website: 'http://acme.com' }]])(
    'is none if one of both is as before: %j',
    async (one) => {
      expect(await importOn(0, [record('a', one), other])).toMatchObject({ returned: 1 });
    },
  );

  it('continues if it is the same', async () => {
    await importOn(0, [record('a', changed), other], { returns: { a: 'same' } });
    expect(await startup('a')).toMatchObject({ id: 1, createdAt: at(5) });
  });

  it('is created if it is a new one', async () => {
    const done = await importOn(0, [record('a', changed), other], { returns: { a: 'new' } });
    expect(done).toMatchObject({ created: 1, returned: 0 });
    expect(await startup('a')).toMatchObject({ id: 3, createdAt: at(0) });
    expect(await customersOf(3, 5, true)).toEqual([null, null, null, null, null, 10]);
  });
});

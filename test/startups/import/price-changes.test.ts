import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { importStartups } from '../../../src/startups/import/import.ts';
import { backUp, restore } from '../../db/backup/backup-file.ts';
import { openTestDatabase } from '../../support/database.ts';
import { record } from '../../support/records.ts';
import { input, ndjson } from './inputs.ts';

const database = await openTestDatabase();
const client = await database.openClient();

/** Imports asking prices by slug. */
async function importPrices(prices: Readonly<Record<string, number | null>>, replaces = false) {
  const records = Object.entries(prices).map(([slug, askingPrice]) => record(slug, { askingPrice }));
  await importStartups({
    client,
    kind: database.kind,
    inputs: [input('a.ndjson', ndjson(...records))],
    ...(replaces && { replace: { yes: true } }),
  });
}

interface Priced {
  readonly price: number | null;
  readonly previous: number | null;
  readonly at: string | null;
  readonly updated: string;
}

/** By slug: the price, the one before it, when that changed, and when the startup last changed. */
async function read({ pool }: Database) {
  const { rows } = await pool.query<Priced>(
    `SELECT slug, asking_price::float8 AS price, previous_asking_price::float8 AS previous,
       asking_price_changed_at::text AS at, updated_at::text AS updated
     FROM startups ORDER BY slug`,
  );
  return rows;
}

/** Imports of one price after another, each with the price before the last change to another one, and whether it is told. */
it.each<[name: string, ...(readonly [price: number | null | 'removed', previous: number | null])[]]>([
  ['a reduction', [100_00, null], [80_00, 100_00], [80_00, 100_00], [90_00, 80_00]],
  ['a price that comes and goes', [null, null], [70_00, null], [null, null], [60_00, null], [50_00, 60_00]],
  ['a price that returns', [100_00, null], [80_00, 100_00], [null, null], [80_00, null], [100_00, 80_00]],
  ['a startup that is removed', [100_00, null], [80_00, 100_00], ['removed', null], [70_00, null]],
])('records the earlier price of %s, and when that changed', async (_name, ...imports) => {
  await database.pool.query('TRUNCATE startups, startup_removals, market_days RESTART IDENTITY');
  let before: Priced | undefined;
  for (const [price, previous] of imports) {
    // Another startup stays as it is.
    const prices = { other: 5_00, ...(price !== 'removed' && { startup: price }) };
    await importPrices(prices, true);
    const [other, row] = await read(database);
    expect(other).toMatchObject({ price: 5_00, previous: null, at: null });
    if (price === 'removed') {
      expect(row).toBeUndefined();
    } else {
      const isTold = previous !== null && before?.price !== price;
      const at = isTold ? row?.updated : previous === null ? null : before?.at;
      expect(row).toMatchObject({ price, previous, at });
    }
    before = row;
  }
});

it('a restore keeps the earlier prices, and the next import continues from them', async () => {
  await database.pool.query('TRUNCATE startups, startup_removals, market_days RESTART IDENTITY');
  await importPrices({ a: 100_00, b: 100_00, c: null });
  await importPrices({ a: 80_00, b: 120_00, c: 70_00 });
  const rows = await read(database);
  expect(rows).toMatchObject([{ previous: 100_00 }, { previous: 100_00 }, { previous: null, at: null }]);
  const path = await backUp(database);
  await importPrices({ a: 60_00, b: null });
  await restore(database, path);
  expect(await read(database)).toEqual(rows);
  await importPrices({ a: 60_00, b: null });
  const none = { price: null, previous: null, at: null };
  expect(await read(database)).toMatchObject([{ previous: 80_00 }, none, { price: 70_00 }]);
});

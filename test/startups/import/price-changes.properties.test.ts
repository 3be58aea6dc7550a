import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Database } from '../../../src/db/open.ts';
import { importStartups } from '../../../src/startups/import/import.ts';
import { backUp, restore } from '../../db/backup/backup-file.ts';
import { openTestDatabase } from '../../support/database.ts';
import { record } from '../../support/records.ts';
import { runs } from '../../support/runs.ts';
import { input, ndjson } from './inputs.ts';

const database = await openTestDatabase();
const client = await database.openClient();

/** The asking prices by slug. */
type Prices = Readonly<Record<string, number | null>>;
type Import = { readonly prices: Prices; readonly replaces?: boolean };

async function importPrices({ prices, replaces = false }: Import): Promise<void> {
  const records = Object.entries(prices).map(([slug, askingPrice]) => record(slug, { askingPrice }));
  await importStartups({
    client,
    kind: database.kind,
    inputs: [input('a.ndjson', ndjson(...records))],
    ...(replaces && { replace: { yes: true } }),
  });
}

/** By slug: the price, the one before it, when that changed, and when the startup last changed. */
async function read({ pool }: Database) {
  const { rows } = await pool.query<{ slug: string; at: string | null; updated: string } & Known>(
    `SELECT slug, asking_price::float8 AS price, previous_asking_price::float8 AS previous,
       asking_price_changed_at::text AS at, updated_at::text AS updated
     FROM startups ORDER BY slug`,
  );
  return rows;
}

interface Known {
  price: number | null;
  previous: number | null;
}

/** What imports must leave, said plainly. */
class Oracle {
  readonly startups = new Map<string, Known>();
  /** Whose price the last import changed to another one. */
  readonly changed = new Set<string>();

  import({ prices, replaces = false }: Import): void {
    this.changed.clear();
    for (const slug of replaces ? [...this.startups.keys()] : []) {
      if (!(slug in prices)) {
        this.startups.delete(slug);
      }
    }
    for (const [slug, price] of Object.entries(prices)) {
      const known = this.startups.get(slug);
      const isChange = known !== undefined && price !== known.price;
      const previous = isChange ? price && known.price : (known?.previous ?? null);
      if (isChange && previous !== null) {
        this.changed.add(slug);
      }
      this.startups.set(slug, { price, previous });
    }
  }
}

const prices = fc.dictionary(
  fc.constantFrom('a', 'b', 'c', 'd'),
  fc.constantFrom(null, 80_00, 90_00, 100_00),
  { minKeys: 1, noNullPrototype: true },
);
const imports = fc.array(
  fc.oneof(
    { weight: 4, arbitrary: fc.record({ prices }) },
    fc.record({ prices, replaces: fc.constant(true) }),
  ),
  { minLength: 2, maxLength: 8 },
);

it('a change of the price records the earlier one, whatever imports come between', async () => {
  await fc.assert(
    fc.asyncProperty(imports, async (all) => {
      await database.pool.query('TRUNCATE startups, startup_removals, market_days RESTART IDENTITY');
      const oracle = new Oracle();
      let before: Awaited<ReturnType<typeof read>> = [];
      for (const one of all) {
        await importPrices(one);
        oracle.import(one);
        const rows = await read(database);
        const expected = [...oracle.startups].toSorted(([a], [b]) => (a < b ? -1 : 1));
        expect(rows.map(({ slug, price, previous }) => ({ slug, price, previous }))).toEqual(
          expected.map(([slug, { price, previous }]) => ({ slug, price, previous })),
        );
        for (const { slug, at, previous, updated } of rows) {
          const kept = before.find((row) => row.slug === slug)?.at ?? null;
          expect(at).toBe(oracle.changed.has(slug) ? updated : previous === null ? null : kept);
        }
        before = rows;
      }
    }),
    runs(25),
  );
});

it('a restore keeps the earlier prices, and the next import continues from them', async () => {
  await database.pool.query('TRUNCATE startups, startup_removals, market_days RESTART IDENTITY');
  await importPrices({ prices: { a: 100_00, b: 100_00, c: null } });
  await importPrices({ prices: { a: 80_00, b: 120_00, c: 70_00 } });
  const rows = await read(database);
  expect(rows).toMatchObject([{ previous: 100_00 }, { previous: 100_00 }, { previous: null, at: null }]);
  const path = await backUp(database);
  await importPrices({ prices: { a: 60_00, b: null } });
  await restore(database, path);
  expect(await read(database)).toEqual(rows);
  await importPrices({ prices: { a: 60_00, b: null } });
  expect(await read(database)).toMatchObject([
    { previous: 80_00 },
    { price: null, previous: null, at: null },
    { price: 70_00 },
  ]);
});

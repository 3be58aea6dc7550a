import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildCatalogue } from '../../../src/startups/catalogue/build.ts';
import { Catalogue, matches } from '../../../src/startups/catalogue/catalogue.ts';
import type { Place } from '../../../src/startups/catalogue/orders.ts';
import { type CatalogueRow, columnsOf } from '../../../src/startups/catalogue/row.ts';
import type { StartupFilter } from '../../../src/startups/filter.ts';
import { categories, startupSorts } from '../../../src/startups/vocabulary.ts';
import { runs } from '../../support/runs.ts';
import { expectedList, expectedRank } from './oracle.ts';
import { filters, manyRows, randomNumbers, rows, sorts } from './rows.ts';

function catalogueOf(list: readonly CatalogueRow[], revision = 1): Catalogue {
  return new Catalogue(buildCatalogue(columnsOf(list, revision), 0));
}

function idsOf(list: readonly CatalogueRow[]): number[] {
  return list.map(({ id }) => id);
}

describe('find', () => {
  it('answers every filter and order as a plain filter and sort would, in any sequence', () => {
    const query = fc.record({
      ...{ filter: filters, sort: sorts },
      offset: fc.oneof(fc.constant(0), fc.nat(50)),
      limit: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant(100)),
    });
    fc.assert(
      fc.property(rows, fc.array(query, { minLength: 1, maxLength: 12 }), (list, queries) => {
        const catalogue = catalogueOf(list);
        for (const { filter, sort, offset, limit } of queries) {
          const expected = expectedList(list, filter, sort);
          const page = {
            ids: idsOf(expected.slice(offset, offset + limit)),
            hasMore: expected.length > offset + limit,
          };
          // Whether the total is asked and what has been kept from before must not matter.
          for (const total of [false, true, false]) {
            expect(catalogue.find({ filter, sort, offset, limit, total })).toEqual({
              ...page,
              total: total ? expected.length : undefined,
            });
          }
        }
      }),
      runs(120),
    );
  });

  const list = manyRows(1_000, 7);
  const catalogue = catalogueOf(list);
  it.each(startupSorts)('pages through %s to the end with every startup once', (sort) => {
    const seen: number[] = [];
    for (let offset = 0; ; offset += 10) {
      const { ids, total, hasMore } = catalogue.find({ filter: {}, sort, offset, limit: 10, total: true });
      seen.push(...ids);
      expect(total).toBe(list.length);
      if (!hasMore) {
        break;
      }
    }
    expect(seen).toEqual(idsOf(expectedList(list, {}, sort)));
  });

  it('gives an empty page past the end', () => {
    const catalogue = catalogueOf(manyRows(25, 1));
    const past = { filter: {}, sort: 'revenue-desc', offset: (2 ** 31 - 2) * 10, limit: 10 } as const;
    expect(catalogue.find({ ...past, total: true })).toEqual({ ids: [], total: 25, hasMore: false });
    expect(catalogueOf([]).find({ ...past, offset: 0, total: true })).toEqual({
      ids: [],
      total: 0,
      hasMore: false,
    });
  });
});

describe('values that are easily confused', () => {
  const [template] = manyRows(1, 1) as [CatalogueRow];

  it('tells handles apart that share a hash', () => {
    // A known pair of FNV-1a, 32 bits.
    const catalogue = catalogueOf(
      ['liquid', 'costarring', 'Liquid'].map((xHandle, index) => ({ ...template, id: index + 1, xHandle })),
    );
    const found = (xHandle: string): number[] =>
      catalogue.find({ filter: { xHandle }, sort: 'revenue-asc', offset: 0, limit: 9, total: true }).ids;
    expect(found('LIQUID')).toEqual([1, 3]);
    expect(found('costarring')).toEqual([2]);
  });

  it('takes 0 and -0 for equal among many', () => {
    const list = Array.from({ length: 600 }, (_, index) => ({
      ...template,
      id: index + 1,
      growth30d: index % 2 ? 0 : -0,
    }));
    const { ids } = catalogueOf(list).find({
      filter: {},
      sort: 'growth-asc',
      offset: 0,
      limit: 600,
      total: false,
    });
    expect(ids).toEqual(idsOf(list));
  });

  it('bounds growth as a fraction of the percentage, exactly', () => {
    const catalogue = catalogueOf([{ ...template, growth30d: 29 }]);
    const count = (filter: StartupFilter): number | undefined =>
      catalogue.find({ filter, sort: 'growth-desc', offset: 0, limit: 1, total: true }).total;
    // 0.29 × 100 is not 29, but 29 / 100 is 0.29.
    expect(count({ minGrowth: 0.29, maxGrowth: 0.29 })).toBe(1);
    expect(count({ minGrowth: 0.29 + Number.EPSILON })).toBe(0);
    expect(count({ minGrowth: 24 })).toBe(0);
  });
});

describe('many startups', () => {
  // Enough for radix sorting, several chunks, lists that are kept and every way of choosing candidates.
  const list = manyRows(9_000, 42);
  const catalogue = catalogueOf(list);
  const random = randomNumbers(3);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(random() * values.length)] as T;
  const maybe = <T>(part: number, value: () => T): T | undefined => (random() < part ? value() : undefined);
  const cents = (): number => Math.round(Math.exp(8 + 8 * random()));
  const randomFilter = (): StartupFilter => ({
    onSale: maybe(0.2, () => random() < 0.5),
    category: maybe(0.3, () => pick(categories)),
    xHandle: maybe(0.05, () => `founder_${Math.floor((random() * list.length) / 3)}`),
    teamSize: maybe(0.1, () => '51+'),
    countries: maybe(0.1, () => ['DE', 'FR']),
    minRevenue: maybe(0.3, cents),
    maxRevenue: maybe(0.2, () => 50 * cents()),
    minMrr: maybe(0.2, () => cents() / 10),
    minGrowth: maybe(0.3, () => Math.round(200 * random() - 90) / 100),
    maxGrowth: maybe(0.2, () => Math.round(200 * random()) / 100),
    minPrice: maybe(0.2, () => 10 * cents()),
  });

  it('are found as a plain filter and sort would', () => {
    for (let run = 0; run < runs(80).numRuns; run += 1) {
      const filter = randomFilter();
      const sort = pick(startupSorts);
      const expected = expectedList(list, filter, sort);
      const offset = random() < 0.5 ? 0 : Math.floor(random() * expected.length);
      const found = catalogue.find({ filter, sort, offset, limit: 10, total: random() < 0.5 });
      expect(found.ids).toEqual(idsOf(expected.slice(offset, offset + 10)));
      expect(found.total ?? expected.length).toBe(expected.length);
      expect(found.hasMore).toBe(expected.length > offset + 10);
    }
  });
});

describe('findAfter', () => {
  it('goes on where a page ended', () => {
    fc.assert(
      fc.property(rows, filters, sorts, fc.boolean(), (list, filter, sort, total) => {
        const catalogue = catalogueOf(list);
        const expected = expectedList(list, filter, sort);
        for (const [index, last] of expected.entries()) {
          const after = catalogue.keyOf(last.id, sort) as Place;
          const rest = expected.slice(index + 1);
          expect(catalogue.findAfter({ filter, sort, after, limit: 3, total })).toEqual({
            ids: idsOf(rest.slice(0, 3)),
            total: total ? expected.length : undefined,
            hasMore: rest.length > 3,
          });
        }
      }),
      runs(200),
    );
  });

  it('goes on after the place of a startup that is gone or has moved', () => {
    fc.assert(
      fc.property(rows, filters, sorts, fc.nat(40), (list, filter, sort, at) => {
        const gone = list[at % Math.max(list.length, 1)];
        fc.pre(gone !== undefined);
        const before = catalogueOf(list);
        const after = before.keyOf(gone.id, sort) as Place;
        const remaining = list.filter((row) => row !== gone);
        const expected = expectedList(list, {}, sort);
        const following = expected.slice(expected.indexOf(gone) + 1).filter((row) => row !== gone);
        const wanted = expectedList(remaining, filter, sort).filter((row) => following.includes(row));
        const found = catalogueOf(remaining).findAfter({ filter, sort, after, limit: 100, total: false });
        expect(found.ids).toEqual(idsOf(wanted));
      }),
      runs(150),
    );
  });

  it('walks many startups to the end with every one once, with and without totals', () => {
    const list = manyRows(1_500, 11);
    const catalogue = catalogueOf(list);
    const filter = { minGrowth: -0.5, minMrr: 100 };
    for (const total of [false, true]) {
      const seen: number[] = [];
      let after: Place | undefined;
      for (let more = true; more; ) {
        const query = { filter, sort: 'best-deal', limit: 10, total } as const;
        const page =
          after === undefined
            ? catalogue.find({ ...query, offset: 0 })
            : catalogue.findAfter({ ...query, after });
        seen.push(...page.ids);
        after = catalogue.keyOf(page.ids.at(-1) as number, 'best-deal');
        more = page.hasMore;
      }
      expect(seen).toEqual(idsOf(expectedList(list, filter, 'best-deal')));
    }
  });

  it('has no place for an unknown id', () => {
    expect(catalogueOf(manyRows(3, 1)).keyOf(2, 'revenue-asc')).toBeUndefined();
  });
});

describe('a row on its own', () => {
  it('matches a filter exactly when a list would show it', () => {
    fc.assert(
      fc.property(rows, filters, (list, filter) => {
        const shown = expectedList(list, filter, 'revenue-desc');
        expect(list.filter((row) => matches(row, filter))).toEqual(list.filter((row) => shown.includes(row)));
      }),
      runs(50),
    );
  });
});

describe('rank', () => {
  it('counts active startups with a higher total, and is null for others', () => {
    fc.assert(
      fc.property(rows, (list) => {
        const catalogue = catalogueOf(list);
        expect(list.map(({ id }) => catalogue.rank(id))).toEqual(list.map((row) => expectedRank(list, row)));
        expect(catalogue.rank(4)).toBeNull();
      }),
      runs(100),
    );
  });

  it('shares a rank among ties and skips the next', () => {
    const [template] = manyRows(1, 1) as [CatalogueRow];
    const totals = [700, 900, 700, 100];
    const catalogue = catalogueOf(
      totals.map((revenueTotal, index) => ({ ...template, id: index + 1, revenueTotal, active: true })),
    );
    expect(totals.map((_, index) => catalogue.rank(index + 1))).toEqual([2, 1, 2, 4]);
  });
});

describe('a built catalogue', () => {
  it('says what it is a picture of', () => {
    const catalogue = new Catalogue(buildCatalogue(columnsOf(manyRows(7, 1), 12), 1_234));
    expect(catalogue).toMatchObject({ size: 7, revision: 12, builtAt: 1_234 });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import { type Place, readCursor } from '../../../src/startups/model/requests/cursor.ts';
import { categories, startupSorts } from '../../../src/startups/model/vocabulary.ts';
import { expectCheap } from '../../support/cost.ts';
import { expectedList } from '../../support/model/rules.ts';
import { runs, seededRandom } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { catalogueOf, expectWalk, find, idsOf } from './editions.ts';
import { filters, manyRows, named, rows, sorts } from './rows.ts';

describe('a page', () => {
  it('at 90 % depth costs at most three times the first one', async () => {
    const catalogue = catalogueOf(manyRows(5_000, 3));
    const readPages = (page: number) => () => {
      for (let minRevenue = 0; minRevenue < 20; minRevenue += 1) {
        const filter = { onSale: false, minRevenue };
        const { ids } = find(catalogue, { filter, sort: 'growth-desc', page, limit: 10, total: true });
        expect(ids).toHaveLength(10);
      }
    };
    await expectCheap(readPages(400), readPages(1), 3);
  });

  it('answers every filter and order as a plain filter and sort would, in any sequence', () => {
    const query = fc.record({
      filter: filters,
      sort: sorts,
      page: fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 9 })),
      limit: fc.oneof(fc.integer({ min: 1, max: 10 }), fc.constant(100)),
    });
    fc.assert(
      fc.property(rows, fc.array(query, { minLength: 1, maxLength: 12 }), (list, queries) => {
        const catalogue = catalogueOf(list);
        for (const { filter, sort, page, limit } of queries) {
          const offset = (page - 1) * limit;
          const expected = expectedList(list, filter, sort);
          const wanted = {
            ids: idsOf(expected.slice(offset, offset + limit)),
            hasMore: expected.length > offset + limit,
          };
          // Whether the total is asked and what has been kept from before must not matter.
          for (const total of [false, true, false]) {
            expect(find(catalogue, { filter, sort, page, limit, total })).toEqual({
              ...wanted,
              total: total ? expected.length : undefined,
            });
          }
        }
      }),
      runs(120),
    );
  });
});

describe('values that are easily confused', () => {
  const [template] = manyRows(1, 1) as [Startup];

  it('distinguishes handles and slugs that share a hash', () => {
    // A known pair of FNV-1a, 32 bits.
    const catalogue = catalogueOf(
      ['liquid', 'costarring', 'Liquid'].map((xHandle, index) => ({
        ...template,
        ...named(index + 1),
        xHandle,
        ...(index < 2 && { slug: xHandle }),
      })),
    );
    const found = (xHandle: string): number[] =>
      find(catalogue, { filter: { xHandle }, sort: 'revenue-asc', limit: 9, total: true }).ids;
    expect(found('LIQUID')).toEqual([1, 3]);
    expect(found('costarring')).toEqual([2]);
    expect(['liquid', 'costarring'].map((slug) => catalogue.get(slug)?.id)).toEqual([1, 2]);
  });

  it('takes 0 and -0 for equal among many', () => {
    const list = Array.from({ length: 600 }, (_, index) => ({
      ...template,
      ...named(index + 1),
      growth30d: index % 2 ? 0 : -0,
    }));
    const asked = { filter: {}, sort: 'growth-asc', limit: 600, total: false } as const;
    expect(find(catalogueOf(list), asked).ids).toEqual(idsOf(list));
  });
});

describe('many startups', () => {
  // Enough for radix sorting, several chunks, lists that are kept and every way of choosing candidates.
  const list = manyRows(9_000, 42);
  const catalogue = catalogueOf(list);
  const random = seededRandom(3);
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
    minGrowth: maybe(0.3, () => Math.round(2000 * random() - 900) / 1000),
    maxGrowth: maybe(0.2, () => Math.round(2000 * random()) / 1000),
    minPrice: maybe(0.2, () => 10 * cents()),
  });

  it('are found as a plain filter and sort would', () => {
    for (let run = 0; run < runs(40).numRuns; run += 1) {
      const filter = randomFilter();
      const sort = pick(startupSorts);
      const expected = expectedList(list, filter, sort);
      const page = 1 + (random() < 0.5 ? 0 : Math.floor((random() * expected.length) / 10));
      const offset = (page - 1) * 10;
      const found = find(catalogue, { filter, sort, page, limit: 10, total: random() < 0.5 });
      expect(found.ids).toEqual(idsOf(expected.slice(offset, offset + 10)));
      expect(found.total ?? expected.length).toBe(expected.length);
      expect(found.hasMore).toBe(expected.length > offset + 10);
    }
  });
});

describe('what follows a cursor', () => {
  it('is the rest of the list, whatever its filter and order', () => {
    const limit = fc.integer({ min: 1, max: 10 });
    const asked = fc.record({ filter: filters, sort: sorts, limit, total: fc.boolean() });
    fc.assert(
      fc.property(rows, asked, (list, one) => expectWalk(catalogueOf(list), list, one)),
      runs(100),
    );
    const many = manyRows(1_500, 11);
    const filter = { minGrowth: -0.5, minMrr: 100 };
    expectWalk(catalogueOf(many), many, { filter, sort: 'best-deal', limit: 10, total: false });
  });

  it('is what comes behind its place in a list that changed meanwhile, even if its startup moved or is gone', () => {
    const limit = fc.integer({ min: 1, max: 10 });
    fc.assert(
      fc.property(rows, rows, sorts, limit, (before, now, sort, limit) => {
        const request = { filter: {}, sort, limit };
        const first = { ...request, page: 1, after: null };
        const cursor = finish(catalogueOf(before).list(first, { total: false })).endCursor();
        fc.pre(cursor !== null);
        const after = readCursor(cursor as string, {}, sort) as Place;
        const last = expectedList(before, {}, sort)[Math.min(limit, before.length) - 1] as Startup;
        // Where that startup was, and behind it if it is still there.
        const place = { ...last, id: last.id + 0.5 };
        const all = [...now, place].toSorted((a, b) => a.id - b.id);
        const expected = expectedList(all, {}, sort);
        const behind = expected.slice(expected.indexOf(place) + 1, expected.indexOf(place) + 1 + limit);
        expect(find(catalogueOf(now), { ...request, after, total: false }).ids).toEqual(idsOf(behind));
      }),
      runs(100),
    );
  });
});

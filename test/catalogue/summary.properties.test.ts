import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Catalogue } from '../../src/catalogue/catalogue.ts';
import type { Startup } from '../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../src/startups/filter.ts';
import { runs } from '../support/runs.ts';
import { finish } from '../support/steps.ts';
import { catalogueOf } from './editions.ts';
import { expectedCounts, expectedStats, facetColumns, matching } from './oracle.ts';
import { filters, manyRows, rows } from './rows.ts';

function checkStats(catalogue: Catalogue, list: readonly Startup[], filter: StartupFilter): void {
  expect(finish(catalogue.stats(filter))).toEqual(expectedStats(matching(list, filter)));
}

describe('facets', () => {
  it('count the matching startups by value', () => {
    fc.assert(
      fc.property(rows, filters, (list, filter) => {
        const facets = finish(catalogueOf(list).facets(filter));
        const found = matching(list, filter);
        for (const column of facetColumns) {
          const counts = new Map<unknown, number>(facets[column].map(({ value, count }) => [value, count]));
          expect(counts).toEqual(expectedCounts(found, column));
        }
      }),
      runs(100),
    );
  });

  it('stand in the order of their counts, unknown last, each value once', () => {
    const { category } = finish(catalogueOf(manyRows(1_000, 3)).facets({ onSale: false }));
    const known = category.slice(0, -1).map(({ count }) => count);
    expect(known).toEqual(known.toSorted((a, b) => b - a));
    expect(category.at(-1)?.value).toBeNull();
    expect(new Set(category.map(({ value }) => value)).size).toBe(category.length);
  });
});

describe('stats', () => {
  it('are those of the matching startups that have a value', () => {
    fc.assert(
      fc.property(rows, filters, (list, filter) => checkStats(catalogueOf(list), list, filter)),
      runs(100),
    );
  });

  it('are the same for many startups', () => {
    const list = manyRows(9_000, 9);
    const catalogue = catalogueOf(list);
    for (const filter of [
      {},
      { category: 'saas' },
      { onSale: true, minGrowth: 0 },
      { minMrr: 5_000 },
    ] as const) {
      checkStats(catalogue, list, filter);
    }
  });

  it('are null where nothing matches', () => {
    expect(finish(catalogueOf([]).stats({})).price).toEqual({
      count: 0,
      sum: 0,
      min: null,
      median: null,
      p90: null,
      max: null,
    });
  });

  it('are computed once per filter', () => {
    const catalogue = catalogueOf(manyRows(50, 2));
    const figures = finish(catalogue.stats({ countries: ['DE', 'US'] }));
    expect(finish(catalogue.stats({ countries: ['US', 'DE'] }))).toBe(figures);
    expect(finish(catalogue.facets({ minMrr: undefined }))).toBe(finish(catalogue.facets({})));
  });
});

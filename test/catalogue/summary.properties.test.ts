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
  it('count the matching startups by value, in the order of their counts', () => {
    fc.assert(
      fc.property(rows, filters, (list, filter) => {
        const facets = finish(catalogueOf(list).facets(filter));
        const found = matching(list, filter);
        for (const column of facetColumns) {
          expect(facets[column]).toEqual(expectedCounts(found, column));
        }
      }),
      runs(100),
    );
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

  it('are computed once per filter', () => {
    const catalogue = catalogueOf(manyRows(50, 2));
    const figures = finish(catalogue.stats({ countries: ['DE', 'US'] }));
    expect(finish(catalogue.stats({ countries: ['US', 'DE'] }))).toBe(figures);
    expect(finish(catalogue.facets({ minMrr: undefined }))).toBe(finish(catalogue.facets({})));
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { Catalogue } from '../../../src/startups/catalogue/catalogue.ts';
import { STATS } from '../../../src/startups/catalogue/query/summary.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import { groupings } from '../../../src/startups/model/vocabulary.ts';
import { matching } from '../../support/model/rules.ts';
import {
  expectedCounts,
  expectedGroups,
  expectedRanges,
  expectedStats,
  expectedTechnologies,
  facetColumns,
} from '../../support/model/summary.ts';
import { runs } from '../../support/runs.ts';
import { finish } from '../../support/steps.ts';
import { catalogueOf } from './editions.ts';
import { filters, manyRows, rows } from './rows.ts';

function checkStats(catalogue: Catalogue, list: readonly Startup[], filter: StartupFilter): void {
  const found = matching(list, filter);
  const [stats, ranges] = [expectedStats(found), expectedRanges(found)];
  const expected = STATS.map((name) => [name, { ...stats[name], ranges: ranges[name] }]);
  expect(finish(catalogue.stats(filter))).toEqual(Object.fromEntries(expected));
}

function checkGroups(catalogue: Catalogue, list: readonly Startup[], filter: StartupFilter): void {
  for (const by of groupings) {
    const expected = expectedGroups(matching(list, filter), by);
    const groups = finish(catalogue.groups(filter, by));
    expect(groups.map(({ value, count, onSale }) => ({ value, count, onSale }))).toEqual(
      expected.map(({ stats: _stats, ...group }) => group),
    );
    for (const name of STATS) {
      expect(finish(catalogue.groupFigures(filter, by, name))).toEqual(
        expected.map(({ stats }) => stats[name]),
      );
    }
  }
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
        expect(finish(facets.techStack())).toEqual(expectedTechnologies(list, found));
      }),
      runs(100),
    );
  });

  it('count the most frequent technologies of many startups', () => {
    const list = manyRows(3_000, 5);
    const catalogue = catalogueOf(list);
    for (const filter of [{}, { onSale: true }, { techStack: ['t1', 't2'] }]) {
      const counts = finish(finish(catalogue.facets(filter)).techStack());
      expect(counts).toEqual(expectedTechnologies(list, matching(list, filter)));
    }
  });
});

describe('groups', () => {
  it('have the figures of lists of one value each', () => {
    fc.assert(
      fc.property(rows, filters, (list, filter) => checkGroups(catalogueOf(list), list, filter)),
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
    for (const filter of [{ category: 'saas' }, { onSale: true, minGrowth: 0 }, { minMrr: 5_000 }] as const) {
      checkStats(catalogue, list, filter);
    }
    checkGroups(catalogue, list, { minMrr: 5_000 });
  });

  it('and other summaries are computed once per filter', () => {
    const catalogue = catalogueOf(manyRows(50, 2));
    const figures = finish(catalogue.stats({ countries: ['DE', 'US'] }));
    expect(finish(catalogue.stats({ countries: ['US', 'DE'] }))).toBe(figures);
    expect(finish(catalogue.facets({ minMrr: undefined }))).toBe(finish(catalogue.facets({})));
    const ofGroups = () => finish(catalogue.groupFigures({ minMrr: 1 }, 'category', 'mrr'));
    expect(ofGroups()).toBe(ofGroups());
  });
});

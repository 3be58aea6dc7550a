import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Startup } from '../../../src/db/generated/client/client.ts';
import { STATS } from '../../../src/startups/catalogue/query/statistics.ts';
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

/** Whether all summaries of a list are those of a plain reading of the rules. */
function check(list: readonly Startup[], filter: StartupFilter, catalogue = catalogueOf(list)): void {
  const found = matching(list, filter);
  const facets = finish(catalogue.facets(filter));
  for (const column of facetColumns) {
    expect(facets[column]).toEqual(expectedCounts(found, column));
  }
  expect(finish(facets.techStack())).toEqual(expectedTechnologies(list, found));

  const [stats, ranges] = [expectedStats(found), expectedRanges(found)];
  const expected = STATS.map((name) => [name, { ...stats[name], ranges: ranges[name] }]);
  expect(finish(catalogue.stats(filter))).toEqual(Object.fromEntries(expected));

  for (const by of groupings) {
    const expected = expectedGroups(found, by, list);
    const groups = finish(catalogue.groups(filter, by));
    expect(groups.map(({ value, count, onSale }) => ({ value, count, onSale }))).toEqual(
      expected.map(({ stats: _stats, ...group }) => group),
    );
    for (const name of STATS) {
      const figures = finish(catalogue.groupFigures(filter, by, name));
      expect(figures).toEqual(expected.map(({ stats }) => stats[name]));
    }
  }
}

describe('facets, statistics and groups', () => {
  it('are those of the matching startups', () => {
    fc.assert(
      fc.property(rows, filters, (list, filter) => check(list, filter)),
      runs(100),
    );
  });

  it('are those of many startups', () => {
    const list = manyRows(9_000, 9);
    const catalogue = catalogueOf(list);
    const asked: StartupFilter[] = [
      {},
      { category: 'saas' },
      { onSale: true, minGrowth: 0 },
      { techStack: ['t1', 't2'] },
    ];
    for (const filter of asked) {
      check(list, filter, catalogue);
    }
  });

  it('are computed once per filter', () => {
    const catalogue = catalogueOf(manyRows(50, 2));
    const figures = finish(catalogue.stats({ countries: ['DE', 'US'] }));
    expect(finish(catalogue.stats({ countries: ['US', 'DE'] }))).toBe(figures);
    expect(finish(catalogue.facets({ minMrr: undefined }))).toBe(finish(catalogue.facets({})));
    const ofGroups = () => finish(catalogue.groupFigures({ minMrr: 1 }, 'category', 'mrr'));
    expect(ofGroups()).toBe(ofGroups());
  });
});

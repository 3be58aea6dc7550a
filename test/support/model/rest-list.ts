import type { Startup } from '../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../src/startups/model/filter.ts';
import type { StartupSort } from '../../src/startups/model/vocabulary.ts';
import type { ListCase as RestCase } from '../conformance/cases.ts';
import { expectedList as expectedRows, matching, plurals } from '../startups/catalogue/oracle.ts';
import { type ImportRecord, rowsOf } from './records.ts';
import { plain, searched } from './search-oracle.ts';

/** What a list is asked, with the conditions that only GraphQL has, in REST's spelling. */
export interface ListCase extends RestCase {
  categories?: string[];
  countries?: string[];
  paymentProviders?: string[];
  targetAudiences?: string[];
}

const dates = /(After|Before|Since)$/;

/** The filter of a list, but for its search. */
export function filterOf({ sort: _sort, page: _page, limit: _limit, search: _search, ...asked }: ListCase) {
  const conditions = Object.entries(asked).map(([name, value]) => {
    const several = plurals[name as keyof typeof plurals];
    if (name === 'techStack' || name === 'slug') {
      return [
        name === 'slug' ? 'slugs' : name,
        String(value)
          .split(',')
          .map((one) => one.trim()),
      ];
    }
    return several !== undefined && String(value).includes(',')
      ? [several, String(value).split(',')]
      : [name, dates.test(name) ? new Date(String(value)) : value];
  });
  return Object.fromEntries(conditions) as StartupFilter;
}

/** What the search of a list finds, best matches first; all rows without one. */
function search(rows: Startup[], { search }: ListCase): { rows: Startup[]; isCorrected: boolean } {
  const words = plain(String(search)).match(/[\p{L}\p{N}]+/gu) ?? [];
  return search === undefined
    ? { rows, isCorrected: false }
    : searched(rows, words.join(' '), ({ revenueLast30Days }) => Number(revenueLast30Days));
}

/** All rows that match, by a plain reading of the rules, in the order of their ids. */
export function matchingRows(records: readonly ImportRecord[], list: ListCase): Startup[] {
  const found = search(rowsOf(records), list).rows;
  return matching(found, filterOf(list)).sort((a, b) => a.id - b.id);
}

/** What a list must hold, by a plain reading of the rules. Records are given in the order of their ids. */
export function expectedList(records: readonly ImportRecord[], list: ListCase) {
  const { rows, isCorrected } = search(rowsOf(records), list);
  const byDefault =
    list.search !== undefined ? 'relevance' : list.onSale === true ? 'best-deal' : 'revenue-desc';
  const sort = list.sort ?? byDefault;
  const ordered =
    sort === 'relevance'
      ? matching(rows, filterOf(list))
      : expectedRows(rows, filterOf(list), sort as StartupSort);
  const page = Number(list.page ?? 1);
  const limit = Number(list.limit ?? 10);
  const end = page * limit;
  return {
    slugs: ordered.slice(end - limit, end).map(({ slug }) => slug),
    meta: {
      total: ordered.length,
      page,
      limit,
      hasMore: end < ordered.length,
      ...(isCorrected && { corrected: true }),
    },
  };
}

import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import type { ListParameterName } from '../../../src/startups/model/requests/list-parameters.ts';
import type { StartupSort } from '../../../src/startups/model/vocabulary.ts';
import { type ImportRecord, rowsOf } from '../records.ts';
import { expectedList, matching, plurals } from './rules.ts';
import { plain, searched } from './search.ts';

/** What a list is asked, in the spelling of REST, and by conditions that only GraphQL has. */
export type ListCase = Partial<Record<ListParameterName, string | number | boolean>> &
  Partial<Record<'categories' | 'countries' | 'paymentProviders' | 'targetAudiences', string[]>>;

const dates = /(After|Before|Since)$/;
const textsOf = (value: unknown): string[] =>
  String(value)
    .split(',')
    .map((one) => one.trim());

/** The filter of a list. */
export function filterOf({ sort: _sort, page: _page, limit: _limit, ...asked }: ListCase): StartupFilter {
  const conditions = Object.entries(asked).map(([name, value]) => {
    switch (name) {
      case 'search':
        return [name, (plain(String(value)).match(/[\p{L}\p{N}]+/gu) ?? []).join(' ')];
      case 'techStack':
        return [name, textsOf(value)];
      case 'slug':
        return ['slugs', textsOf(value)];
    }
    const several = plurals[name as keyof typeof plurals];
    return several !== undefined && String(value).includes(',')
      ? [several, String(value).split(',')]
      : [name, dates.test(name) ? new Date(String(value)) : value];
  });
  return Object.fromEntries(conditions);
}

/** All rows that match, in the order of their ids. */
export const matchingRows = (records: readonly ImportRecord[], list: ListCase): Startup[] =>
  matching(rowsOf(records), filterOf(list)).sort((a, b) => a.id - b.id);

/** What a list must answer. Records are given in the order of their ids. */
export function expectedAnswer(records: readonly ImportRecord[], list: ListCase) {
  const [rows, filter] = [rowsOf(records), filterOf(list)];
  const byDefault =
    filter.search !== undefined ? 'relevance' : filter.onSale === true ? 'best-deal' : 'revenue-desc';
  const ordered = expectedList(rows, filter, (list.sort ?? byDefault) as StartupSort | 'relevance');
  const isCorrected = filter.search !== undefined && searched(rows, filter.search).isCorrected;
  const [page, limit] = [Number(list.page ?? 1), Number(list.limit ?? 10)];
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

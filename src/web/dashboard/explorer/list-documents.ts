import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import {
  type ListParameter,
  listParameters,
  RECORDS_PER_READ,
} from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';
import type { SignedInContext } from '../page.ts';
import { type CountedParameter, countedIn, type ExplorerQuery, type View } from './query.ts';
import type { Read } from './reader.ts';
import { type Counts, GROUP, type ShownList, STATS, selectionOf } from './requests.ts';
import type { Point } from './scatter.tsx';

/** How many days the small charts of a list show. */
export const TREND_DAYS = 60;

/** What a page reads of each startup for them. */
export const TREND = `history(last: ${TREND_DAYS}, fill: true) { day revenue { mrr } }`;

/** What is read for a list. A count of a chosen value has the name of its parameter. */
export type ListData = {
  readonly startups: ShownList & { readonly facets?: Counts };
  readonly dataset: { readonly importedAt: string | null };
} & {
  readonly [parameter in CountedParameter]?: { readonly facets: Counts };
} & {
  /** Each day that is kept. */
  readonly market?: readonly { readonly count: number; readonly mrr: { readonly sum: number } }[];
};

const partOf = (view: View, fields: readonly StartupFieldPath[]): string =>
  view === 'table'
    ? `page { ${selectionOf(fields).join(' ')} ${TREND} }`
    : view === 'groups'
      ? `groups(by: $by) { ${GROUP} }`
      : '';

/** The parameters of one choice, or of several. */
function namesOf(name: CountedParameter): readonly string[] {
  const parameter: ListParameter = listParameters[name];
  return 'plural' in parameter && parameter.plural !== undefined ? [name, parameter.plural] : [name];
}

const countsOf = (names: readonly string[]): string =>
  names.length === 0 ? '' : `facets { ${names.map((name) => `${name} { value count }`).join(' ')} }`;

/**
 * What a list reads: its view, its figures, and how many startups each choice of an open menu would leave. The choices of
 * a filter that is set are counted without it. Days are read if the list is all of the market or of a category: only
 * theirs are stored.
 */
export function readList(
  read: Read,
  context: SignedInContext,
  { view, groups, open }: ExplorerQuery,
  args: QueryArguments,
  fields: readonly StartupFieldPath[],
): Promise<ListData> {
  const { filter } = args;
  const counted: readonly CountedParameter[] = open === undefined ? [] : countedIn[open];
  const chosen = counted.filter((name) => namesOf(name).some((one) => Object.hasOwn(filter, one)));
  const { category, ...otherFilters } = filter as { category?: string };
  const ofCategory = category === undefined ? '' : `(category: ${constantName(category)})`;
  const market = Object.keys(otherFilters).length === 0 ? `market${ofCategory} { count mrr { sum } }` : '';
  const variables = ['filter', ...chosen].map((name) => `$${name}: StartupFilter`).join(', ');
  const document = `query Explorer(${variables}, $sort: StartupSort, $page: Int, $limit: Int${view === 'groups' ? ', $by: StartupGrouping!' : ''}) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) {
    ${partOf(view, fields)}
    meta { total page limit hasMore corrected }
    stats { ${STATS} multiple { count } }
    ${countsOf(counted)}
  }
  dataset { importedAt }
  ${chosen.map((name) => `${name}: startups(filter: $${name}) { ${countsOf([name])} }`).join(' ')}
  ${market}
}`;
  const without = (names: readonly string[]): object =>
    Object.fromEntries(Object.entries(filter).filter(([one]) => !names.includes(one)));
  return read<ListData>(context, document, {
    ...args,
    ...(view === 'groups' && { by: groups.by }),
    ...Object.fromEntries(chosen.map((name) => [name, without(namesOf(name))])),
  });
}

/** How many pages of a list a chart reads by rank: with those that are furthest out, 200 startups at most. */
const PAGES_BY_RANK = 18;

const POINT = selectionOf([
  ...(['name', 'slug', 'onSale', 'askingPrice', 'multiple', 'growth30d', 'revenue.last30Days'] as const),
]).join(' ');

/**
 * The startups of a list that its chart shows, the same whenever it is opened: at equal distances by rank, and those with
 * the lowest and the highest multiples.
 *
 * @param total how many of the list have a price and revenue.
 */
export async function readPoints(
  read: Read,
  context: SignedInContext,
  { filter }: QueryArguments,
  total: number,
): Promise<Point[]> {
  const pageOf = (alias: string, order: string, page: number): string =>
    `${alias}: startups(filter: $filter, sort: ${order}, page: ${page}) { page { ${POINT} } }`;
  const data = await read<Record<string, { readonly page: readonly Point[] }>>(
    context,
    `query Chart($filter: StartupFilter) {
  ${pagesApart(Math.ceil(total / RECORDS_PER_READ), PAGES_BY_RANK)
    .map((page, index) => pageOf(`p${index}`, 'TOTAL_DESC', page))
    .join('\n  ')}
  ${pageOf('lowest', 'MULTIPLE_ASC', 1)}
  ${pageOf('highest', 'MULTIPLE_DESC', 1)}
}`,
    // Only startups with a price and revenue have a multiple.
    { filter: { minMultiple: 0, ...filter } },
  );
  const found = Object.values(data).flatMap(({ page }) => page);
  // A scale of powers of ten has no place for 0.
  return [...new Map(found.map((point) => [point.slug, point])).values()].filter(
    ({ askingPrice, revenue }) => askingPrice > 0 && revenue.last30Days > 0,
  );
}

/** The numbers of some pages of a list, at equal distances from the first to the last. */
export function pagesApart(pages: number, wanted: number): number[] {
  const reads = Math.min(pages, wanted);
  const step = reads > 1 ? (pages - 1) / (reads - 1) : 0;
  return Array.from({ length: reads }, (_, index) => 1 + Math.round(index * step));
}

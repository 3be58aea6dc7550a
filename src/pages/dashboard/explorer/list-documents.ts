import type { StartupFieldPath } from '../../../startups/fields.ts';
import { type ListParameter, listParameters } from '../../../startups/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/requests/query-parameters.ts';
import { constantName } from '../../../startups/vocabulary.ts';
import {
  type CountedParameter,
  countedParameters,
  type ExplorerQuery,
  histogramNames,
  type View,
} from './query.ts';
import type { Reader } from './reader.ts';
import { type Counts, type ListFacets, type ShownList, type ShownStartup, selectionOf } from './requests.ts';
import { ranges } from './units.ts';

/** How many days the small charts of a list show. */
export const TREND_DAYS = 60;

/** The name under which the ranges are counted without the bounds in force. */
export const UNBOUNDED = 'unbounded';

/** The result of {@link listDocument}. A count of a chosen value has the name of its parameter. */
export type ListData = {
  readonly startups: ShownList & { readonly facets: ListFacets };
  readonly dataset: { readonly importedAt: string | null };
} & {
  readonly [parameter in CountedParameter]?: { readonly facets: Counts };
} & {
  readonly [UNBOUNDED]?: { readonly facets: ListFacets };
  /** Each day that is kept. */
  readonly market?: readonly { readonly mrr: { readonly sum: number } }[];
};

const COUNTS = countedParameters.map((name) => `${name} { value count }`).join(' ');
const RANGES = histogramNames.map((name) => `${name} { from to count }`).join(' ');

/** What each view reads of the list. */
const partOf = (view: View, fields: readonly StartupFieldPath[]): string =>
  view === 'table'
    ? `page {
      ${selectionOf(fields).join(' ')}
      history(last: ${TREND_DAYS}, fill: true) { day revenue { mrr } }
    }`
    : view === 'groups'
      ? `groups(by: $by) {
      value count onSale
      stats { revenue { sum median } mrr { median } growth { median } price { median } multiple { median } }
    }`
      : '';

/**
 * The document of the explorer's list: what its view shows, its figures, and how many startups each choice would leave.
 *
 * @param fields what the table shows of each startup.
 * @param chosen the counted parameters that the list is filtered by: their choices are counted without them, by a filter
 *   in the variable with the same name.
 * @param isBounded whether a range with a histogram has a bound: all are counted without those bounds, too.
 * @param market the arguments of the market, if the list is all of it or of a category: only their days are stored.
 */
function listDocument(
  view: View,
  fields: readonly StartupFieldPath[],
  chosen: readonly CountedParameter[],
  isBounded: boolean,
  market: string | undefined,
): string {
  const filters = ['filter', ...chosen, ...(isBounded ? [UNBOUNDED] : [])];
  const variables = filters.map((name) => `$${name}: StartupFilter`).join(', ');
  return `query Explorer(${variables}, $sort: StartupSort, $page: Int, $limit: Int${view === 'groups' ? ', $by: StartupGrouping!' : ''}) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) {
    ${partOf(view, fields)}
    meta { total page limit hasMore corrected }
    stats { revenue { median sum } mrr { median } growth { median } price { median } multiple { count } }
    facets { ${COUNTS}${isBounded ? '' : ` ${RANGES}`} }
  }
  dataset { importedAt }
  ${chosen.map((name) => `${name}: startups(filter: $${name}) { facets { ${name} { value count } } }`).join('\n  ')}
  ${market === undefined ? '' : `market${market} { mrr { sum } }`}
  ${isBounded ? `${UNBOUNDED}: startups(filter: $${UNBOUNDED}) { facets { ${RANGES} } }` : ''}
}`;
}

/** What a list reads: its view, and the counts beside its filters. */
export function prepareList(
  reader: Reader,
  { view, groups }: ExplorerQuery,
  args: QueryArguments,
  fields: readonly StartupFieldPath[],
) {
  const chosen = countedParameters.filter((name) =>
    namesOf(name).some((one) => Object.hasOwn(args.filter, one)),
  );
  const isBounded = boundNames.some((name) => Object.hasOwn(args.filter, name));
  const { category, ...otherFilters } = args.filter as { category?: string };
  const ofCategory = category === undefined ? '' : `(category: ${constantName(category)})`;
  const market = Object.keys(otherFilters).length === 0 ? ofCategory : undefined;
  return reader.prepare(listDocument(view, fields, chosen, isBounded, market), {
    ...args,
    ...(view === 'groups' && { by: groups.by }),
    ...Object.fromEntries(chosen.map((name) => [name, without(args.filter, namesOf(name))])),
    ...(isBounded && { [UNBOUNDED]: without(args.filter, boundNames) }),
  });
}

/** The bounds of the ranges that have a histogram. */
const boundNames = ranges
  .filter(({ name }) => (histogramNames as readonly string[]).includes(name))
  .flatMap(({ fields }) => fields.map(({ parameter }): string => parameter));

/** The parameters of one choice, or of several. */
const namesOf = (name: CountedParameter): readonly string[] => {
  const parameter: ListParameter = listParameters[name];
  return 'plural' in parameter && parameter.plural !== undefined ? [name, parameter.plural] : [name];
};

/** A filter without some parameters. */
const without = (filter: object, names: readonly string[]): { [name: string]: unknown } =>
  Object.fromEntries(Object.entries(filter).filter(([one]) => !names.includes(one)));

/** Some pages of a list, all of one moment. */
export type PagesData = Readonly<Record<string, { readonly page: readonly ShownStartup[] }>>;

/** The document of some pages of a list, whose numbers are the variables p0, p1, …: each costs a read. */
export function pagesDocument(fields: readonly StartupFieldPath[], pages: number): string {
  const names = Array.from({ length: pages }, (_, index) => `p${index}`);
  return `query Pages($filter: StartupFilter, $sort: StartupSort, ${names.map((name) => `$${name}: Int`).join(', ')}) {
  ${names.map((name) => `${name}: startups(filter: $filter, sort: $sort, page: $${name}) { ...Rows }`).join('\n  ')}
}
fragment Rows on StartupConnection { page { ${selectionOf(fields).join(' ')} } }`;
}

/** The variables of {@link pagesDocument}. */
export function pageVariables(numbers: readonly number[]): { readonly [name: string]: number } {
  return Object.fromEntries(numbers.map((number, index) => [`p${index}`, number]));
}

/** The numbers of some pages of a list, at equal distances from the first to the last. */
export function pagesApart(pages: number, wanted: number): number[] {
  const reads = Math.min(pages, wanted);
  const step = reads > 1 ? (pages - 1) / (reads - 1) : 0;
  return Array.from({ length: reads }, (_, index) => 1 + Math.round(index * step));
}

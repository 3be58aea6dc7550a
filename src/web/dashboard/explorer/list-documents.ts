import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import { type ListParameter, listParameters } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName } from '../../../startups/model/vocabulary.ts';
import type { SignedInContext } from '../page.ts';
import { type CountedParameter, countedIn, type ExplorerQuery, type View } from './query.ts';
import type { Read } from './reader.ts';
import { type Counts, type ShownList, selectionOf } from './requests.ts';

/** How many days the small charts of a list show. */
export const TREND_DAYS = 60;

/** The result of {@link listDocument}. A count of a chosen value has the name of its parameter. */
export type ListData = {
  readonly startups: ShownList & { readonly facets?: Counts };
  readonly dataset: { readonly importedAt: string | null };
} & {
  readonly [parameter in CountedParameter]?: { readonly facets: Counts };
} & {
  /** Each day that is kept. */
  readonly market?: readonly { readonly count: number; readonly mrr: { readonly sum: number } }[];
};

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
 * The document of the explorer's list: what its view shows, its figures, and how many startups each choice of an open
 * menu would leave.
 *
 * @param fields what the table shows of each startup.
 * @param counted the parameters whose choices are counted.
 * @param chosen those of them that the list is filtered by: their choices are counted without them, by a filter
 *   in the variable with the same name.
 * @param market the arguments of the market, if the list is all of it or of a category: only their days are stored.
 */
function listDocument(
  view: View,
  fields: readonly StartupFieldPath[],
  counted: readonly CountedParameter[],
  chosen: readonly CountedParameter[],
  market: string | undefined,
): string {
  const filters = ['filter', ...chosen];
  const variables = filters.map((name) => `$${name}: StartupFilter`).join(', ');
  return `query Explorer(${variables}, $sort: StartupSort, $page: Int, $limit: Int${view === 'groups' ? ', $by: StartupGrouping!' : ''}) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) {
    ${partOf(view, fields)}
    meta { total page limit hasMore corrected }
    stats { revenue { median sum } mrr { median } growth { median } price { median } multiple { count } }
    ${counted.length === 0 ? '' : `facets { ${counted.map((name) => `${name} { value count }`).join(' ')} }`}
  }
  dataset { importedAt }
  ${chosen.map((name) => `${name}: startups(filter: $${name}) { facets { ${name} { value count } } }`).join('\n  ')}
  ${market === undefined ? '' : `market${market} { count mrr { sum } }`}
}`;
}

/** What a list reads: its view, and the counts beside its filters. */
export function readList(
  read: Read,
  context: SignedInContext,
  { view, groups, open }: ExplorerQuery,
  args: QueryArguments,
  fields: readonly StartupFieldPath[],
): Promise<ListData> {
  const counted: readonly CountedParameter[] = open === undefined ? [] : countedIn[open];
  const chosen = counted.filter((name) => namesOf(name).some((one) => Object.hasOwn(args.filter, one)));
  const { category, ...otherFilters } = args.filter as { category?: string };
  const ofCategory = category === undefined ? '' : `(category: ${constantName(category)})`;
  const market = Object.keys(otherFilters).length === 0 ? ofCategory : undefined;
  return read<ListData>(context, listDocument(view, fields, counted, chosen, market), {
    ...args,
    ...(view === 'groups' && { by: groups.by }),
    ...Object.fromEntries(chosen.map((name) => [name, without(args.filter, namesOf(name))])),
  });
}

/** The parameters of one choice, or of several. */
const namesOf = (name: CountedParameter): readonly string[] => {
  const parameter: ListParameter = listParameters[name];
  return 'plural' in parameter && parameter.plural !== undefined ? [name, parameter.plural] : [name];
};

/** A filter without some parameters. */
const without = (filter: object, names: readonly string[]): { [name: string]: unknown } =>
  Object.fromEntries(Object.entries(filter).filter(([one]) => !names.includes(one)));

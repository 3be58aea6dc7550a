import { formatted, ownSelection, selectionOf } from '../../../api/rest/endpoint-documents.ts';
import { REST_BASE } from '../../../api/rest/find-endpoint.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import type { OwnField, OwnPath } from '../../../startups/model/own-fields.ts';
import { listParameters, type QueryParameter } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName, type Grouping } from '../../../startups/model/vocabulary.ts';
import type { SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import {
  DETAILS,
  listArguments,
  readDocument,
  type ShownStartup,
  TREND,
} from '../../parts/startups/documents.ts';
import {
  type CountedParameter,
  changed,
  countedIn,
  type ExplorerQuery,
  listParametersOf,
  withoutParameters,
  withQuery,
} from '../../parts/startups/query.ts';

/** How many startups have each value of the counted parameters. */
export type Counts = Readonly<
  Partial<Record<CountedParameter, readonly { value: unknown; count: number }[]>>
>;

/** The startups that have a value in common, with figures of them. */
export interface ShownGroup {
  readonly value: string | null;
  readonly count: number;
  readonly onSale: number;
  readonly stats: object;
}

/** What a list reads: startups in a table or groups of them, and figures of all that match. */
export interface ListData {
  readonly startups: {
    readonly page?: readonly ShownStartup[];
    readonly groups?: readonly ShownGroup[];
    readonly meta: {
      readonly total: number;
      readonly page: number;
      readonly limit: number;
      readonly hasMore: boolean;
      /** Whether a search matched only with typing errors corrected. */
      readonly corrected: boolean;
    };
    /** How many have a price and revenue. */
    readonly stats: { readonly multiple: { readonly count: number } };
  };
  readonly dataset: { readonly importedAt: string | null };
  /** Each day that is kept. */
  readonly market?: readonly { readonly count: number; readonly mrr: { readonly sum: number } }[];
  /** Of the open menu. */
  readonly counts: Counts;
}

const STATS = 'revenue { sum median } mrr { median } growth { median } price { median }';

const GROUP = `value count onSale stats { ${STATS} multiple { median } }`;

const STARTUPS_PATH = `${REST_BASE}/startups`;

/** What a page shows, as a request to the API: path and query of REST, and the same as a GraphQL document. */
export interface ShownRequest {
  readonly path: string;
  readonly graphql: string;
}

/**
 * The request of a list.
 *
 * @param query its parameters in the format of REST.
 * @param args the same, read.
 * @param fields what the page shows of each startup.
 */
export const listRequest = (
  query: URLSearchParams,
  args: QueryArguments,
  fields: readonly (StartupFieldPath | OwnPath)[],
): ShownRequest => ({
  path: withQuery(STARTUPS_PATH, withOwn(listParametersOf(query), fields)),
  graphql: formatted(
    `{ startups${listArguments(args)} {
      page { ${selectionOf(fields)} } meta { total page limit hasMore } stats { ${STATS} }
    } }`,
  ),
});

/** The same with what REST leaves out of lists by default. */
const withOwn = (query: URLSearchParams, fields: readonly string[]): URLSearchParams =>
  fields.some((path) => path.startsWith('own.'))
    ? new URLSearchParams([...query, ['include', 'own']])
    : query;

/** The request of the groups of a list. */
export const groupsRequest = (
  query: URLSearchParams,
  { filter }: QueryArguments,
  by: Grouping,
): ShownRequest => ({
  path: withQuery(
    `${REST_BASE}/summary`,
    changed(withoutParameters(listParametersOf(query), 'sort', 'limit'), 'by', by),
  ),
  graphql: formatted(
    `{ startups${listArguments({ filter })} { groups(by: ${constantName(by)}) { ${GROUP} } } }`,
  ),
});

/** The request of one startup. */
export const startupRequest = (slug: string, own: readonly OwnField[]): ShownRequest => ({
  path: `${STARTUPS_PATH}/${slug}`,
  graphql: formatted(`{ startup(slug: ${JSON.stringify(slug)}) { ${DETAILS}${ownSelection(own)} } }`),
});

/**
 * Reads a list: its view, its figures, and how many startups each choice of an open menu would leave. The choices of a
 * filter that is set are counted without it. Days are read if the list is all of the market or of a category: only theirs
 * are stored.
 */
export async function readList(
  services: Pick<Services, 'engine'>,
  context: SignedInContext,
  { view, groups, open }: ExplorerQuery,
  args: QueryArguments,
  fields: readonly (StartupFieldPath | OwnPath)[],
): Promise<ListData> {
  const { filter } = args;
  const counted: readonly CountedParameter[] = open === undefined ? [] : countedIn[open];
  const { category, ...otherFilters } = filter as { category?: string };
  const ofCategory = category === undefined ? '' : `(category: ${constantName(category)})`;
  const shown = {
    table: `page { ${selectionOf(fields)} ${TREND} }`,
    groups: `groups(by: ${constantName(groups.by)}) { ${GROUP} }`,
    chart: '',
  };
  const document = `query Explorer(
  $sort: StartupSort, $page: Int, $limit: Int, ${['filter', ...counted].map((name) => `$${name}: StartupFilter`).join(', ')}
) {
  startups(filter: $filter, sort: $sort, page: $page, limit: $limit) {
    ${shown[view]}
    meta { total page limit hasMore corrected }
    stats { ${STATS} multiple { count } }
  }
  dataset { importedAt }
  ${counted.map((name) => `${name}: startups(filter: $${name}) { facets { ${name} { value count } } }`).join(' ')}
  ${Object.keys(otherFilters).length === 0 ? `market${ofCategory} { count mrr { sum } }` : ''}
}`;
  const otherThan = counted.map((name) => {
    const parameter: QueryParameter = listParameters[name];
    const plural = ('plural' in parameter ? parameter.plural : undefined) ?? name;
    const { [name]: _one, [plural]: _several, ...others } = filter;
    return [name, others] as const;
  });
  type Data = ListData & { readonly [name in CountedParameter]?: { readonly facets: Counts } };
  const variables = { ...args, ...Object.fromEntries(otherThan) };
  const data = await readDocument<Data>(services, context, document, variables);
  return { ...data, counts: Object.fromEntries(counted.map((name) => [name, data[name]?.facets[name]])) };
}

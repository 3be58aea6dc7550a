import { REST_BASE } from '../../../api/rest/endpoints.ts';
import { MAX_DAYS } from '../../../startups/history/parameters.ts';
import {
  type NamedStartupField,
  nestFields,
  type StartupFieldPath,
  startupFieldList,
} from '../../../startups/model/fields.ts';
import { type ListParameter, listParameters } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName, type Grouping } from '../../../startups/model/vocabulary.ts';
import { type CountedParameter, listParametersOf, withoutParameters, withQuery } from './query.ts';

/** What a page shows, as a request to the API. */
export interface ShownRequest {
  /** Path and query of REST. */
  readonly path: string;
  /** The same as a GraphQL document. */
  readonly graphql: string;
}

/** A startup as GraphQL returns it: dates are text. */
export interface ShownStartup {
  readonly name: string;
  readonly slug: string;
  readonly category: string | null;
  readonly onSale: boolean;
  readonly description?: string | null;
  /** Each of the last days. */
  readonly history?: readonly { readonly day: string; readonly revenue: { readonly mrr: number } }[];
  readonly [field: string]: unknown;
}

/** How many startups have each value of the counted parameters. */
export type Counts = Readonly<
  Partial<Record<CountedParameter, readonly { value: unknown; count: number }[]>>
>;

/** The startups that have a value in common. */
export interface ShownGroup {
  readonly value: string | null;
  readonly count: number;
  readonly onSale: number;
  readonly stats: {
    readonly revenue: { readonly sum: number; readonly median: number | null };
  } & Readonly<Record<'mrr' | 'growth' | 'price' | 'multiple', { readonly median: number | null }>>;
}

/** A page of startups, and figures of all that match. */
export interface ShownList {
  /** In a table. */
  readonly page?: readonly ShownStartup[];
  /** In the view of groups. */
  readonly groups?: readonly ShownGroup[];
  readonly meta: {
    readonly total: number;
    readonly page: number;
    readonly limit: number;
    readonly hasMore: boolean;
    /** Whether a search matched only with typing errors corrected. */
    readonly corrected: boolean;
  };
  readonly stats: {
    readonly revenue: { readonly median: number | null; readonly sum: number | null };
    readonly mrr: { readonly median: number | null };
    readonly growth: { readonly median: number | null };
    readonly price: { readonly median: number | null };
    /** How many have a price and revenue. */
    readonly multiple: { readonly count: number };
  };
}
const STATS = 'stats { revenue { median sum } mrr { median } growth { median } price { median } }';

/** Every field of a startup's own page: those of the detail record. */
export const detailFields: readonly NamedStartupField[] = startupFieldList.filter(
  ({ shape }) => shape !== 'import',
);

/** The document of a startup's own page, with its history: every day that one response may hold. */
export const STARTUP_DOCUMENT = `query ExplorerStartup($slug: String!) {
  startup(slug: $slug) {
    ${selectionOf(detailFields.map(({ path }) => path)).join(' ')}
    history(last: ${MAX_DAYS}, fill: true) {
      day revenue { last30Days mrr total } customers activeSubscriptions askingPrice onSale
    }
  }
}`;

/** What similar startups show. */
const similarFields = 'page { name slug category onSale revenue { last30Days mrr } growth30d askingPrice }';

/** The startups of the same category that have the nearest MRR, from below and from above. */
export const SIMILAR_DOCUMENT = `query Similar($below: StartupFilter!, $above: StartupFilter!) {
  below: startups(filter: $below, sort: MRR_DESC, limit: 5) { ${similarFields} }
  above: startups(filter: $above, sort: MRR_ASC, limit: 5) { ${similarFields} }
}`;

/** The result of {@link SIMILAR_DOCUMENT}. */
export interface SimilarData {
  readonly below: { readonly page: readonly ShownStartup[] };
  readonly above: { readonly page: readonly ShownStartup[] };
}

/** How many similar startups a page shows. */
const SIMILAR = 4;

/** The variables of {@link SIMILAR_DOCUMENT}; undefined for a startup without a category. */
export function similarVariables({ category, revenue }: ShownStartup) {
  const { mrr } = revenue as { readonly mrr: number };
  return category === null
    ? undefined
    : { below: { category, maxMrr: mrr }, above: { category, minMrr: mrr } };
}

/** Those that are nearest. */
export function nearest(startup: ShownStartup, { below, above }: SimilarData): ShownStartup[] {
  const mrrOf = ({ revenue }: ShownStartup): number => (revenue as { readonly mrr: number }).mrr;
  const distance = (one: ShownStartup): number => Math.abs(mrrOf(one) - mrrOf(startup));
  const bySlug = new Map([...below.page, ...above.page].map((one) => [one.slug, one]));
  bySlug.delete(startup.slug);
  return [...bySlug.values()].toSorted((a, b) => distance(a) - distance(b)).slice(0, SIMILAR);
}

const STARTUPS_PATH = `${REST_BASE}/startups`;

/**
 * The request of a list.
 *
 * @param query its parameters in the format of REST.
 * @param args the same, read.
 * @param fields what the page shows of each startup.
 */
export function listRequest(
  query: URLSearchParams,
  args: QueryArguments,
  fields: readonly StartupFieldPath[],
): ShownRequest {
  return {
    path: withQuery(STARTUPS_PATH, listParametersOf(query)),
    graphql: `{
  startups${listArguments(args)} {
    page {
${indent(selectionOf(fields), 6)}
    }
    meta { total page limit hasMore }
    ${STATS}
  }
}`,
  };
}

/** The request of the groups of a list. */
export function groupsRequest(
  query: URLSearchParams,
  { filter }: QueryArguments,
  by: Grouping,
): ShownRequest {
  const filters = withoutParameters(listParametersOf(query), 'sort', 'page', 'limit');
  filters.set('by', by);
  return {
    path: withQuery(`${REST_BASE}/summary`, filters),
    graphql: `{
  startups${listArguments({ filter })} {
    groups(by: ${constantName(by)}) {
      value count onSale
      stats { revenue { sum median } mrr { median } growth { median } price { median } multiple { median } }
    }
  }
}`,
  };
}

/** The request of one startup. */
export function startupRequest(slug: string): ShownRequest {
  return {
    path: `${STARTUPS_PATH}/${slug}`,
    graphql: `{
  startup(slug: ${JSON.stringify(slug)}) {
${indent(selectionOf(detailFields.map(({ path }) => path)), 4)}
  }
}`,
  };
}

/** Arguments of a list as a document writes them, in parentheses. */
export function listArguments({ filter, ...others }: QueryArguments): string {
  const args = [
    ...(Object.keys(filter).length === 0 ? [] : [`filter: { ${literals(filter)} }`]),
    ...(Object.keys(others).length === 0 ? [] : [literals(others)]),
  ];
  return args.length === 0 ? '' : `(${args.join(', ')})`;
}

function literals(values: Readonly<Record<string, unknown>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}: ${literal(name, value)}`)
    .join(', ');
}

/** The parameters whose values are enumeration values. */
const enumerated = new Set(
  Object.entries<ListParameter>(listParameters).flatMap(([name, parameter]) =>
    parameter.kind === 'choice' ? [name, parameter.plural] : [],
  ),
);

function literal(name: string, value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((one) => literal(name, one)).join(', ')}]`
    : enumerated.has(name)
      ? constantName(String(value))
      : JSON.stringify(value);
}

export function selectionOf(paths: readonly StartupFieldPath[]): string[] {
  return [...nestFields(paths)].map(([name, below]) =>
    below.length === 0 ? name : `${name} { ${below.join(' ')} }`,
  );
}

const indent = (lines: readonly string[], by: number): string =>
  lines.map((line) => ' '.repeat(by) + line).join('\n');

import { REST_BASE } from '../../../api/rest/endpoints.ts';
import {
  type NamedStartupField,
  nestFields,
  type StartupFieldPath,
  startupFieldList,
} from '../../../startups/model/fields.ts';
import { type ListParameter, listParameters } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { constantName, type Grouping } from '../../../startups/model/vocabulary.ts';
import {
  type CountedParameter,
  listParametersOf,
  withoutParameters,
  withParameter,
  withQuery,
} from './query.ts';

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
  /** Each of the last days. */
  readonly history?: readonly { readonly day: string; readonly revenue: { readonly mrr: number } }[];
  readonly [field: string]: unknown;
}

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
    /** How many have a price and revenue. */
    readonly multiple: { readonly count: number };
  };
}

const MEDIANS = 'mrr { median } growth { median } price { median }';
export const STATS = `revenue { sum median } ${MEDIANS}`;
export const GROUP = `value count onSale stats { ${STATS} multiple { median } }`;

/** Every field of a startup's own page: those of the detail record. */
export const detailFields: readonly NamedStartupField[] = startupFieldList.filter(
  ({ shape }) => shape !== 'import',
);

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
${linesOf(fields, 6)}
    }
    meta { total page limit hasMore }
    stats { ${STATS} }
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
  return {
    path: withQuery(`${REST_BASE}/summary`, withParameter(filters, 'by', by)),
    graphql: `{
  startups${listArguments({ filter })} {
    groups(by: ${constantName(by)}) {
      ${GROUP}
    }
  }
}`,
  };
}

/** The request of one startup. */
export const startupRequest = (slug: string): ShownRequest => ({
  path: `${STARTUPS_PATH}/${slug}`,
  graphql: `{
  startup(slug: ${JSON.stringify(slug)}) {
${linesOf(
  detailFields.map(({ path }) => path),
  4,
)}
  }
}`,
});

/** Arguments of a list as a document writes them, in parentheses. */
export function listArguments({ filter, ...others }: QueryArguments): string {
  const args = [
    ...(Object.keys(filter).length === 0 ? [] : [`filter: { ${literals(filter)} }`]),
    ...(Object.keys(others).length === 0 ? [] : [literals(others)]),
  ];
  return args.length === 0 ? '' : `(${args.join(', ')})`;
}

const literals = (values: object): string =>
  Object.entries(values)
    .map(([name, value]) => `${name}: ${literal(name, value)}`)
    .join(', ');

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

/** The selection of some fields. */
export const selectionOf = (paths: readonly StartupFieldPath[]): string[] =>
  [...nestFields(paths)].map(([name, below]) =>
    below.length === 0 ? name : `${name} { ${below.join(' ')} }`,
  );

const linesOf = (paths: readonly StartupFieldPath[], indent: number): string =>
  selectionOf(paths)
    .map((line) => ' '.repeat(indent) + line)
    .join('\n');

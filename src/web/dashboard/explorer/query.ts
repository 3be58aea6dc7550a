import type { ErrorDetail } from '../../../lib/errors.ts';
import {
  type ListParameter,
  type ListParameterName,
  listParameters,
} from '../../../startups/model/requests/list-parameters.ts';
import {
  type ListArguments,
  type ListRequest,
  parameterError,
  readListArguments,
} from '../../../startups/model/requests/list-request.ts';
import { type QueryArguments, readListQuery } from '../../../startups/model/requests/query-parameters.ts';
import { type Grouping, groupings } from '../../../startups/model/vocabulary.ts';
import { boundFields, isDecimal, readTyped, showWithUnit } from './units.ts';

export const EXPLORER_PATH = '/dashboard/explorer';

/** Where lists, figures and charts are embedded. Not below the path of the explorer, where every name is a startup's. */
export const EMBED_PATH = '/dashboard/embed';

/** The filters whose values are counted, by the menu that shows them: only where that is open, as counts cost the most. */
export const countedIn = {
  category: ['category'],
  more: ['country', 'paymentProvider', 'fundingStatus', 'teamSize', 'targetAudience', 'techStack'],
} as const;
export type CountedMenu = keyof typeof countedIn;
export type CountedParameter = (typeof countedIn)[CountedMenu][number];

/** The parameter with the menu that is open: a part of the page's address, but not of its list. */
const OPEN = 'open';

/** What a list is shown as. */
export const views = ['table', 'chart', 'groups'] as const;
export type View = (typeof views)[number];

/** The figures of groups, in the order of their columns. */
export const groupFigures = [
  'count',
  'revenue-sum',
  'on-sale',
  'revenue-median',
  'mrr-median',
  'growth-median',
  'price-median',
  'multiple-median',
] as const;
export type GroupFigure = (typeof groupFigures)[number];
export type GroupOrder = `${GroupFigure | 'name'}-${'asc' | 'desc'}`;
const groupOrders = (['name', ...groupFigures] as const).flatMap(
  (name) => [`${name}-asc`, `${name}-desc`] as const,
);
export const LARGEST_FIRST: GroupOrder = 'count-desc';

/** How the groups of a list are shown. */
export interface Groups {
  /** What the startups of a group have in common. */
  readonly by: Grouping;
  readonly order: GroupOrder;
}

/** The view, and how its groups are shown: parameters of the explorer that the API does not have. */
const [VIEW, BY, ORDER] = ['view', 'by', 'order'];
export const viewParameters = [VIEW, BY, ORDER] as const;

/** The form sends the chosen columns under this name. They are a setting of the browser, and no part of a list's URL. */
export const COLUMNS = 'columns';

/** The request to the explorer. */
export interface ExplorerQuery {
  /**
   * The parameters of the API, in its units, without empty ones, and the view unless it is the table: the query of the
   * page's own URL.
   */
  readonly parameters: URLSearchParams;
  readonly view: View;
  readonly groups: Groups;
  readonly open: CountedMenu | undefined;
  /** Input that cannot be converted, by parameter. */
  readonly typed: ReadonlyMap<string, string>;
  /** The chosen columns, if the form was sent. */
  readonly columns: readonly string[] | undefined;
}

/**
 * Reads a query that has the parameters of the API, those of the form, or both. The form sends each of several choices on
 * its own; in the API, commas separate them.
 */
export function readExplorerQuery(query: URLSearchParams): ExplorerQuery {
  const fields = new Map([...boundFields.values()].map((one) => [one.field, one]));
  const parameters = new URLSearchParams();
  const typed = new Map<string, string>();
  for (const [name, value] of query) {
    const text = value.trim();
    const field = fields.get(name);
    if (text === '' || [COLUMNS, OPEN, ...viewParameters].includes(name)) {
      // A form sends its empty fields too.
      continue;
    }
    if (field === undefined) {
      const before = isPlural(name) ? parameters.get(name) : null;
      before === null ? parameters.append(name, text) : parameters.set(name, `${before},${text}`);
      continue;
    }
    const converted = readTyped(text, field.unit);
    if (converted === undefined) {
      typed.set(field.parameter, text);
    } else {
      parameters.append(field.parameter, converted);
    }
  }
  const columns = query.has(COLUMNS) ? query.getAll(COLUMNS).filter((id) => id !== '') : undefined;
  const view = views.find((one) => one === query.get(VIEW)) ?? 'table';
  const groups = {
    by: groupings.find((one) => one === query.get(BY)) ?? FIRST_GROUPING,
    order: groupOrders.find((one) => one === query.get(ORDER)) ?? LARGEST_FIRST,
  };
  const open = Object.keys(countedIn).find((one) => one === query.get(OPEN)) as CountedMenu | undefined;
  return { parameters: withView(parameters, view, groups), typed, columns, view, groups, open };
}

const FIRST_GROUPING = groupings[0] as Grouping;

/** The same list in another view. */
export function withView(
  parameters: URLSearchParams,
  view: View,
  { by = FIRST_GROUPING, order = LARGEST_FIRST }: Partial<Groups> = {},
): URLSearchParams {
  const list = listParametersOf(parameters);
  if (view !== 'table') {
    list.set(VIEW, view);
  }
  if (view === 'groups' && by !== FIRST_GROUPING) {
    list.set(BY, by);
  }
  if (view === 'groups' && order !== LARGEST_FIRST) {
    list.set(ORDER, order);
  }
  return list;
}

/** The parameters that the API has. */
export function listParametersOf(parameters: URLSearchParams): URLSearchParams {
  return withoutParameters(parameters, ...viewParameters);
}

/** Whether a parameter can have several values. */
export function isPlural(name: string): boolean {
  if (!Object.hasOwn(listParameters, name)) {
    return false;
  }
  const parameter: ListParameter = listParameters[name as ListParameterName];
  return parameter.kind === 'texts' || 'plural' in parameter;
}

type ReadRequest =
  | { readonly args: QueryArguments; readonly request: ListRequest }
  | { readonly errors: readonly ErrorDetail[] };

/** Reads the parameters as REST does. The errors are those of REST, except for bounds, which have other units here. */
export function readRequest({ parameters, typed }: Pick<ExplorerQuery, 'parameters' | 'typed'>): ReadRequest {
  const { args, details } = readListQuery(listParametersOf(parameters).toString());
  const read = readListArguments(args as ListArguments);
  const found = [...details, ...('details' in read ? read.details : [])];
  const errors = [
    ...[...typed].map(([parameter, text]) => typedError(parameter, text)),
    ...found.map((detail) => inTypedUnits(detail, parameters)),
  ];
  return 'request' in read && errors.length === 0 ? { args, request: read.request } : { errors };
}

/**
 * Reads the valid part of a query: what is left without the parameters that have an error, so that a list can be shown
 * beside the errors.
 */
export function readValidRequest(query: ExplorerQuery) {
  const first = readRequest(query);
  const errors = 'errors' in first ? first.errors : [];
  let { parameters } = query;
  for (let read = first; ; read = readRequest({ parameters, typed: new Map() })) {
    if ('request' in read) {
      return { ...read, errors, parameters };
    }
    // Without a value, another may be invalid: an order by relevance needs a search.
    const left = withoutParameters(parameters, ...read.errors.map(({ parameter }) => parameter));
    parameters = left.size < parameters.size || read === first ? left : new URLSearchParams();
  }
}

function typedError(parameter: string, text: string): ErrorDetail {
  return parameterError(parameter, text, boundFields.get(parameter)?.unit.allowed ?? '');
}

function inTypedUnits(detail: ErrorDetail, parameters: URLSearchParams): ErrorDetail {
  const { parameter } = detail;
  const bound = boundFields.get(parameter);
  const [value = '', ...others] = parameters.getAll(parameter);
  if (bound === undefined || others.length > 0) {
    return detail;
  }
  if (!isDecimal(value)) {
    return typedError(parameter, value);
  }
  // The only possible error of a single number is that it is beyond the other bound.
  const most = parameters.get(parameter.replace(/^min/, 'max')) ?? '';
  const [shown, highest] = [showWithUnit(value, bound.unit), showWithUnit(most, bound.unit)];
  return { parameter, message: `got ${shown}, allowed: at most the maximum, ${highest}` };
}

/** The same text for the same list, in whatever order its filters were set. */
export const inOrder = (query: URLSearchParams): string => [...query].map(String).toSorted().join('&');

/** The URL of a list, and of its page with an open menu. */
export function explorerPath(query: URLSearchParams, open?: CountedMenu): string {
  return withQuery(EXPLORER_PATH, open === undefined ? query : withParameter(query, OPEN, open));
}

/** A path with its query, in which commas are readable. */
export function withQuery(path: string, query: URLSearchParams): string {
  return query.size === 0 ? path : `${path}?${query.toString().replaceAll('%2C', ',')}`;
}

/** The same list with another value of a parameter. */
export function withParameter(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const copy = new URLSearchParams(query);
  copy.set(name, value);
  return copy;
}

/** The same list without some parameters. */
export function withoutParameters(query: URLSearchParams, ...names: readonly string[]): URLSearchParams {
  const copy = new URLSearchParams(query);
  for (const name of names) {
    copy.delete(name);
  }
  return copy;
}

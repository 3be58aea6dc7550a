import type { ErrorDetail } from '../../../lib/errors.ts';
import {
  type ListArguments,
  type ListRequest,
  parameterError,
  readListArguments,
} from '../../../startups/model/requests/list-request.ts';
import { listReaderWith, type QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import { type Grouping, groupings } from '../../../startups/model/vocabulary.ts';
import { EXPLORER_PATH } from '../../shared/paths.ts';
import { choiceLabel, type Filters, filters, isDecimal, readTyped } from './filters.ts';

/** The filters whose values are counted, by the menu that shows them: only where that is open, as counts cost the most. */
export const countedIn = {
  category: ['category'],
  more: ['country', 'paymentProvider', 'fundingStatus', 'teamSize', 'targetAudience', 'techStack'],
} as const;
export type CountedMenu = keyof typeof countedIn;
export type CountedParameter = (typeof countedIn)[CountedMenu][number];

/** What a list is shown as. */
export const views = ['table', 'chart', 'groups'] as const;
type View = (typeof views)[number];

/** How the groups of a list are shown. */
export interface Groups {
  /** What the startups of a group have in common. */
  readonly by: Grouping;
  /** The figure that they are sorted by, with `-asc` or `-desc`. */
  readonly order: string;
}

/** The view, and how its groups are shown: parameters of the explorer that the API does not have, with their defaults. */
const viewDefaults = { view: 'table', by: groupings[0] as Grouping, order: 'count-desc' } as const;
export const viewParameters: readonly string[] = Object.keys(viewDefaults);

/** The form sends the chosen columns under this name. They are a setting of the browser, and no part of a list's URL. */
export const COLUMNS = 'columns';

/** The fields of the filter of dates: which one, and since when. */
export const DATE_FIELDS = { kind: 'dateKind', day: 'date' } as const;

/** The parameter with the menu that is open: like those of the filter of dates, a part of the form, but not of its list. */
const OPEN = 'open';
const ofForm: readonly string[] = [COLUMNS, OPEN, ...Object.values(DATE_FIELDS), ...viewParameters];

/** The parameters of dates, of which the filter of dates shows one. */
export const dateParameters = filters.all.filter(({ kind }) => kind === 'instant').map(({ id }) => id);

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
  /** The date that its filter shows. */
  readonly dateKind: string;
  /** Input that cannot be converted, by parameter. */
  readonly typed: ReadonlyMap<string, string>;
  /** The chosen columns, if the form was sent. */
  readonly columns: readonly string[] | undefined;
}

/**
 * Reads a query that has the parameters of the API, those of the form, or both. The form sends each of several choices on
 * its own; in the API, commas separate them.
 */
export function readExplorerQuery(query: URLSearchParams, of: Filters = filters): ExplorerQuery {
  const given = new URLSearchParams();
  const typed = new Map<string, string>();
  for (const [name, value] of query) {
    const text = value.trim();
    const bound = of.bounds.get(name);
    const parameter = bound?.parameter ?? name;
    const converted = bound === undefined ? text : readTyped(text, bound.unit);
    const before = of.find(name)?.isPlural ? given.get(name) : null;
    if (text === '' || ofForm.includes(name)) {
      // A form sends its empty fields too.
    } else if (converted === undefined) {
      typed.set(parameter, text);
    } else if (before !== null) {
      given.set(name, `${before},${text}`);
    } else {
      given.append(parameter, converted);
    }
  }
  const oneOf = <T extends string>(values: readonly T[], name: string): T | undefined =>
    values.find((one) => one === query.get(name));
  const askedDate = oneOf(dateParameters, DATE_FIELDS.kind);
  const day = query.get(DATE_FIELDS.day)?.trim() ?? '';
  if (askedDate !== undefined && day !== '') {
    given.set(askedDate, day);
  }
  const view = oneOf(views, 'view') ?? viewDefaults.view;
  const groups = {
    by: oneOf(groupings, 'by') ?? viewDefaults.by,
    order: /^[a-zA-Z-]+-(asc|desc)$/.exec(query.get('order') ?? '')?.[0] ?? viewDefaults.order,
  };
  return {
    parameters: withView(given, view, groups),
    typed,
    view,
    groups,
    dateKind: askedDate ?? dateParameters.find((name) => given.has(name)) ?? 'listedSince',
    open: oneOf(Object.keys(countedIn) as CountedMenu[], OPEN),
    columns: query.has(COLUMNS) ? query.getAll(COLUMNS) : undefined,
  };
}

/** The same list in another view. */
export function withView(
  parameters: URLSearchParams,
  view: View,
  groups: Partial<Groups> = {},
): URLSearchParams {
  const list = listParametersOf(parameters);
  for (const [name, value] of Object.entries({ view, ...(view === 'groups' && groups) })) {
    if (value !== viewDefaults[name as keyof typeof viewDefaults]) {
      list.set(name, value);
    }
  }
  return list;
}

/** The parameters that the API has. */
export const listParametersOf = (parameters: URLSearchParams): URLSearchParams =>
  withoutParameters(parameters, ...viewParameters);

/**
 * Reads the parameters as REST does. Filters that have an error are left out, with both bounds of a range, so that a list
 * can be shown beside the errors, which are those of REST in the words and the units of the form.
 */
export function readRequest(
  { parameters, typed }: Pick<ExplorerQuery, 'parameters' | 'typed'>,
  of: Filters = filters,
): {
  readonly args: QueryArguments;
  readonly request: ListRequest;
  /** The valid ones. */
  readonly parameters: URLSearchParams;
  readonly errors: readonly ErrorDetail[];
} {
  const { args, details } = listReaderWith(of.fields)(listParametersOf(parameters).toString());
  const read = readListArguments(args as ListArguments, 'url');
  const invalidTyped = Array.from(typed, ([parameter, text]) => typedError(parameter, text, of));
  const invalidRead = details.concat('details' in read ? read.details : []);
  const errors = [...invalidTyped, ...invalidRead.map((one) => inTypedUnits(one, parameters, of))].map(
    ({ parameter, message }) => ({ parameter, message: inWords(message) }),
  );
  if ('request' in read && errors.length === 0) {
    return { args, request: read.request, parameters, errors };
  }
  // Without a value, another may be invalid: an order by relevance needs a search.
  const invalid = errors.flatMap(({ parameter }) => of.find(parameter)?.parameters ?? parameter);
  const left = withoutParameters(parameters, ...invalid);
  const isLess = left.size < parameters.size || typed.size > 0;
  return {
    ...readRequest({ parameters: isLess ? left : new URLSearchParams(), typed: new Map() }, of),
    errors,
  };
}

const typedError = (parameter: string, text: string, of: Filters): ErrorDetail =>
  parameterError(parameter, text, of.find(parameter)?.unit?.allowed ?? '');

/** An error of the API as a sentence for people. */
const inWords = (message: string): string =>
  `${message
    .replace(/^got "?(.*?)"?, allowed: /s, '“$1” is not valid. Use ')
    // The form lists them, with their labels.
    .replace(/(Use )(one of|true or|an ISO) .*/, '$1one of its choices')}.`;

function inTypedUnits(
  { parameter, message }: ErrorDetail,
  parameters: URLSearchParams,
  of: Filters,
): ErrorDetail {
  const [value = '', ...others] = parameters.getAll(parameter);
  const filter = of.find(parameter);
  const most = parameters.get(filter?.parameters.at(-1) ?? '') ?? '';
  const [shown, highest] = [value, most].map((one) => choiceLabel(parameter, one, of));
  // The names of all others are for programs.
  return message.startsWith('unknown parameter')
    ? {
        parameter,
        message: parameter.startsWith('own.')
          ? 'This service has no such field any more, or none to filter by'
          : 'There is no such filter',
      }
    : others.length > 0
      ? { parameter, message: 'It is set twice. Set it once' }
      : filter?.kind === 'dates' && message.includes('at most to (')
        ? { parameter, message: `The first day, ${shown}, is after the last one, ${highest}` }
        : filter?.unit === undefined
          ? { parameter, message }
          : // The only possible error of a single number is that it is beyond the other bound.
            isDecimal(value)
            ? { parameter, message: `The minimum, ${shown}, is above the maximum, ${highest}` }
            : typedError(parameter, value, of);
}

/** The same text for the same list, in whatever order its filters were set. */
export const inOrder = (query: URLSearchParams): string => [...query].map(String).toSorted().join('&');

/** The URL of a list, and of its page with an open menu. */
export const explorerPath = (query: URLSearchParams, open?: CountedMenu): string =>
  withQuery(EXPLORER_PATH, new URLSearchParams([...query, ...(open === undefined ? [] : [[OPEN, open]])]));

/** A path with its query, in which commas are readable. */
export const withQuery = (path: string, query: URLSearchParams): string =>
  query.size === 0 ? path : `${path}?${query.toString().replaceAll('%2C', ',')}`;

/** The same list without some parameters. */
export const withoutParameters = (query: URLSearchParams, ...names: readonly string[]): URLSearchParams =>
  new URLSearchParams([...query].filter(([name]) => !names.includes(name)));

/** The first page of a list, or another one, with another value of a parameter; empty: without it. */
export function changed(query: URLSearchParams, name: string, value: string): URLSearchParams {
  const copy = withoutParameters(query, name === 'page' ? '' : 'page', value === '' ? name : '');
  if (value !== '') {
    copy.set(name, value);
  }
  return copy;
}

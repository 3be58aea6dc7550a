import { type ParsedUrlQuery, parse } from 'node:querystring';
import { ApiError, type ErrorDetail } from '../../../lib/errors.ts';
import { isDay, readDate } from '../../../lib/text/days.ts';
import { MOST_CHOICES, type OwnField } from '../own-fields.ts';
import {
  type ByKind,
  filterParameters,
  type ListParameterName,
  listParameters,
  type QueryParameter,
} from './list-parameters.ts';
import {
  allowedValues,
  isInRange,
  NUMBER_PATTERN,
  type ParameterSyntax,
  parameterError,
  slugsError,
  unknownError,
} from './list-request.ts';
import { addOwnCondition, withOwnParameters } from './own-parameters.ts';
import { createSuggester } from './suggest.ts';

const INTEGER = /^-?\d{1,15}$/;
const NUMBER = new RegExp(NUMBER_PATTERN);

/** What a URL that is not UTF-8 is decoded to. */
export const UNDECODABLE = '\ufffd';
/** The most invalid parameters that are named: each error lists what is allowed. No resource has as many parameters. */
const MOST_ERRORS = 100;

/** What other APIs call these parameters, where a name is not close to ours. */
const synonyms: Readonly<Record<string, RegExp>> = {
  search: /^(q|query|keywords?|term|text)$/i,
  limit: /^((per_?|rows_?)page|page_?size|size|count|first|take|top|max_?results|rows)$/i,
  page: /^(offset|skip|start|p|page_?(no|num(ber)?|index)|after|cursor)$/i,
  since: /^(after|cursor|next|page_?token)$/i,
  sort: /^(order|sort_?by|order_?by|ordering)$/i,
  by: /^(group(_?by)?)$/i,
  onSale: /^((is_?)?for_?sale|status)$/i,
  xHandle: /^(handle|twitter|founder|user(name)?)$/i,
  paymentProvider: /^(provider)$/i,
  techStack: /^(tech|technolog(y|ies)|stack)$/i,
  from: /^(start(_?date)?)$/i,
  to: /^(end(_?date)?|until)$/i,
};

/** The parameters of one resource by their names, in the order of the interface. */
export type QueryParameters = Readonly<Record<string, QueryParameter>>;

/** The values of parameters, each of the type of its parameter, and an error for each that could not be read. */
interface ReadQuery {
  readonly args: Readonly<Record<string, unknown>>;
  readonly details: readonly ErrorDetail[];
}

const itemText = (value: unknown): string =>
  typeof value === 'object' ? JSON.stringify(value) : String(value);

/** A value of JSON as a query string has it. */
const textOf = (value: unknown): string =>
  Array.isArray(value) ? value.map(itemText).join(',') : itemText(value);

/** The several values in a text. @param json the value as it was sent, in JSON. */
const itemsOf = (text: string, json: unknown): readonly string[] =>
  Array.isArray(json) ? json.map(itemText) : text.split(',');

/**
 * Creates the reader of a resource's query strings. Checks beyond types, such as crossing bounds, are left to the code
 * that reads its arguments.
 */
export function createQueryReader(parameters: QueryParameters): (query: string) => ReadQuery {
  const read = createReader(parameters, 'url');
  return (query) => read(parse(query, '&', '=', { maxKeys: 0 }));
}

/**
 * Creates the reader of the same parameters as values of JSON, with arrays for several values. Models fill in what they do
 * not need: null, an empty text and an empty array mean that a parameter is absent. They also write an array as a text of
 * JSON, and numbers and booleans as texts.
 */
export function createArgumentReader(
  parameters: QueryParameters,
): (args: Readonly<Record<string, unknown>>) => ReadQuery {
  const read = createReader(parameters, 'json');
  return (args) => {
    const given = Object.entries(args).flatMap(([name, sent]) => {
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      const value = parameter !== undefined && takesSeveral(parameter) ? arrayOf(sent) : sent;
      return isAbsent(value) ? [] : [[name, value] as const];
    });
    const texts = given.map(([name, value]) => [name, textOf(value)] as const);
    return read(Object.fromEntries(texts), Object.fromEntries(given));
  };
}

const isAbsent = (value: unknown): boolean =>
  value === null || value === undefined || value === '' || (Array.isArray(value) && value.length === 0);

const takesSeveral = (parameter: QueryParameter): boolean =>
  'plural' in parameter || parameter.kind === 'texts' || parameter.kind === 'ownValues';

/** The array in a text such as `["ai","saas"]`; any other value as it is. */
function arrayOf(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*\[.*\]\s*$/s.test(value)) {
    return value;
  }
  try {
    return JSON.parse(value);
  } catch {
    // The error names what was sent.
    return value;
  }
}

/**
 * Reads texts, several of a parameter that was repeated.
 *
 * @param syntax how clients write values, which messages say.
 */
function createReader(parameters: QueryParameters, syntax: ParameterSyntax) {
  const names = Object.keys(parameters);
  const suggestName = createSuggester(names);
  const suggestValue = new Map(
    Object.entries(parameters).flatMap(([name, parameter]) =>
      'values' in parameter ? [[name, createSuggester(parameter.values)] as const] : [],
    ),
  );

  function unknownParameter(name: string): ErrorDetail {
    // How PHP, Rails and qs write lists in a query.
    const base = /^(\w{1,30})\[\d{0,9}\]$/.exec(name)?.[1] ?? '';
    const meant = Object.hasOwn(parameters, base) ? parameters[base] : undefined;
    if (meant !== undefined) {
      const message = `unknown parameter, allowed: ${base} without brackets, ${onceOnly(meant)}`;
      return { parameter: name, message };
    }
    const suggestion = suggestName(name) ?? names.find((one) => synonyms[one]?.test(name));
    return unknownError(name, 'parameter', suggestion, names.join(', ') || 'none');
  }

  function invalidValue(name: string, parameter: QueryParameter, text: string, json: unknown): ErrorDetail {
    const items = itemsOf(text, json);
    if (parameter.kind === 'slugs') {
      return slugsError('slug', Array.isArray(json) ? items : text, items, syntax) as ErrorDetail;
    }
    const unknown = 'values' in parameter ? items.find((one) => !parameter.values.includes(one)) : undefined;
    const suggestion = unknown === undefined ? undefined : suggestValue.get(name)?.(unknown);
    // An integer out of range has the same error as in GraphQL.
    const isInteger = INTEGER.test(text) && String(Number(text)) === text;
    const got = parameter.kind === 'integer' && isInteger ? Number(text) : text;
    return parameterError(name, got, allowedValues(parameter, syntax), suggestion);
  }

  return (texts: ParsedUrlQuery, json?: Readonly<Record<string, unknown>>): ReadQuery => {
    const details: ErrorDetail[] = [];
    const args: Record<string, unknown> = {};
    for (const name in texts) {
      if (details.length === MOST_ERRORS) {
        break;
      }
      const text = texts[name];
      const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined;
      if (parameter === undefined) {
        details.push(unknownParameter(name));
      } else if (typeof text !== 'string') {
        details.push(parameterError(name, text, onceOnly(parameter)));
      } else if (text.includes(UNDECODABLE)) {
        details.push(parameterError(name, text, 'text in UTF-8, percent-encoded'));
      } else {
        const value = parsers[parameter.kind](parameter as never, text, json?.[name]);
        if (value === undefined) {
          details.push(invalidValue(name, parameter, text, json?.[name]));
        } else {
          args[name] = value;
        }
      }
    }
    return { args, details };
  };
}

/** List arguments from the query string of REST, each of the type of its parameter. */
export type QueryArguments = Readonly<Record<string, unknown>> & { readonly filter: Record<string, unknown> };

interface ReadList {
  readonly args: QueryArguments;
  readonly details: readonly ErrorDetail[];
}

/** Creates the reader of the parameters of a list, or of its summary, from a query string. */
export function createListReader(parameters: QueryParameters): (query: string) => ReadList {
  const read = createQueryReader(parameters);
  return (query) => {
    const { args, details } = read(query);
    return { args: listArguments(args), details };
  };
}

/** Reads the parameters of a list, without those of declared fields. */
const readListQuery = createListReader(listParameters);
const readers = new WeakMap<readonly OwnField[], typeof readListQuery>();

/** The reader of the filters, the order and the page of a list with declared fields. What its records have is no part of it. */
export function listReaderWith(own: readonly OwnField[]): (query: string) => ReadList {
  if (own.length === 0) {
    return readListQuery;
  }
  const { include: _, ...parameters } = withOwnParameters(own).list;
  const reader = readers.get(own) ?? createListReader(parameters);
  readers.set(own, reader);
  return reader;
}

/** The arguments of a list from the values of its parameters: filters become the fields of one argument. */
export function listArguments(args: Readonly<Record<string, unknown>>): QueryArguments {
  const filter: Record<string, unknown> = {};
  // A declared field can be called constructor.
  const own: Record<string, unknown> = Object.create(null);
  const read: Record<string, unknown> & { readonly filter: typeof filter } = { filter };
  for (const name in args) {
    const value = args[name];
    const parameter: QueryParameter | undefined = listParameters[name as ListParameterName];
    if (Object.hasOwn(filterParameters, name)) {
      const isSeveral = Array.isArray(value) && 'plural' in parameter;
      filter[isSeveral ? (parameter.plural as string) : name] = value;
    } else if (parameter === undefined && addOwnCondition(own, name, value)) {
      filter.own = own;
    } else {
      read[name] = value;
    }
  }
  return read;
}

/** How a parameter is given that was repeated. */
function onceOnly(parameter: QueryParameter): string {
  return takesSeveral(parameter)
    ? 'the parameter once, with several values separated by commas'
    : 'one value, given once';
}

/**
 * The error of a request with invalid parameters, in the order of the resource's own, unknown ones last. Its message is
 * about the first, and says how many others there are.
 */
export function invalidParameters(parameters: QueryParameters, found: readonly ErrorDetail[]): ApiError {
  const names = Object.keys(parameters);
  const placeOf = ({ parameter }: ErrorDetail): number =>
    names.includes(parameter) ? names.indexOf(parameter) : names.length;
  const details = found.toSorted((one, other) => placeOf(one) - placeOf(other));
  const [first, ...others] = details as [ErrorDetail, ...ErrorDetail[]];
  const more = others.length === 0 ? '' : ` (and ${others.length} more in details)`;
  return new ApiError('BAD_USER_INPUT', `${first.parameter}: ${first.message}${more}`, details);
}

const anyText = (_: unknown, text: string) => (text === '' ? undefined : text);
/** One of the values of a parameter, or several of one that takes them. */
const oneOrSeveral = (
  { values, plural }: QueryParameter & { readonly kind: 'choice' | 'country' },
  text: string,
  json: unknown,
) =>
  values.includes(text) ? text : plural === undefined ? undefined : parseValues(values, itemsOf(text, json));

/** As the document of OpenAPI has them, then as generated clients of PHP and Python send them. */
const booleans: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
  ['1', true],
  ['0', false],
  ['True', true],
  ['False', false],
]);

/** The value of a parameter's text, or undefined when it has none. */
const parsers: ByKind<QueryParameter, [text: string, json: unknown], unknown> = {
  integer: (parameter, text) =>
    INTEGER.test(text) && isInRange(Number(text), parameter) ? Number(text) : undefined,
  // A number of JSON is not limited to the syntax of a URL.
  number: (_, text, json) => (NUMBER.test(text) || Number.isFinite(json) ? Number(text) : undefined),
  boolean: (_, text) => booleans.get(text),
  choice: oneOrSeveral,
  country: oneOrSeveral,
  instant: (_, text) => readDate(text),
  texts: (_, text, json) => (text === '' ? undefined : itemsOf(text, json)),
  ownValues(_, text, json) {
    const values = itemsOf(text, json);
    return text === '' || values.length > MOST_CHOICES ? undefined : values;
  },
  slugs(_, text, json) {
    const slugs = itemsOf(text, json);
    return slugsError('slug', text, slugs, 'url') === undefined ? slugs : undefined;
  },
  handle: anyText,
  website: anyText,
  search: anyText,
  cursor: anyText,
  slug: anyText,
  date: (_, text) => (isDay(text) ? text : undefined),
};

/** Several values; undefined if one is unknown or repeated. */
function parseValues(values: readonly string[], asked: readonly string[]): unknown {
  const isValid = asked.every((one) => values.includes(one)) && new Set(asked).size === asked.length;
  return isValid ? asked : undefined;
}

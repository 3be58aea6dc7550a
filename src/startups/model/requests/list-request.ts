import { type ErrorDetail, quote } from '../../../lib/errors.ts';
import { ALLOWED_DATE, ALLOWED_DAY } from '../../../lib/text/days.ts';
import { foldText, wordsOf } from '../../../lib/text/words.ts';
import { bounds } from '../bounds.ts';
import { countries, isCountry } from '../countries.ts';
import { startupFields } from '../fields.ts';
import { normalizeHandle, type StartupFilter } from '../filter.ts';
import { MOST_CHOICES } from '../own-fields.ts';
import { isSlug } from '../record.ts';
import { constantName, type ListSort, RELEVANCE, type StartupSort } from '../vocabulary.ts';
import { readWebsite, writeWebsite } from '../website.ts';
import { type Place, readCursor } from './cursor.ts';
import {
  type ByKind,
  graphqlFilters,
  graphqlParameters,
  listParameters,
  type Parameter,
  RECORDS_PER_READ,
  SEARCH_LIMITS,
  type ValuesOf,
} from './list-parameters.ts';
import { ALLOWED_NUMBER, type OwnGiven, readOwnFilter } from './own-filter.ts';
import { createSuggester, orSuggestion } from './suggest.ts';

/** The arguments of a list, from any surface. Null is the same as absent. */
export type ListArguments = ValuesOf<
  Pick<typeof listParameters, 'sort' | 'page' | 'limit'> & Pick<typeof graphqlParameters, 'first' | 'after'>,
  null
> & { readonly filter?: Given | null | undefined };
type Given = ValuesOf<typeof graphqlFilters, null> & { readonly own?: OwnGiven | null | undefined };

/** A validated request for a list. */
export interface ListRequest {
  filter: StartupFilter;
  sort: ListSort;
  /** The most records to return. */
  limit: number;
  /** Null where cursors are used instead of pages. */
  page: number | null;
  /** Only records after this place; null from the start, and with pages. */
  after: Place | null;
}

/** The most digits of a number in REST, before its point and after it. */
const DIGITS = 40;
/** The regular expression for a number in REST. */
export const NUMBER_PATTERN = `^-?\\d{1,${DIGITS}}(\\.\\d{1,${DIGITS}})?$`;

/** The regular expression for a handle in a filter. */
export const HANDLE_PATTERN = '^@?[A-Za-z0-9_]{1,30}$';
const HANDLE = new RegExp(HANDLE_PATTERN);

/**
 * How clients write values, which messages say: in a query string, in JSON with the values of REST, and in GraphQL, whose
 * parameters of several values have names of their own.
 */
export type ParameterSyntax = 'url' | 'json' | 'graphql';
/** How several values of a parameter are written. */
const several: Readonly<Record<ParameterSyntax, string>> = {
  url: '; in a URL, several different ones separated by commas',
  json: ', or an array of several different ones',
  graphql: '',
};
const listed: Readonly<Record<ParameterSyntax, string>> = {
  url: ', separated by commas in a URL',
  json: '',
  graphql: '',
};

/** A value of a vocabulary as clients write it. */
const written = (value: string, syntax: ParameterSyntax): string =>
  syntax === 'graphql' ? constantName(value) : value;
const writtenValues = (values: readonly string[], syntax: ParameterSyntax): string =>
  values.map((value) => written(value, syntax)).join(', ');

const TECHNOLOGIES = startupFields.techStack;
const TECHNOLOGY = new RegExp(TECHNOLOGIES.pattern);

/** How many values of a choice an error shows. */
const SHOWN_CHOICES = 10;

const allowed: ByKind<Parameter, [ParameterSyntax], string> = {
  integer: ({ minimum, maximum }) => `an integer from ${minimum} to ${maximum}`,
  number: (_, syntax) =>
    syntax === 'graphql'
      ? ALLOWED_NUMBER
      : `a decimal number such as 2500 or -0.5, with at most ${DIGITS} digits before and after the point`,
  boolean: () => 'true or false',
  date: () => ALLOWED_DAY,
  instant: () => ALLOWED_DATE,
  handle: () => '1 to 30 letters, digits or underscores',
  choice: ({ values, plural }, syntax) =>
    `one of ${writtenValues(values, syntax)}${plural ? several[syntax] : ''}`,
  country: ({ plural }, syntax) =>
    `an ISO 3166-1 alpha-2 code in capitals, such as DE${plural ? several[syntax] : ''}`,
  website: () =>
    `a URL or a host such as https://acme.io/pricing or acme.io, of 1 to ${startupFields.website.maxLength} characters`,
  texts: (_, syntax) =>
    `at most ${TECHNOLOGIES.maxItems} technologies of 1 to ${TECHNOLOGIES.maxLength} characters without commas${listed[syntax]}`,
  ownValues: ({ choices }, syntax) =>
    `at most ${MOST_CHOICES} values${choices.length === 0 ? '' : ` such as ${choices.slice(0, SHOWN_CHOICES).join(', ')}`}${listed[syntax]}`,
  search: () =>
    `1 to ${SEARCH_LIMITS.characters} characters with 1 to ${SEARCH_LIMITS.words} words of letters or digits`,
  cursor: ({ givenBy }) => `a cursor returned by ${givenBy}`,
  slug: () => 'the slug of a startup, such as acme',
  slugs: (_, syntax) => `1 to ${RECORDS_PER_READ} different slugs such as acme${listed[syntax]}`,
  choices: ({ values }, syntax) => `at most ${values.length} of ${writtenValues(values, syntax)}`,
  countries: ({ values }) => `at most ${values.length} ISO 3166-1 alpha-2 codes in capitals, such as DE`,
};

/** The allowed values of a parameter, as the end of a sentence. */
export function allowedValues(parameter: Parameter, syntax: ParameterSyntax): string {
  return allowed[parameter.kind](parameter as never, syntax);
}

/** The most characters of a value in a message. */
const SHOWN_CHARACTERS = 120;

/**
 * An error of one parameter: its value, as JSON has it, and the allowed ones.
 *
 * @param suggestion the allowed one that may be meant. It stands first, as the allowed ones can be many.
 */
export function parameterError(
  parameter: string,
  got: unknown,
  allowed: string,
  suggestion?: string,
): ErrorDetail {
  const shown = typeof got === 'string' ? got.slice(0, SHOWN_CHARACTERS + 1) : got;
  // JSON has no Infinity, which a literal of GraphQL can be.
  const text = typeof shown === 'number' ? String(shown) : (JSON.stringify(shown) ?? String(shown));
  return {
    parameter,
    message: `got ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}${orSuggestion(suggestion)}, allowed: ${allowed}`,
  };
}

/** The most characters of an unknown name in an error. */
const SHOWN_NAME = 50;

/** An error of a name that does not exist. @param what it would be. */
export function unknownError(name: string, what: string, suggestion?: string, allowed?: string): ErrorDetail {
  const end = allowed === undefined ? '' : `, allowed: ${allowed}`;
  return {
    parameter: name.slice(0, SHOWN_NAME),
    message: `unknown ${what}${orSuggestion(suggestion)}${end}`,
  };
}

/**
 * The error of a filter by slugs that has too many, invalid or repeated ones. It names those that are wrong.
 *
 * @param got the value as it was sent.
 */
export function slugsError(
  parameter: 'slug' | 'slugs',
  got: string | readonly string[],
  slugs: readonly string[],
  syntax: ParameterSyntax,
): ErrorDetail | undefined {
  const isTooLong = slugs.length > RECORDS_PER_READ;
  const invalid = slugs.find((slug) => !isSlug(slug));
  const repeated = slugs.find((slug, at) => slugs.indexOf(slug) < at);
  if (!isTooLong && invalid === undefined && repeated === undefined) {
    return undefined;
  }
  const named = isTooLong
    ? `; these are ${slugs.length}`
    : invalid !== undefined
      ? `; no slug: ${quote(invalid)}`
      : `; repeated: ${quote(repeated ?? '')}`;
  return parameterError(parameter, got, `${allowedValues(listParameters.slug, syntax)}${named}`);
}

/** The default order of a list. */
export function defaultSort(filter: StartupFilter): StartupSort {
  return filter.search !== undefined ? RELEVANCE : filter.onSale === true ? 'best-deal' : 'revenue-desc';
}

/**
 * Checks what types alone cannot: ranges, handles, lower bounds above upper ones, cursors.
 *
 * @returns the request, or every error in it.
 */
export function readListArguments(
  args: ListArguments,
  syntax: ParameterSyntax,
): { request: ListRequest } | { details: ErrorDetail[] } {
  const details: ErrorDetail[] = [];
  const [first, after] = [args.first ?? undefined, args.after ?? undefined];
  const byCursor = first !== undefined || after !== undefined;
  if (byCursor && ((args.page ?? undefined) !== undefined || (args.limit ?? undefined) !== undefined)) {
    const [name, got] = first === undefined ? ['after', after] : ['first', first];
    return { details: [parameterError(name, got, 'no such argument together with page or limit')] };
  }
  const page = byCursor ? null : readInteger('page', args.page, listParameters.page, details);
  const limit = byCursor
    ? readInteger('first', first, graphqlParameters.first, details)
    : readInteger('limit', args.limit, listParameters.limit, details);
  const filter = readFilter(args.filter ?? {}, details, syntax);
  const sort = args.sort ?? defaultSort(filter);
  if (sort === RELEVANCE && filter.search === undefined) {
    const name = written(sort, syntax);
    details.push(parameterError('sort', name, `${name} only together with search`));
  }
  const place = after === undefined ? null : readCursor(after, filter, sort);
  if (place === undefined) {
    details.push(parameterError('after', after, allowedValues(graphqlParameters.after, syntax)));
  }
  const isInvalid = details.length > 0 || place === undefined;
  return isInvalid ? { details } : { request: { filter, sort, limit, page, after: place } };
}

/** Whether an integer has an allowed value. */
export function isInRange(
  value: number,
  { minimum, maximum }: { minimum: number; maximum: number },
): boolean {
  return Number.isInteger(value) && value >= minimum && value <= maximum;
}

/** Reads an integer, or its default; adds an error if it is out of range. */
export function readInteger(
  name: string,
  given: number | null | undefined,
  parameter: Parameter & { kind: 'integer' },
  details: ErrorDetail[],
): number {
  const value = given ?? parameter.default;
  if (!isInRange(value, parameter)) {
    details.push(parameterError(name, value, allowed.integer(parameter, 'url')));
  }
  return value;
}

// The others are enumerations, of which graphql-js suggests values.
const suggestCountry = createSuggester(countries);

/**
 * Reads the value of a filter. It adds an error that is more than what is allowed.
 *
 * @param given the other filters.
 * @returns undefined if the value is not allowed.
 */
type ReadFilter = (value: never, details: ErrorDetail[], syntax: ParameterSyntax, given: Given) => unknown;

/** A filter that takes some of a list of values. */
const readSome =
  (name: string, parameter: Parameter & { readonly kind: 'choices' | 'countries' }): ReadFilter =>
  (asked: readonly string[], details, syntax) => {
    const unknown = asked.find((value) => !parameter.values.includes(value));
    if (unknown !== undefined || asked.length > parameter.values.length) {
      const suggestion = name === 'countries' && unknown !== undefined ? suggestCountry(unknown) : undefined;
      const got =
        unknown ?? (parameter.kind === 'choices' ? asked.map((value) => written(value, syntax)) : asked);
      details.push(parameterError(name, got, allowedValues(parameter, syntax), suggestion));
    }
    return asked;
  };

/** The upper bound of a range, or the only one: a number must be finite, and no lower bound be above it. */
const readBound =
  (name: keyof StartupFilter, least?: keyof StartupFilter): ReadFilter =>
  (value: number | Date, details, _notation, given) => {
    const min = least && (given[least as keyof Given] as typeof value | null | undefined);
    if (min !== undefined && min !== null && min > value) {
      const most = typeof value === 'number' ? value : value.toISOString();
      details.push(parameterError(least as string, min, `at most ${name} (${most})`));
    }
    return typeof value === 'number' && !Number.isFinite(value) ? undefined : value;
  };

/** What types alone cannot check of filters, by name; others are as they were given. */
const filterReaders: { readonly [name: string]: ReadFilter | undefined } = {
  xHandle: (handle: string) => (HANDLE.test(handle) ? normalizeHandle(handle) : undefined),
  website(text: string) {
    const website = text.length <= startupFields.website.maxLength ? readWebsite(text) : undefined;
    return website && writeWebsite(website);
  },
  techStack(given: readonly string[]) {
    const names = given.map((name) => name.trim());
    const areShort = names.every(({ length }) => length <= TECHNOLOGIES.maxLength);
    return areShort && names.length <= TECHNOLOGIES.maxItems && names.every((name) => TECHNOLOGY.test(name))
      ? [...new Set(names.map(foldText))]
      : undefined;
  },
  slugs(slugs: readonly string[], details, syntax) {
    const error = slugsError('slugs', slugs, slugs, syntax);
    details.push(...(error === undefined ? [] : [error]));
    return slugs;
  },
  own: (own: OwnGiven, details) =>
    readOwnFilter(own, (...error) => void details.push(parameterError(...error))),
  search(search: string) {
    const words = isShort(search) ? wordsOf(search) : [];
    return words.length >= 1 && words.length <= SEARCH_LIMITS.words ? words.join(' ') : undefined;
  },
  country(country: string, details, syntax) {
    if (!isCountry(country)) {
      const allowed = allowedValues(listParameters.country, syntax);
      details.push(parameterError('country', country, allowed, suggestCountry(country)));
    }
    return country;
  },
  ...Object.fromEntries(
    Object.entries<Parameter>(graphqlFilters).flatMap(([name, parameter]) =>
      parameter.kind === 'choices' || parameter.kind === 'countries'
        ? [[name, readSome(name, parameter)]]
        : [],
    ),
  ),
  ...Object.fromEntries(
    bounds.flatMap(({ min, max }) => [
      [min, readBound(min)],
      ...(max === undefined ? [] : [[max, readBound(max, min)]]),
    ]),
  ),
};

function readFilter(given: Given, details: ErrorDetail[], syntax: ParameterSyntax): StartupFilter {
  const filter: Record<string, unknown> = {};
  for (const name in given) {
    const value = given[name as keyof Given];
    if (value !== null && value !== undefined) {
      const read = filterReaders[name];
      filter[name] = read === undefined ? value : read(value as never, details, syntax, given);
      if (filter[name] === undefined) {
        const allowed = allowedValues(graphqlFilters[name as keyof typeof graphqlFilters], syntax);
        details.push(parameterError(name, value, allowed));
        filter[name] = value;
      }
    }
  }
  return filter;
}

/** Whether a search may be split into words: the time that this takes grows with the square of its length. */
function isShort(search: string): boolean {
  return search.length <= 2 * SEARCH_LIMITS.characters && [...search].length <= SEARCH_LIMITS.characters;
}

import type { ErrorDetail } from '../../../lib/errors.ts';
import { ALLOWED_DAY } from '../../../lib/text/days.ts';
import { ALLOWED_DATE } from '../../../lib/text/instant.ts';
import { foldText, wordsOf } from '../../../lib/text/words.ts';
import { countries, isCountry } from '../countries.ts';
import { startupFields } from '../fields.ts';
import { bounds, normalizeHandle, type StartupFilter } from '../filter.ts';
import { isSlug } from '../record.ts';
import { RELEVANCE, type StartupSort } from '../vocabulary.ts';
import { readWebsite, writeWebsite } from '../website.ts';
import { type Place, readCursor } from './cursor.ts';
import {
  type GraphQLParameter,
  graphqlParameters,
  type ListParameterName,
  listParameters,
  type QueryParameter,
  RECORDS_PER_READ,
  SEARCH_LIMITS,
} from './list-parameters.ts';
import { createSuggester, orSuggestion } from './suggest.ts';

/** The arguments of a list, from any surface. Null is the same as absent. */
export interface ListArguments {
  filter?: { readonly [Name in keyof StartupFilter]: StartupFilter[Name] | null } | null | undefined;
  sort?: StartupSort | null | undefined;
  page?: number | null | undefined;
  limit?: number | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** A validated request for a list. */
export interface ListRequest {
  filter: StartupFilter;
  sort: StartupSort;
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

/** How several values of a parameter are written, in a query string and in JSON. */
const several = {
  url: '; in a URL, several different ones separated by commas',
  json: ', or an array of several different ones',
} as const;
export type Notation = keyof typeof several;

/** The allowed values of a parameter, as the end of a sentence. */
export function allowedValues(
  parameter: QueryParameter | GraphQLParameter,
  notation: Notation = 'url',
): string {
  switch (parameter.kind) {
    case 'integer':
      return `an integer from ${parameter.minimum} to ${parameter.maximum}`;
    case 'number':
      return `a decimal number such as 2500 or -0.5, with at most ${DIGITS} digits before and after the point`;
    case 'boolean':
      return 'true or false';
    case 'date':
      return ALLOWED_DAY;
    case 'handle':
      return '1 to 30 letters, digits or underscores';
    case 'choice':
      return `one of ${parameter.values.join(', ')}${parameter.plural === undefined ? '' : several[notation]}`;
    case 'website':
      return `a URL or a host such as https://acme.io/pricing or acme.io, of 1 to ${startupFields.website.maxLength} characters`;
    case 'texts':
      return `at most ${TECHNOLOGIES.maxItems} technologies of 1 to ${TECHNOLOGIES.maxLength} characters without commas${notation === 'url' ? ', separated by commas in a URL' : ''}`;
    case 'search':
      return `1 to ${SEARCH_LIMITS.characters} characters with 1 to ${SEARCH_LIMITS.words} words of letters or digits`;
    case 'country':
      return `an ISO 3166-1 alpha-2 code in capitals, such as DE${parameter.plural === undefined ? '' : several[notation]}`;
    case 'cursor':
      return `a cursor returned by ${parameter.givenBy}`;
    case 'slug':
      return 'the slug of a startup, such as acme';
    case 'slugs':
      return `1 to ${RECORDS_PER_READ} different slugs such as acme${notation === 'url' ? ', separated by commas in a URL' : ''}`;
    case 'instant':
      return ALLOWED_DATE;
    case 'choices':
      return `at most ${parameter.values.length} of ${parameter.values.join(', ')}`;
    case 'countries':
      return `at most ${parameter.values.length} ISO 3166-1 alpha-2 codes in capitals, such as DE`;
  }
}

const TECHNOLOGIES = startupFields.techStack;
const TECHNOLOGY = new RegExp(TECHNOLOGIES.pattern);

function isTechnology(name: string): boolean {
  return name.length <= TECHNOLOGIES.maxLength && TECHNOLOGY.test(name);
}

/** The most characters of a value in a message. */
const SHOWN_CHARACTERS = 120;

/** An error of one parameter: its value, as JSON has it, and the allowed ones. */
export function parameterError(parameter: string, got: unknown, allowed: string): ErrorDetail {
  const shown = typeof got === 'string' ? got.slice(0, SHOWN_CHARACTERS + 1) : got;
  // JSON has no Infinity, which a literal of GraphQL can be.
  const text = typeof shown === 'number' ? String(shown) : (JSON.stringify(shown) ?? String(shown));
  return {
    parameter,
    message: `got ${text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…` : text}, allowed: ${allowed}`,
  };
}

/** The error of a filter by slugs that has too many, invalid or repeated ones, which it names. */
export function slugsError(
  parameter: 'slug' | 'slugs',
  slugs: readonly string[],
  notation: Notation,
): ErrorDetail | undefined {
  const isTooLong = slugs.length > RECORDS_PER_READ;
  const wrong = isTooLong ? slugs : slugs.filter((slug, at) => !isSlug(slug) || slugs.indexOf(slug) < at);
  return wrong.length === 0
    ? undefined
    : parameterError(parameter, wrong, allowedValues(listParameters.slug, notation));
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
  const filter = readFilter(args.filter ?? {}, details);
  const sort = args.sort ?? defaultSort(filter);
  if (sort === RELEVANCE && filter.search === undefined) {
    details.push(parameterError('sort', sort, 'relevance only together with search'));
  }
  const place = after === undefined ? null : readCursor(after, filter, sort);
  if (place === undefined) {
    details.push(parameterError('after', after, allowedValues(graphqlParameters.after)));
  }
  return details.length > 0 || place === undefined
    ? { details }
    : { request: { filter, sort, limit, page, after: place } };
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
  parameter: Extract<QueryParameter, { kind: 'integer' }>,
  details: ErrorDetail[],
): number {
  const value = given ?? parameter.default;
  if (!isInRange(value, parameter)) {
    details.push(parameterError(name, value, allowedValues(parameter)));
  }
  return value;
}

// The others are enumerations, of which graphql-js suggests values.
const suggestCountry = createSuggester(countries);

/** The parameters of a filter that take some of a list of values. */
const someOf = Object.entries<GraphQLParameter>(graphqlParameters).flatMap(([name, parameter]) =>
  'values' in parameter
    ? [{ name: name as keyof typeof graphqlParameters & keyof StartupFilter, parameter }]
    : [],
);

function readFilter(input: NonNullable<ListArguments['filter']>, details: ErrorDetail[]): StartupFilter {
  const given: Record<string, unknown> = {};
  for (const name in input) {
    const value = input[name as keyof StartupFilter];
    if (value !== null && value !== undefined) {
      given[name] = value;
    }
  }
  const filter: { -readonly [Name in keyof StartupFilter]: StartupFilter[Name] } = given;
  if (filter.xHandle !== undefined) {
    if (HANDLE.test(filter.xHandle)) {
      filter.xHandle = normalizeHandle(filter.xHandle);
    } else {
      details.push(parameterError('xHandle', filter.xHandle, allowedValues(listParameters.xHandle)));
    }
  }
  if (filter.website !== undefined) {
    const isShort = filter.website.length <= startupFields.website.maxLength;
    const website = isShort ? readWebsite(filter.website) : undefined;
    if (website === undefined) {
      details.push(parameterError('website', filter.website, allowedValues(listParameters.website)));
    } else {
      filter.website = writeWebsite(website);
    }
  }
  if (filter.techStack !== undefined) {
    const names = filter.techStack.map((name) => name.trim());
    if (names.length <= TECHNOLOGIES.maxItems && names.every(isTechnology)) {
      filter.techStack = [...new Set(names.map(foldText))];
    } else {
      details.push(
        parameterError('techStack', filter.techStack, allowedValues(listParameters.techStack, 'json')),
      );
    }
  }
  const wrongSlugs = filter.slugs && slugsError('slugs', filter.slugs, 'json');
  if (wrongSlugs !== undefined) {
    details.push(wrongSlugs);
  }
  const { search } = filter;
  if (search !== undefined) {
    const words = isShort(search) ? wordsOf(search) : [];
    if (words.length === 0 || words.length > SEARCH_LIMITS.words) {
      details.push(parameterError('search', search, allowedValues(listParameters.search)));
    }
    filter.search = words.join(' ');
  }
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      details.push(parameterError(name, value, allowedValues(listParameters[name as ListParameterName])));
    }
  }
  if (filter.country !== undefined && !isCountry(filter.country)) {
    const allowed = `${allowedValues(listParameters.country)}${orSuggestion(suggestCountry(filter.country))}`;
    details.push(parameterError('country', filter.country, allowed));
  }
  for (const { name, parameter } of someOf) {
    const asked: readonly string[] | undefined = filter[name];
    if (asked === undefined) {
      continue;
    }
    const unknown = asked.find((value) => !parameter.values.includes(value));
    if (unknown !== undefined || asked.length > parameter.values.length) {
      const suggestion = name === 'countries' && unknown !== undefined ? suggestCountry(unknown) : undefined;
      const allowed = `${allowedValues(parameter)}${orSuggestion(suggestion)}`;
      details.push(parameterError(name, unknown ?? asked, allowed));
    }
  }
  for (const { min: least, max: most = least } of bounds) {
    const [min, max] = [filter[least], filter[most]];
    if (min !== undefined && max !== undefined && min > max) {
      details.push(parameterError(least, min, `at most ${most} (${show(max)})`));
    }
  }
  return filter;
}

/** Whether a search may be split into words: the time that this takes grows with the square of its length. */
function isShort(search: string): boolean {
  return search.length <= 2 * SEARCH_LIMITS.characters && [...search].length <= SEARCH_LIMITS.characters;
}

function show(bound: number | Date): string {
  return typeof bound === 'number' ? String(bound) : bound.toISOString();
}

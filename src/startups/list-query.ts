import { ApiError, type ErrorDetail } from '../errors.ts';
import { type ListParameter, type ListParameterName, listParameters } from './list-parameters.ts';
import { allowedValues, type NumberText, parameterError, quotedError } from './list-request.ts';
import { createSuggester, didYouMean } from './suggest.ts';

const INTEGER = /^-?\d{1,20}$/;
const NUMBER = /^-?\d{1,40}(\.\d{1,40})?$/;

const names = Object.keys(listParameters);
const suggestName = createSuggester(names);
const suggestValue: Readonly<Record<string, (text: string) => string | undefined>> = Object.fromEntries(
  Object.entries<ListParameter>(listParameters).flatMap(([name, parameter]) =>
    parameter.kind === 'choice' ? [[name, createSuggester(parameter.values)]] : [],
  ),
);

/** List arguments as the query string of REST gives them, each of the type that its parameter has. */
export type QueryArguments = Readonly<Record<string, unknown>> & { readonly filter: Record<string, unknown> };

/**
 * Reads the parameters of a list from a query string.
 *
 * @returns the arguments that could be read, and an error for each parameter that could not. What types alone
 *   cannot tell, such as bounds that cross, is for {@link readListArguments}.
 */
export function readListQuery(query: string): { args: QueryArguments; details: ErrorDetail[] } {
  const details: ErrorDetail[] = [];
  const args: Record<string, unknown> = {};
  const filter: Record<string, unknown> = {};
  for (const [name, values] of groupByName(query)) {
    const [text = ''] = values;
    if (!isListParameter(name)) {
      details.push(unknownParameter(name));
    } else if (values.length > 1) {
      details.push(parameterError(name, values, 'one value, given once'));
    } else {
      const parameter: ListParameter = listParameters[name];
      const value = parseValue(parameter, text);
      if (value === undefined) {
        details.push(invalidValue(name, parameter, text));
      } else {
        const target = name === 'page' || name === 'limit' || name === 'sort' ? args : filter;
        target[name] = value;
      }
    }
  }
  return { args: { ...args, filter }, details };
}

/** How a list's parameters that are numbers are written in a query string. */
export function numberTextOf(query: string): NumberText {
  return (name) => new URLSearchParams(query).get(name) ?? undefined;
}

function invalidValue(name: ListParameterName, parameter: ListParameter, text: string): ErrorDetail {
  const suggestion = suggestValue[name]?.(text);
  const allowed = `${allowedValues(parameter)}${suggestion === undefined ? '' : `; ${didYouMean(suggestion)}`}`;
  // A number is quoted as one: what is wrong with it is its range.
  return parameter.kind === 'integer' && INTEGER.test(text)
    ? quotedError(name, text, allowed)
    : parameterError(name, text, allowed);
}

/** Refuses any parameter, for resources that take none. */
export function assertNoParameters(query: string): void {
  const details = [...groupByName(query).keys()].map((name) =>
    parameterError(name, name, 'no parameter: this resource takes none'),
  );
  if (details.length > 0) {
    throw invalidParameters(details);
  }
}

/** The error of a request with invalid parameters, named in the order of the interface, unknown ones last. */
export function invalidParameters(found: readonly ErrorDetail[]): ApiError {
  const details = found.toSorted((one, other) => placeOf(one) - placeOf(other));
  const named = details.map(({ parameter }) => parameter).join(', ');
  return new ApiError('BAD_USER_INPUT', `Invalid parameters: ${named}`, details);
}

function placeOf({ parameter }: ErrorDetail): number {
  const place = names.indexOf(parameter);
  return place === -1 ? names.length : place;
}

function groupByName(query: string): Map<string, string[]> {
  const values = new Map<string, string[]>();
  for (const [name, value] of new URLSearchParams(query)) {
    const known = values.get(name);
    if (known === undefined) {
      values.set(name, [value]);
    } else {
      known.push(value);
    }
  }
  return values;
}

function isListParameter(name: string): name is ListParameterName {
  return Object.hasOwn(listParameters, name);
}

function unknownParameter(name: string): ErrorDetail {
  const suggestion = suggestName(name);
  return {
    parameter: name.slice(0, 50),
    message: `unknown parameter, allowed: ${names.join(', ')}${suggestion === undefined ? '' : `; ${didYouMean(suggestion)}`}`,
  };
}

function isWithin(value: number, { minimum, maximum }: { minimum: number; maximum: number }): boolean {
  return value >= minimum && value <= maximum;
}

/** The value of a parameter's text, or undefined when it has none. */
function parseValue(parameter: ListParameter, text: string): unknown {
  switch (parameter.kind) {
    case 'integer':
      return INTEGER.test(text) && isWithin(Number(text), parameter) ? Number(text) : undefined;
    case 'number':
      return NUMBER.test(text) ? Number(text) : undefined;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : undefined;
    case 'choice':
      return parameter.values.includes(text) ? text : undefined;
    case 'handle':
      return text === '' ? undefined : text;
  }
}

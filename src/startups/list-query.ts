import { closest } from 'fastest-levenshtein';
import { ApiError, type FaultDetail } from '../errors.ts';
import { type ListParameter, type ListParameterName, listParameters } from './list-parameters.ts';
import { allowedValues, type ListArguments, parameterFault, readListArguments } from './list-request.ts';

const INTEGER = /^-?\d{1,20}$/;
const NUMBER = /^-?\d{1,40}(\.\d{1,40})?$/;

const names = Object.keys(listParameters);

/** The list arguments of a query string, as the domain takes them. */
export type ParsedList = Record<string, unknown> & { filter: Record<string, unknown> };

/**
 * Reads the parameters of a list.
 *
 * @throws ApiError naming every faulty parameter, what it got and what it may be.
 */
export function parseListParameters(query: string): ParsedList {
  const faults: FaultDetail[] = [];
  const parsed: ParsedList = { filter: {} };
  for (const [name, values] of groupByName(query)) {
    const [text = ''] = values;
    if (!isListParameter(name)) {
      faults.push(unknownParameter(name));
    } else if (values.length > 1) {
      faults.push(parameterFault(name, values, 'one value, given once'));
    } else {
      const parameter: ListParameter = listParameters[name];
      const value = parseValue(parameter, text);
      if (value === undefined) {
        faults.push(parameterFault(name, text, allowedValues(parameter)));
      } else if (name === 'page' || name === 'limit' || name === 'sort') {
        parsed[name] = value;
      } else {
        parsed.filter[name] = value;
      }
    }
  }
  // Ranges are told along with the rest, so that one answer names everything.
  const read = readListArguments(parsed as ListArguments);
  faults.push(...('faults' in read ? read.faults : []));
  if (faults.length > 0) {
    throw parametersError(faults);
  }
  return parsed;
}

/** Refuses any parameter, for resources that take none. */
export function assertNoParameters(query: string): void {
  const faults = [...groupByName(query).keys()].map((name) =>
    parameterFault(name, name, 'no parameter: this resource takes none'),
  );
  if (faults.length > 0) {
    throw parametersError(faults);
  }
}

function parametersError(faults: FaultDetail[]): ApiError {
  return new ApiError(
    'BAD_USER_INPUT',
    `Invalid parameters: ${faults.map(({ parameter }) => parameter).join(', ')}`,
    faults,
  );
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

function unknownParameter(name: string): FaultDetail {
  const shown = name.slice(0, 50);
  return {
    parameter: shown,
    message: `unknown parameter, allowed: ${names.join(', ')}; did you mean "${closest(shown, names)}"?`,
  };
}

/** The value of a parameter's text, or undefined when it has none. */
function parseValue(parameter: ListParameter, text: string): unknown {
  switch (parameter.kind) {
    case 'integer':
      return INTEGER.test(text) ? Number(text) : undefined;
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

import type { FaultDetail } from '../errors.ts';
import { type Place, readCursor } from './cursor.ts';
import { bounds, defaultSort, normalizeHandle, type StartupFilter } from './filter.ts';
import {
  type GraphQLParameter,
  graphqlParameters,
  type ListParameter,
  type ListParameterName,
  listParameters,
} from './list-parameters.ts';
import type { StartupSort } from './vocabulary.ts';

/** What a list is asked, of whichever surface. Null is the same as absent. */
export interface ListArguments {
  filter?: { readonly [Name in keyof StartupFilter]: StartupFilter[Name] | null } | null | undefined;
  sort?: StartupSort | null | undefined;
  page?: number | null | undefined;
  limit?: number | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** A list that can be read: everything in range, everything decided. */
export interface ListRequest {
  filter: StartupFilter;
  sort: StartupSort;
  /** At most so many records. */
  limit: number;
  /** Null where cursors are used instead of pages. */
  page: number | null;
  /** Only what follows this place; null from the start, and under pages. */
  after: Place | null;
}

/** What a handle in a filter must match, as a regular expression. */
export const HANDLE_PATTERN = '^@?[A-Za-z0-9_]{1,30}$';
const HANDLE = new RegExp(HANDLE_PATTERN);

/** What a parameter may be, as the end of a sentence. */
export function allowedValues(parameter: ListParameter | GraphQLParameter): string {
  switch (parameter.kind) {
    case 'integer':
      return `an integer from ${parameter.minimum} to ${parameter.maximum}`;
    case 'number':
      return 'a decimal number such as 2500 or -0.5';
    case 'boolean':
      return 'true or false';
    case 'handle':
      return '1 to 30 letters, digits or underscores';
    case 'choice':
      return `one of ${parameter.values.join(', ')}`;
    case 'cursor':
      return 'a cursor that a list with the same filter and sort has given';
    case 'choices':
      return `at most ${parameter.values.length} of ${parameter.values.join(', ')}`;
    case 'countries':
      return `at most ${parameter.values.length} ISO 3166-1 alpha-2 codes in capitals, such as DE`;
  }
}

/** A fault of one parameter: what it got and what it may be. */
export function parameterFault(parameter: string, got: unknown, allowed: string): FaultDetail {
  const shown = JSON.stringify(got) ?? String(got);
  return {
    parameter,
    message: `got ${shown.length > 120 ? `${shown.slice(0, 120)}…` : shown}, allowed: ${allowed}`,
  };
}

/**
 * Checks what types alone cannot: ranges, handles, bounds that cross, cursors.
 *
 * @returns the request, or every fault in it.
 */
export function readListArguments(args: ListArguments): { request: ListRequest } | { faults: FaultDetail[] } {
  const faults: FaultDetail[] = [];
  const [first, after] = [args.first ?? undefined, args.after ?? undefined];
  const byCursor = first !== undefined || after !== undefined;
  if (byCursor && ((args.page ?? undefined) !== undefined || (args.limit ?? undefined) !== undefined)) {
    const [name, got] = first === undefined ? ['after', after] : ['first', first];
    return { faults: [parameterFault(name, got, 'no such argument together with page or limit')] };
  }
  const page = byCursor ? null : readInteger('page', args.page, listParameters.page, faults);
  const limit = byCursor
    ? readInteger('first', first, graphqlParameters.first, faults)
    : readInteger('limit', args.limit, listParameters.limit, faults);
  const filter = readFilter(args.filter ?? {}, faults);
  const sort = args.sort ?? defaultSort(filter);
  const place = after === undefined ? null : readCursor(after, filter, sort);
  if (place === undefined) {
    faults.push(parameterFault('after', after, allowedValues(graphqlParameters.after)));
  }
  return faults.length > 0 || place === undefined
    ? { faults }
    : { request: { filter, sort, limit, page, after: place } };
}

function readInteger(
  name: string,
  given: number | null | undefined,
  parameter: (ListParameter | GraphQLParameter) & { kind: 'integer' },
  faults: FaultDetail[],
): number {
  const value = given ?? parameter.default;
  if (!Number.isInteger(value) || value < parameter.minimum || value > parameter.maximum) {
    faults.push(parameterFault(name, value, allowedValues(parameter)));
  }
  return value;
}

/** The parameters of a filter that take some of a list of values. */
const someOf = ['categories', 'countries', 'paymentProviders', 'targetAudiences'] as const;

function readFilter(input: NonNullable<ListArguments['filter']>, faults: FaultDetail[]): StartupFilter {
  const given = Object.entries(input).filter(([, value]) => value !== null && value !== undefined);
  const filter = Object.fromEntries(given) as {
    -readonly [Name in keyof StartupFilter]: StartupFilter[Name];
  };
  if (filter.xHandle !== undefined) {
    if (HANDLE.test(filter.xHandle)) {
      filter.xHandle = normalizeHandle(filter.xHandle);
    } else {
      faults.push(parameterFault('xHandle', filter.xHandle, allowedValues(listParameters.xHandle)));
    }
  }
  for (const [name, value] of given) {
    if (typeof value === 'number' && !Number.isFinite(value)) {
      faults.push(parameterFault(name, value, allowedValues(listParameters[name as ListParameterName])));
    }
  }
  for (const name of someOf) {
    const { values } = graphqlParameters[name];
    const asked: readonly string[] = filter[name] ?? [];
    const unknown = asked.find((value) => !(values as readonly string[]).includes(value));
    if (unknown !== undefined || asked.length > values.length) {
      faults.push(parameterFault(name, unknown ?? asked, allowedValues(graphqlParameters[name])));
    }
  }
  for (const { min: least, max: most } of bounds) {
    const [min, max] = [filter[least], filter[most]];
    if (min !== undefined && max !== undefined && min > max) {
      faults.push(parameterFault(least, min, `at most ${most} (${max})`));
    }
  }
  return filter;
}

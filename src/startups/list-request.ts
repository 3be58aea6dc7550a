import type { FaultDetail } from '../errors.ts';
import { bounds, defaultSort, normalizeHandle, type StartupFilter } from './filter.ts';
import { type ListParameter, type ListParameterName, listParameters } from './list-parameters.ts';
import type { StartupSort } from './vocabulary.ts';

/** What a list is asked, of whichever surface. Null is the same as absent. */
export interface ListArguments {
  filter?: { readonly [Name in keyof StartupFilter]: StartupFilter[Name] | null } | null | undefined;
  sort?: StartupSort | null | undefined;
  page?: number | null | undefined;
  limit?: number | null | undefined;
}

/** A list that can be read: everything in range, everything decided. */
export interface ListRequest {
  filter: StartupFilter;
  sort: StartupSort;
  page: number;
  limit: number;
}

const HANDLE = /^@?[A-Za-z0-9_]{1,30}$/;

/** What a parameter may be, as the end of a sentence. */
export function allowedValues(parameter: ListParameter): string {
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
 * Checks what types alone cannot: ranges, handles, and bounds that cross.
 *
 * @returns the request, or every fault in it.
 */
export function readListArguments(args: ListArguments): { request: ListRequest } | { faults: FaultDetail[] } {
  const faults: FaultDetail[] = [];
  const integer = (name: 'page' | 'limit'): number => {
    const { minimum, maximum, default: fallback } = listParameters[name];
    const value = args[name] ?? fallback;
    if (!Number.isInteger(value) || value < minimum || value > maximum) {
      faults.push(parameterFault(name, value, allowedValues(listParameters[name])));
    }
    return value;
  };
  const page = integer('page');
  const limit = integer('limit');
  const filter = readFilter(args.filter ?? {}, faults);
  return faults.length > 0
    ? { faults }
    : { request: { filter, sort: args.sort ?? defaultSort(filter), page, limit } };
}

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
  for (const { min: least, max: most } of bounds) {
    const [min, max] = [filter[least], filter[most]];
    if (min !== undefined && max !== undefined && min > max) {
      faults.push(parameterFault(least, min, `at most ${most} (${max})`));
    }
  }
  return filter;
}

import type { ErrorDetail } from '../../errors.ts';
import {
  filterParameters,
  type ListParameter,
  type ListParameterName,
  listParameters,
} from './list-parameters.ts';
import { createQueryReader } from './query-parameters.ts';

const readListParameters = createQueryReader(listParameters);
const readFilterParameters = createQueryReader(filterParameters);

/** List arguments from the query string of REST, each of the type of its parameter. */
export type QueryArguments = Readonly<Record<string, unknown>> & { readonly filter: Record<string, unknown> };

/**
 * Reads the parameters of a list from a query string.
 *
 * @param only whether the resource has all of them, or only the filters.
 */
export function readListQuery(
  query: string,
  only: 'all' | 'filters' = 'all',
): { args: QueryArguments; details: readonly ErrorDetail[] } {
  const { args, details } = (only === 'all' ? readListParameters : readFilterParameters)(query);
  const filter: Record<string, unknown> = {};
  const read: Record<string, unknown> & { readonly filter: typeof filter } = { filter };
  for (const name in args) {
    const value = args[name];
    const parameter: ListParameter = listParameters[name as ListParameterName];
    if (name === 'page' || name === 'limit' || name === 'sort') {
      read[name] = value;
    } else if (Array.isArray(value) && 'plural' in parameter) {
      filter[parameter.plural as string] = value;
    } else {
      filter[name] = value;
    }
  }
  return { args: read, details };
}

import type { ErrorDetail } from '../errors.ts';
import { listParameters } from './list-parameters.ts';
import { createQueryReader } from './query-parameters.ts';

const readListParameters = createQueryReader(listParameters);

/** List arguments from the query string of REST, each of the type of its parameter. */
export type QueryArguments = Readonly<Record<string, unknown>> & { readonly filter: Record<string, unknown> };

/** Reads the parameters of a list from a query string. */
export function readListQuery(query: string): { args: QueryArguments; details: readonly ErrorDetail[] } {
  const { args, details } = readListParameters(query);
  const isCondition = ([name]: [string, unknown]): boolean => !['page', 'limit', 'sort'].includes(name);
  const entries = Object.entries(args);
  const filter = Object.fromEntries(entries.filter(isCondition));
  return { args: { ...Object.fromEntries(entries.filter((entry) => !isCondition(entry))), filter }, details };
}

import type { ErrorDetail } from '../../lib/errors.ts';
import type { ParameterSyntax } from '../../startups/model/requests/list-request.ts';
import { invalidParameters, type QueryParameters } from '../../startups/model/requests/query-parameters.ts';
import { detailsOf } from '../graphql/errors.ts';
import type { Engine, Operation } from '../graphql/execution/engine.ts';
import type { Variables } from '../graphql/planning/prepared-document.ts';
import {
  type OperationName,
  type OperationWords,
  operations,
  operationsWith,
  type RestOperation,
  type RestTask,
} from './endpoint-table.ts';

/** The base path of the REST surface. */
export const REST_BASE = '/api/v1';
/** The list's path; details are below it. */
const STARTUPS_PATH = `${REST_BASE}/startups`;
/** The last segment of the path of a startup's history. */
const HISTORY_SUFFIX = '/history';

/** The operation of a path, and the slug in it. */
export interface FoundEndpoint {
  readonly name: OperationName;
  readonly endpoint: OperationWords;
  readonly slug: string | undefined;
}

const { startup: _detail, history: _history, ...others } = operations;
/** The operations with a path of their own; those of one startup are below the first. */
const names: ReadonlyMap<string, OperationName> = new Map(
  Object.entries<OperationWords>(others).map(([name, { path }]) => [REST_BASE + path, name as OperationName]),
);

/** The endpoint of a path; undefined if there is none. */
export function findEndpoint(path: string): FoundEndpoint | undefined {
  const known = names.get(path);
  if (known !== undefined) {
    return { name: known, endpoint: operations[known], slug: undefined };
  }
  const below = path.startsWith(`${STARTUPS_PATH}/`) ? path.slice(STARTUPS_PATH.length + 1) : '';
  const isHistory = below.endsWith(HISTORY_SUFFIX);
  const slug = isHistory ? below.slice(0, -HISTORY_SUFFIX.length) : below;
  if (slug !== '' && !slug.includes('/')) {
    try {
      const name = isHistory ? 'history' : 'startup';
      return { name, endpoint: operations[name], slug: decodeURIComponent(slug) };
    } catch {
      // Not valid text: no startup has such a slug.
    }
  }
  return undefined;
}

/**
 * Prepares the document of an endpoint with the parameters of a request as its variables.
 *
 * @throws ApiError naming every invalid parameter.
 */
export function prepareEndpoint(engine: Engine, found: FoundEndpoint, query: string): RestTask {
  const { slug, name } = found;
  const endpoint = operationsWith(engine.own())[name] as RestOperation;
  const { args, details } = endpoint.read(query);
  const document = typeof endpoint.document === 'string' ? endpoint.document : endpoint.document(args);
  const variables = slug === undefined ? args : { ...args, slug };
  const operation = prepareDocument(engine, document, variables, endpoint.parameters, details, 'url');
  return { endpoint, slug, args, operation, cost: operation.cost };
}

/**
 * Prepares a document of ours.
 *
 * @param parameters the parameters that became its variables.
 * @param details the errors found when they were read.
 * @param syntax how clients write them.
 * @throws ApiError naming every invalid parameter.
 */
export function prepareDocument(
  engine: Engine,
  document: string,
  variables: Variables,
  parameters: QueryParameters,
  details: readonly ErrorDetail[],
  syntax: ParameterSyntax,
): Operation {
  const operation = engine.prepare({ query: document, operationName: null, coerced: variables, syntax });
  const { errors } = operation;
  if (details.length > 0 || errors.length > 0) {
    const invalid = [...details, ...errors.flatMap(detailsOf)];
    // The document is ours: another error in it is not an error of the client.
    throw invalid.length > 0 ? invalidParameters(parameters, invalid) : errors[0];
  }
  return operation;
}

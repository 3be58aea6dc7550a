import type { ExecutionResult } from 'graphql';
import { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../exchange.ts';
import type { GraphQLContext } from '../graphql/context.ts';
import type { ExecuteGraphQL } from '../graphql/engine.ts';
import { codeOf } from '../graphql/errors.ts';
import {
  categoryValues,
  fundingStatusValues,
  paymentProviderValues,
  startupSortValues,
  targetAudienceValues,
  teamSizeValues,
} from '../graphql/types/enums.ts';
import { type ListParameterName, listParameters } from '../startups/list-parameters.ts';
import { assertNoParameters, parseListParameters } from '../startups/list-query.ts';
import { choiceFields, DETAIL_DOCUMENT, LIST_DOCUMENT } from './documents.ts';
import { linkHeader, type Paging } from './links.ts';

/** Where the REST surface begins. */
export const REST_BASE = '/api/v1';
const STARTUPS = `${REST_BASE}/startups`;

const enums = [
  categoryValues,
  fundingStatusValues,
  paymentProviderValues,
  startupSortValues,
  targetAudienceValues,
  teamSizeValues,
];
/** REST's spelling of a value → GraphQL's, and back. No two vocabularies spell one value differently. */
const graphqlNames = new Map<string, string>(
  enums.flatMap((values) => Object.entries(values).map(([name, { value }]) => [value, name])),
);
const restValues = new Map(
  enums.flatMap((values) => Object.entries(values).map(([name, { value }]) => [name, value])),
);

/** Answers a request that was authenticated and paid for. */
export async function handleRest(
  request: GatewayRequest,
  context: GraphQLContext,
  execute: ExecuteGraphQL,
): Promise<GatewayResponse> {
  const slug = resourceOf(request.path);
  if (request.method === 'OPTIONS') {
    return { status: 204, headers: { Allow: ALLOW }, body: '' };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here, allowed: ${ALLOW}`);
  }
  if (slug !== undefined) {
    assertNoParameters(request.query);
    const data = dataOf(
      await execute({ query: DETAIL_DOCUMENT, operationName: null, variables: { slug } }, context),
    );
    if (data.startup === null) {
      throw new ApiError('NOT_FOUND', `No startup has the slug ${JSON.stringify(slug.slice(0, 120))}`);
    }
    return jsonResponse(200, { data: toRest(data.startup as GraphQLRecord) });
  }
  const { filter, ...rest } = parseListParameters(request.query);
  const variables = { ...toGraphQL(rest), filter: toGraphQL(filter) };
  const data = dataOf(await execute({ query: LIST_DOCUMENT, operationName: null, variables }, context));
  const { page, meta } = data.startups as { page: GraphQLRecord[]; meta: Paging };
  const { headers, ...response } = jsonResponse(200, { data: page.map(toRest), meta });
  return { ...response, headers: { ...headers, Link: linkHeader(request, meta) } };
}

/** Methods of every resource here. */
export const ALLOW = 'GET, HEAD, OPTIONS';

type GraphQLRecord = { [field: string]: unknown };

/**
 * The slug that a path asks for; undefined for the list.
 *
 * @throws ApiError NOT_FOUND for a path that is neither.
 */
function resourceOf(path: string): string | undefined {
  if (path === STARTUPS) {
    return undefined;
  }
  const rest = path.startsWith(`${STARTUPS}/`) ? path.slice(STARTUPS.length + 1) : '';
  if (rest !== '' && !rest.includes('/')) {
    try {
      return decodeURIComponent(rest);
    } catch {
      // Not text at all: no startup has such a slug.
    }
  }
  throw new ApiError('NOT_FOUND', `Nothing is at ${path.slice(0, 200)}`);
}

/** @throws ApiError for the first error; execution gives no partial answer to REST. */
function dataOf({ data, errors }: ExecutionResult): { [field: string]: unknown } {
  const [error] = errors ?? [];
  if (error !== undefined || data === null || data === undefined) {
    throw new ApiError(codeOf(error) ?? 'INTERNAL_SERVER_ERROR', error?.message ?? 'Internal server error');
  }
  return data;
}

function toGraphQL(values: { [name: string]: unknown }): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { kind } = listParameters[name as ListParameterName];
      return [name, kind === 'choice' ? graphqlNames.get(value as string) : value];
    }),
  );
}

/** Respells a record's values in place: results belong to whom they are given to. */
function toRest(record: GraphQLRecord): GraphQLRecord {
  for (const field of choiceFields) {
    const value = record[field];
    if (typeof value === 'string') {
      record[field] = restValues.get(value);
    }
  }
  return record;
}

function jsonResponse(status: number, body: object): GatewayResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8' },
    body: JSON.stringify(body),
  };
}

/** The body of every REST error. */
export function errorResponse(
  { status, code, message, details }: ApiError,
  requestId: string,
): GatewayResponse {
  const error = { code, message, ...(details.length === 0 ? {} : { details }), requestId };
  return jsonResponse(status, { error });
}

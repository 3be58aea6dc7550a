import { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../exchange.ts';
import type { GraphQLContext } from '../graphql/context.ts';
import type { ExecuteGraphQL } from '../graphql/engine.ts';
import { type ListParameterName, listParameters } from '../startups/list-parameters.ts';
import { assertNoParameters, parseListParameters } from '../startups/list-query.ts';
import type { StartupList } from '../startups/startup-list.ts';
import type { Startups } from '../startups/startups.ts';
import { DETAIL_DOCUMENT, LIST_DOCUMENT } from './documents.ts';
import { linkHeader, type Paging } from './links.ts';
import { dataOf, type GraphQLRecord, graphqlNames, renderRecords, respell } from './records.ts';

/** Where the REST surface begins. */
export const REST_BASE = '/api/v1';
const STARTUPS = `${REST_BASE}/startups`;

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
    return jsonResponse(200, { data: respell(data.startup as GraphQLRecord) });
  }
  const { filter, ...rest } = parseListParameters(request.query);
  const variables = { ...toGraphQL(rest), filter: toGraphQL(filter) };
  let list: StartupList | undefined;
  const startups: Startups = {
    ...context.startups,
    list: async (asked, wants) => {
      list = await context.startups.list(asked, { ...wants, records: true });
      return list;
    },
  };
  const params = { query: LIST_DOCUMENT, operationName: null, variables };
  const { meta } = dataOf(await execute(params, { ...context, startups })).startups as { meta: Paging };
  const records = await renderRecords(list as unknown as StartupList, context, execute);
  return {
    status: 200,
    headers: { ...JSON_TYPE, Link: linkHeader(request, meta) },
    body: Buffer.concat([
      BEFORE_RECORDS,
      ...records.flatMap((record, index) => (index === 0 ? record : [COMMA, record])),
      Buffer.from(`],"meta":${JSON.stringify(meta)}}`),
    ]),
  };
}

/** Methods of every resource here. */
export const ALLOW = 'GET, HEAD, OPTIONS';

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

function toGraphQL(values: { [name: string]: unknown }): { [name: string]: unknown } {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const { kind } = listParameters[name as ListParameterName];
      return [name, kind === 'choice' ? graphqlNames.get(value as string) : value];
    }),
  );
}

const BEFORE_RECORDS = Buffer.from('{"data":[');
const COMMA = Buffer.from(',');
const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

function jsonResponse(status: number, body: object): GatewayResponse {
  return { status, headers: JSON_TYPE, body: JSON.stringify(body) };
}

/** The body of every REST error. */
export function errorResponse(
  { status, code, message, details }: ApiError,
  requestId: string,
): GatewayResponse {
  const error = { code, message, ...(details.length === 0 ? {} : { details }), requestId };
  return jsonResponse(status, { error });
}

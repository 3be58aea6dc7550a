import { digestOf } from '../digest.ts';
import { ApiError } from '../errors.ts';
import type { GatewayRequest, GatewayResponse } from '../exchange.ts';
import { prepare } from '../graphql/prepare.ts';
import { type ListParameterName, listParameters } from '../startups/list-parameters.ts';
import { assertNoParameters, parseListParameters } from '../startups/list-query.ts';
import type { Startups } from '../startups/startups.ts';
import { LIST_DOCUMENT } from './documents.ts';
import { linkHeader, type Paging } from './links.ts';
import { detailJson, listJson, type RestRecord, tagOf } from './records.ts';
import { graphqlNames } from './spelling.ts';

/** Where the REST surface begins. */
export const REST_BASE = '/api/v1';
/** The list's path; details are below it. */
export const STARTUPS_PATH = `${REST_BASE}/startups`;

const executeList = prepare(LIST_DOCUMENT);

/** Answers a request that was authenticated and paid for; throws, or rejects, with what is told of it. */
export function handleRest(
  request: GatewayRequest,
  startups: Startups<RestRecord>,
  requestId: string,
): GatewayResponse | Promise<GatewayResponse> {
  const slug = resourceOf(request.path);
  if (request.method === 'OPTIONS') {
    return { status: 204, headers: { Allow: ALLOW }, body: '' };
  }
  if (request.method !== 'GET' && request.method !== 'HEAD') {
    throw new ApiError('METHOD_NOT_ALLOWED', `${request.method} is not allowed here, allowed: ${ALLOW}`);
  }
  return slug === undefined
    ? answerList(request, startups, requestId)
    : answerDetail(request, startups, slug);
}

async function answerDetail(
  request: GatewayRequest,
  startups: Startups<RestRecord>,
  slug: string,
): Promise<GatewayResponse> {
  assertNoParameters(request.query);
  const record = await startups.get(slug);
  if (record === null) {
    throw new ApiError('NOT_FOUND', `No startup has the slug ${JSON.stringify(slug.slice(0, 120))}`);
  }
  return {
    status: 200,
    headers: JSON_TYPE,
    body: detailJson('{"data":', record, '}'),
    tag: tagOf(record),
  };
}

async function answerList(
  request: GatewayRequest,
  startups: Startups<RestRecord>,
  requestId: string,
): Promise<GatewayResponse> {
  const { filter, ...rest } = parseListParameters(request.query);
  const variables = { ...toGraphQL(rest), filter: toGraphQL(filter) };
  let records: RestRecord[] = [];
  // The document selects no record: those come as they are read.
  const reading: Pick<Startups<unknown>, 'list'> = {
    list: async (asked, wants) => {
      const list = await startups.list(asked, { ...wants, records: true });
      records = list.entries.map(({ record }) => record as RestRecord);
      return list;
    },
  };
  const data = await executeList(variables, { requestId, startups: reading as Startups });
  const { meta } = data.startups as { meta: Paging };
  const metaJson = JSON.stringify(meta);
  return {
    status: 200,
    headers: { ...JSON_TYPE, Link: linkHeader(request, meta) },
    body: listJson('{"data":[', records, `],"meta":${metaJson}}`),
    tag: digestOf(`${records.map(tagOf).join(',')}${metaJson}`),
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
  if (path === STARTUPS_PATH) {
    return undefined;
  }
  const rest = path.startsWith(`${STARTUPS_PATH}/`) ? path.slice(STARTUPS_PATH.length + 1) : '';
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

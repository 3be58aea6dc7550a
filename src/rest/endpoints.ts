import { ApiError, type ErrorDetail } from '../errors.ts';
import { dataOf, detailsOf } from '../graphql/errors.ts';
import type { Engine, Operation, OperationResult } from '../graphql/execution/engine.ts';
import type { GatewayRequest, GatewayResponse } from '../server/request-response.ts';
import { historyParameters, marketParameters } from '../startups/history/parameters.ts';
import { dayRange, type RangeArguments } from '../startups/history/request.ts';
import { changesParameters } from '../startups/requests/changes-request.ts';
import { filterParameters, listParameters } from '../startups/requests/list-parameters.ts';
import {
  assertNoParameters,
  createQueryReader,
  invalidParameters,
  type QueryParameters,
  readListQuery,
} from '../startups/requests/query-parameters.ts';
import {
  CHANGES_DOCUMENT,
  DETAIL_DOCUMENT,
  HISTORY_DOCUMENT,
  LIST_DOCUMENT,
  MARKET_DOCUMENT,
  SUMMARY_DOCUMENT,
} from './endpoint-documents.ts';
import { linkHeader, type Paging } from './links.ts';
import { paramsOf } from './params.ts';
import { jsonResponse } from './responses.ts';

/** The base path of the REST surface. */
export const REST_BASE = '/api/v1';
/** The list's path; details are below it. */
const STARTUPS_PATH = `${REST_BASE}/startups`;
/** The last segment of the path of a startup's history. */
const HISTORY_SUFFIX = '/history';

/** The operation of a request to an endpoint, and how the result is written. */
interface EndpointTask {
  readonly operation: Operation;
  respond(result: OperationResult): GatewayResponse;
}

/**
 * Converts the parameters of a request into the variables of the endpoint's document.
 *
 * @throws ApiError naming every invalid parameter.
 */
export type Endpoint = (engine: Engine, request: GatewayRequest) => EndpointTask;

/** Whether a search was corrected. */
interface SearchMeta {
  readonly corrected: boolean;
}

/** `corrected` is present only if it is true. */
function restMeta({ corrected, ...meta }: SearchMeta): object {
  return corrected ? { ...meta, corrected } : meta;
}

/** `GET /startups` */
const list: Endpoint = (engine, request) => {
  const { args, details } = readListQuery(request.query);
  const operation = prepare(engine, LIST_DOCUMENT, args, listParameters, details);
  type Data = { startups: { page: object[]; meta: Paging & SearchMeta } };
  return taskOf<Data>(operation, ({ startups: { page, meta } }) => {
    const response = jsonResponse(200, { data: page, meta: restMeta(meta) });
    response.headers.Link = linkHeader(request, meta);
    return response;
  });
};

/** `GET /summary` */
const summary: Endpoint = (engine, request) => {
  const { args, details } = readListQuery(request.query, 'filters');
  const operation = prepare(engine, SUMMARY_DOCUMENT, args, filterParameters, details);
  type Data = { startups: { facets: object; stats: object; meta: SearchMeta } };
  return taskOf<Data>(operation, ({ startups: { facets, stats, meta } }) =>
    jsonResponse(200, { data: { facets, stats }, meta: restMeta(meta) }),
  );
};

/** `GET /startups/{slug}` */
const detail =
  (slug: string): Endpoint =>
  (engine, request) => {
    assertNoParameters(request.query);
    const operation = prepare(engine, DETAIL_DOCUMENT, { slug });
    return taskOf<{ startup: object | null }>(operation, ({ startup }) => {
      if (startup === null) {
        throw unknownSlug(slug);
      }
      return jsonResponse(200, { data: startup });
    });
  };

const readHistoryQuery = createQueryReader(historyParameters);

/** `GET /startups/{slug}/history` */
const history =
  (slug: string): Endpoint =>
  (engine, request) => {
    const { args, details } = readHistoryQuery(request.query);
    const variables = { ...args, slug };
    const operation = prepare(engine, HISTORY_DOCUMENT, variables, historyParameters, details);
    return taskOf<{ startup: { history: object[] } | null }>(operation, ({ startup }) => {
      if (startup === null) {
        throw unknownSlug(slug);
      }
      return daysResponse(startup.history, args, operation);
    });
  };

const readMarketQuery = createQueryReader(marketParameters);

/** `GET /market` */
const market: Endpoint = (engine, request) => {
  const { args, details } = readMarketQuery(request.query);
  const operation = prepare(engine, MARKET_DOCUMENT, args, marketParameters, details);
  return taskOf<{ market: object[] }>(operation, (data) => daysResponse(data.market, args, operation));
};

const readChangesQuery = createQueryReader(changesParameters);

/** `GET /changes` */
const changes: Endpoint = (engine, request) => {
  const { args, details } = readChangesQuery(request.query);
  const operation = prepare(engine, CHANGES_DOCUMENT, args, changesParameters, details);
  type Data = {
    changes: { edges: { node: object }[]; pageInfo: { hasNextPage: boolean }; next: string };
  };
  return taskOf<Data>(operation, ({ changes: { edges, pageInfo, next } }) => {
    const data = edges.map(({ node }) => node);
    return jsonResponse(200, { data, meta: { next, hasMore: pageInfo.hasNextPage } });
  });
};

/** The endpoints with a path of their own; those of one startup are below the first. */
const endpoints: ReadonlyMap<string, Endpoint> = new Map([
  [STARTUPS_PATH, list],
  [`${REST_BASE}/summary`, summary],
  [`${REST_BASE}/changes`, changes],
  [`${REST_BASE}/market`, market],
]);

/**
 * The endpoint of a path.
 *
 * @throws ApiError NOT_FOUND if there is none.
 */
export function findEndpoint(path: string): Endpoint {
  const endpoint = endpoints.get(path);
  if (endpoint !== undefined) {
    return endpoint;
  }
  const below = path.startsWith(`${STARTUPS_PATH}/`) ? path.slice(STARTUPS_PATH.length + 1) : '';
  const isHistory = below.endsWith(HISTORY_SUFFIX);
  const slug = isHistory ? below.slice(0, -HISTORY_SUFFIX.length) : below;
  if (slug !== '' && !slug.includes('/')) {
    try {
      return (isHistory ? history : detail)(decodeURIComponent(slug));
    } catch {
      // Not valid text: no startup has such a slug.
    }
  }
  throw new ApiError('NOT_FOUND', `No such path: ${path.slice(0, 200)}. See /openapi.json`);
}

/**
 * Prepares the document of an endpoint.
 *
 * @param parameters the parameters of the endpoint.
 * @param details the errors found when they were read.
 * @throws ApiError naming every invalid parameter.
 */
function prepare(
  engine: Engine,
  query: string,
  variables: { readonly [name: string]: unknown },
  parameters: QueryParameters = {},
  details: readonly ErrorDetail[] = [],
): Operation {
  const operation = engine.prepare(paramsOf(query, variables));
  const invalid = [...details, ...operation.errors.flatMap(detailsOf)];
  if (invalid.length > 0) {
    throw invalidParameters(parameters, invalid);
  }
  if (operation.errors.length > 0) {
    // The document is ours: an error in it is not an error of the client.
    throw operation.errors[0];
  }
  return operation;
}

/** @param respond receives the data of a result without errors. */
function taskOf<Data>(operation: Operation, respond: (data: Data) => GatewayResponse): EndpointTask {
  return { operation, respond: (result) => respond(dataOf<Data>(result)) };
}

function daysResponse(data: readonly object[], args: RangeArguments, { today }: Operation): GatewayResponse {
  return jsonResponse(200, { data, meta: { ...dayRange(args, today), count: data.length } });
}

function unknownSlug(slug: string): ApiError {
  return new ApiError('NOT_FOUND', `No startup has the slug ${JSON.stringify(slug.slice(0, 120))}`);
}

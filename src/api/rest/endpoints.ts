import { ApiError, type ErrorDetail } from '../../lib/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { dayOf } from '../../lib/text/days.ts';
import { historyParameters, marketParameters } from '../../startups/history/parameters.ts';
import { dayRange } from '../../startups/history/request.ts';
import { changesParameters } from '../../startups/model/requests/changes-request.ts';
import { listParameters, summaryParameters } from '../../startups/model/requests/list-parameters.ts';
import {
  createQueryReader,
  invalidParameters,
  type QueryParameters,
  readListQuery,
} from '../../startups/model/requests/query-parameters.ts';
import { jsonResponse, linkHeader, type Paging } from '../gateway/responses.ts';
import { detailsOf } from '../graphql/errors.ts';
import type { Engine, Operation } from '../graphql/execution/engine.ts';
import type { Variables } from '../graphql/planning/prepared-document.ts';
import {
  CHANGES_DOCUMENT,
  DETAIL_DOCUMENT,
  GROUPED_SUMMARY_DOCUMENT,
  HISTORY_DOCUMENT,
  LIST_DOCUMENT,
  MARKET_DOCUMENT,
  SUMMARY_DOCUMENT,
} from './endpoint-documents.ts';

/** The base path of the REST surface. */
export const REST_BASE = '/api/v1';
/** The list's path; details are below it. */
const STARTUPS_PATH = `${REST_BASE}/startups`;
/** The last segment of the path of a startup's history. */
const HISTORY_SUFFIX = '/history';

/** The query of a request to an endpoint, as variables of its document. */
interface ReadQuery {
  readonly args: Variables;
  readonly details: readonly ErrorDetail[];
}

/** A resource of REST: a document, the parameters that are its variables, and how its data is written. */
interface Endpoint<Data = never> {
  /** As OpenAPI has it. */
  readonly path: string;
  /** The same for every request, or chosen by its parameters. */
  readonly document: string | ((args: Variables) => string);
  readonly parameters: QueryParameters;
  /** Converts a query string into variables, apart from the slug. */
  readonly read: (query: string) => ReadQuery;
  /** @throws ApiError if the data means that there is nothing to write. */
  respond(data: Data, task: RestTask, request: GatewayRequest): GatewayResponse;
}

/** The endpoint of a path, and the slug in it. */
export interface FoundEndpoint {
  readonly endpoint: Endpoint;
  readonly slug: string | undefined;
}

/** A request to an endpoint, ready to run. */
export interface RestTask extends FoundEndpoint {
  readonly args: Variables;
  readonly operation: Operation;
  readonly cost: number;
}

/** Whether a search was corrected. */
interface SearchMeta {
  readonly corrected: boolean;
}

/** `corrected` is present only if it is true. */
function restMeta({ corrected, ...meta }: SearchMeta): object {
  return corrected ? { ...meta, corrected } : meta;
}

/** `GET /startups` */
const list: Endpoint<{ startups: { page: object[]; meta: Paging & SearchMeta } }> = {
  path: STARTUPS_PATH,
  document: LIST_DOCUMENT,
  parameters: listParameters,
  read: readListQuery,
  respond({ startups: { page, meta } }, _task, request) {
    const response = jsonResponse(200, { data: page, meta: restMeta(meta) });
    response.headers.Link = linkHeader(request, meta);
    return response;
  },
};

/** `GET /summary` */
const summary: Endpoint<{ startups: { meta: SearchMeta } }> = {
  path: `${REST_BASE}/summary`,
  document: ({ by }) => (by === undefined ? SUMMARY_DOCUMENT : GROUPED_SUMMARY_DOCUMENT),
  parameters: summaryParameters,
  read: (query) => readListQuery(query, 'summary'),
  respond: ({ startups: { meta, ...data } }) => jsonResponse(200, { data, meta: restMeta(meta) }),
};

/** `GET /startups/{slug}` */
const detail: Endpoint<{ startup: object | null }> = {
  path: `${STARTUPS_PATH}/{slug}`,
  document: DETAIL_DOCUMENT,
  parameters: {},
  read: createQueryReader({}),
  respond: ({ startup }, { slug }) => jsonResponse(200, { data: startup ?? rejectSlug(slug) }),
};

/** `GET /startups/{slug}/history` */
const history: Endpoint<{ startup: { history: object[] } | null }> = {
  path: `${STARTUPS_PATH}/{slug}${HISTORY_SUFFIX}`,
  document: HISTORY_DOCUMENT,
  parameters: historyParameters,
  read: createQueryReader(historyParameters),
  respond: ({ startup }, task) => daysResponse((startup ?? rejectSlug(task.slug)).history, task),
};

/** `GET /market` */
const market: Endpoint<{ market: object[] }> = {
  path: `${REST_BASE}/market`,
  document: MARKET_DOCUMENT,
  parameters: marketParameters,
  read: createQueryReader(marketParameters),
  respond: (data, task) => daysResponse(data.market, task),
};

/** `GET /changes` */
const changes: Endpoint<{
  changes: { edges: { node: object }[]; pageInfo: { hasNextPage: boolean }; next: string };
}> = {
  path: `${REST_BASE}/changes`,
  document: CHANGES_DOCUMENT,
  parameters: changesParameters,
  read: createQueryReader(changesParameters),
  respond({ changes: { edges, pageInfo, next } }) {
    const data = edges.map(({ node }) => node);
    return jsonResponse(200, { data, meta: { next, hasMore: pageInfo.hasNextPage } });
  },
};

/** The endpoints with a path of their own; those of one startup are below the first. */
const endpoints: ReadonlyMap<string, Endpoint> = new Map<string, Endpoint>(
  [list, summary, changes, market].map((endpoint) => [endpoint.path, endpoint]),
);

/** The endpoint of a path; undefined if there is none. */
export function findEndpoint(path: string): FoundEndpoint | undefined {
  const endpoint = endpoints.get(path);
  if (endpoint !== undefined) {
    return { endpoint, slug: undefined };
  }
  const below = path.startsWith(`${STARTUPS_PATH}/`) ? path.slice(STARTUPS_PATH.length + 1) : '';
  const isHistory = below.endsWith(HISTORY_SUFFIX);
  const slug = isHistory ? below.slice(0, -HISTORY_SUFFIX.length) : below;
  if (slug !== '' && !slug.includes('/')) {
    try {
      return { endpoint: isHistory ? history : detail, slug: decodeURIComponent(slug) };
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
export function prepareEndpoint(engine: Engine, { endpoint, slug }: FoundEndpoint, query: string): RestTask {
  const { args, details } = endpoint.read(query);
  const document = typeof endpoint.document === 'string' ? endpoint.document : endpoint.document(args);
  const variables = slug === undefined ? args : { ...args, slug };
  const operation = prepareDocument(engine, document, variables, endpoint.parameters, details);
  return { endpoint, slug, args, operation, cost: operation.cost };
}

/**
 * Prepares a document of ours.
 *
 * @param parameters the parameters that became its variables.
 * @param details the errors found when they were read.
 * @throws ApiError naming every invalid parameter.
 */
export function prepareDocument(
  engine: Engine,
  document: string,
  variables: Variables,
  parameters: QueryParameters,
  details: readonly ErrorDetail[],
): Operation {
  const operation = engine.prepare({ query: document, operationName: null, coerced: variables });
  const { errors } = operation;
  if (details.length > 0 || errors.length > 0) {
    const invalid = [...details, ...errors.flatMap(detailsOf)];
    // The document is ours: another error in it is not an error of the client.
    throw invalid.length > 0 ? invalidParameters(parameters, invalid) : errors[0];
  }
  return operation;
}

function daysResponse(data: readonly object[], { args, operation }: RestTask): GatewayResponse {
  return jsonResponse(200, {
    data,
    meta: { ...dayRange(args, dayOf(operation.plannedAt)), count: data.length },
  });
}

/** @throws ApiError */
function rejectSlug(slug = ''): never {
  throw new ApiError('NOT_FOUND', `No startup has the slug ${JSON.stringify(slug.slice(0, 120))}`);
}

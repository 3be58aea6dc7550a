import type { GraphQLError } from 'graphql';
import { ApiError, type ErrorDetail } from '../errors.ts';
import type { Engine, Operation, OperationResult } from '../graphql/engine.ts';
import { codeOf } from '../graphql/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';
import { changesParameters } from '../startups/changes-parameters.ts';
import {
  assertNoParameters,
  createQueryReader,
  invalidParameters,
  numberTextOf,
  readListQuery,
} from '../startups/list-query.ts';
import { CHANGES_DOCUMENT, DETAIL_DOCUMENT, LIST_DOCUMENT } from './documents.ts';
import { toVariables, withRestValues } from './enum-values.ts';
import { linkHeader, type Paging } from './links.ts';
import { jsonResponse } from './responses.ts';

/** Where the REST surface begins. */
export const REST_BASE = '/api/v1';
/** The list's path; details are below it. */
const STARTUPS_PATH = `${REST_BASE}/startups`;
const CHANGES_PATH = `${REST_BASE}/changes`;

/** What a request to an endpoint executes, and how the result is written. */
interface EndpointTask {
  readonly operation: Operation;
  respond(result: OperationResult): GatewayResponse;
}

/**
 * Turns the parameters of a request into the variables of the endpoint's document.
 *
 * @throws ApiError naming every invalid parameter.
 */
type Endpoint = (engine: Engine, request: GatewayRequest) => EndpointTask;

type StartupData = { [field: string]: unknown };

/** `GET /startups` */
const list: Endpoint = (engine, request) => {
  const { args, details } = readListQuery(request.query);
  const { filter, ...rest } = args;
  const variables = { ...toVariables(rest), filter: toVariables(filter) };
  const numberText = numberTextOf(request.query);
  const operation = engine.prepare({ query: LIST_DOCUMENT, operationName: null, variables }, (path) =>
    numberText(String(path.at(-1))),
  );
  assertValid([...details, ...operation.errors.flatMap(detailsOf)], operation);
  return {
    operation,
    respond(result) {
      const { startups } = dataOf<{ startups: { page: StartupData[]; meta: Paging } }>(result);
      const { page, meta } = startups;
      return jsonResponse(200, { data: page.map(withRestValues), meta }, { Link: linkHeader(request, meta) });
    },
  };
};

/** `GET /startups/{slug}` */
const detail =
  (slug: string): Endpoint =>
  (engine, request) => {
    assertNoParameters(request.query);
    const operation = engine.prepare({ query: DETAIL_DOCUMENT, operationName: null, variables: { slug } });
    assertValid([], operation);
    return {
      operation,
      respond(result) {
        const { startup } = dataOf<{ startup: StartupData | null }>(result);
        if (startup === null) {
          throw new ApiError('NOT_FOUND', `No startup has the slug ${JSON.stringify(slug.slice(0, 120))}`);
        }
        return jsonResponse(200, { data: withRestValues(startup) });
      },
    };
  };

const readChangesQuery = createQueryReader(changesParameters);

/** A change as GraphQL gives it, but for the spelling of values in its startup that of REST. */
interface ChangeData {
  readonly startup: StartupData | null;
}

/** `GET /changes` */
const changes: Endpoint = (engine, request) => {
  const { args, details } = readChangesQuery(request.query);
  const operation = engine.prepare({ query: CHANGES_DOCUMENT, operationName: null, variables: args });
  assertValid([...details, ...operation.errors.flatMap(detailsOf)], operation);
  return {
    operation,
    respond(result) {
      const { edges, pageInfo, next } = dataOf<{
        changes: { edges: { node: ChangeData }[]; pageInfo: { hasNextPage: boolean }; next: string };
      }>(result).changes;
      const data = edges.map(({ node }) => ({
        ...node,
        startup: node.startup === null ? null : withRestValues(node.startup),
      }));
      return jsonResponse(200, { data, meta: { next, hasMore: pageInfo.hasNextPage } });
    },
  };
};

/**
 * The endpoint of a path.
 *
 * @throws ApiError NOT_FOUND where there is none.
 */
export function findEndpoint(path: string): Endpoint {
  if (path === STARTUPS_PATH) {
    return list;
  }
  if (path === CHANGES_PATH) {
    return changes;
  }
  const rest = path.startsWith(`${STARTUPS_PATH}/`) ? path.slice(STARTUPS_PATH.length + 1) : '';
  if (rest !== '' && !rest.includes('/')) {
    try {
      return detail(decodeURIComponent(rest));
    } catch {
      // Not text at all: no startup has such a slug.
    }
  }
  throw new ApiError('NOT_FOUND', `Nothing is at ${path.slice(0, 200)}`);
}

function assertValid(details: readonly ErrorDetail[], { errors }: Operation): void {
  if (details.length > 0) {
    throw invalidParameters(details);
  }
  if (errors.length > 0) {
    // The document is ours: what is wrong with it is no mistake of the client.
    throw errors[0];
  }
}

function detailsOf({ extensions }: GraphQLError): readonly ErrorDetail[] {
  return (extensions.details as readonly ErrorDetail[] | undefined) ?? [];
}

/** The data of a result without errors; the first error is thrown as REST reports it. */
function dataOf<Data>({ data, errors = [] }: OperationResult): Data {
  const [error] = errors;
  if (error !== undefined) {
    throw new ApiError(codeOf(error) ?? 'INTERNAL_SERVER_ERROR', error.message, detailsOf(error));
  }
  return data as Data;
}

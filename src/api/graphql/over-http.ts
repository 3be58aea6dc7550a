import { isUtf8 } from 'node:buffer';
import type { ExecutionResult } from 'graphql';
import type { RateLimitState } from '../../access/limits/limiter.ts';
import { resetTime } from '../../access/limits/responses.ts';
import { ApiError, type ErrorCode, errorStatuses } from '../../lib/errors.ts';
import { acceptedQuality } from '../../lib/http/header-values.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { jsonSteps } from '../../lib/loop/json-steps.ts';
import { andThen, type Owner, timeSlices } from '../../lib/loop/time-slices.ts';
import { isObject } from '../../lib/text/is-object.ts';
import { UNDECODABLE } from '../../startups/model/requests/query-parameters.ts';
import { argumentErrors, codedError, codeOf, inputError, inputErrors } from './errors.ts';
import type { GraphQLParams, Operation } from './execution/engine.ts';
import { type RequestedDocument, readRequestedDocument } from './planning/requested-document.ts';

/** The longest body of a request, in bytes. */
export const GRAPHQL_BODY_LIMIT = 100_000;
/** The limits of JSON input. The code that reads values is recursive, and graphql-js writes all names into each error. */
export const jsonLimits = { levels: 64, names: 500 };

/** A GraphQL request as sent by its client. */
interface GraphQLRequest extends Pick<GraphQLParams, 'operationName'> {
  readonly document: RequestedDocument;
  /** As JSON has them. */
  readonly variables: { readonly [name: string]: unknown };
}

const GRAPHQL_RESPONSE = 'application/graphql-response+json';
const JSON_TYPE = 'application/json';
type MediaType = typeof GRAPHQL_RESPONSE | typeof JSON_TYPE;

/** Statuses that clients of plain JSON get too: they are about the client or the service, not the operation. */
export const SENT_WITH_EVERY_TYPE: ReadonlySet<number> = new Set<number>([
  401, 403, 404, 405, 408, 413, 415, 417, 429, 503,
]);

/**
 * Reads the parameters of a request as GraphQL over HTTP describes them: POST with a JSON body, or GET
 * with the same in the query. https://graphql.github.io/graphql-over-http/draft/#sec-Request
 *
 * @throws ApiError when it is not a well-formed GraphQL request.
 */
export function readGraphQLRequest(request: GatewayRequest): GraphQLRequest | Promise<GraphQLRequest> {
  if (request.method === 'POST') {
    return andThen(readJsonBody(request), checkParams);
  }
  const query = new URLSearchParams(request.query);
  const text = (name: string): string | null => {
    const values = query.getAll(name);
    if (values.length > 1) {
      throw inputError(name, values, 'one value, given once');
    }
    const [value = null] = values;
    if (value?.includes(UNDECODABLE)) {
      throw inputError(name, value, 'text in UTF-8, percent-encoded');
    }
    return value;
  };
  const json = (name: string): unknown => {
    const value = text(name);
    return value === null || value === '' ? null : parseJson(name, value);
  };
  return checkParams({
    query: text('query'),
    documentId: text('documentId'),
    operationName: text('operationName'),
    variables: json('variables'),
    extensions: json('extensions'),
  });
}

/**
 * Reads a body of JSON.
 *
 * @param limits the most bytes of it, and names in one of its objects; by default those of a request of GraphQL.
 * @throws ApiError when it is something else, or too large.
 */
export function readJsonBody(
  request: GatewayRequest,
  { bytes = GRAPHQL_BODY_LIMIT, names = jsonLimits.names }: { bytes?: number; names?: number } = {},
): unknown {
  const type = request.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  const encoding = request.header('content-encoding')?.trim().toLowerCase() ?? 'identity';
  if (type !== JSON_TYPE || encoding !== 'identity') {
    throw new ApiError(
      'UNSUPPORTED_MEDIA_TYPE',
      `The Content-Type of the body must be ${JSON_TYPE}, and the body must not be compressed`,
    );
  }
  return andThen(request.body(bytes), (body) => parseBody(body, names));
}

function parseBody(body: Buffer, names: number): unknown {
  if (!isUtf8(body)) {
    throw inputErrors([{ parameter: 'body', message: 'not UTF-8, allowed: JSON in UTF-8' }]);
  }
  const text = body.toString('utf8');
  // RFC 8259 lets readers of JSON ignore a byte order mark, which some Windows tools write.
  return parseJson('body', text.startsWith('\ufeff') ? text.slice(1) : text, names);
}

function parseJson(parameter: string, text: string, names = jsonLimits.names): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw inputError(parameter, text, 'JSON');
  }
  if (!isWithinLimits(value, jsonLimits.levels, names)) {
    const allowed = `JSON nested at most ${jsonLimits.levels} levels deep, with at most ${names} names in an object`;
    throw inputError(parameter, text, allowed);
  }
  return value;
}

/** Whether a value of JSON has at most so many levels, and no object with too many names. */
function isWithinLimits(value: unknown, levels: number, names: number): boolean {
  if (typeof value !== 'object' || value === null) {
    return true;
  }
  const values = Object.values(value);
  if (levels === 0 || (values.length > names && !Array.isArray(value))) {
    return false;
  }
  for (const below of values) {
    if (!isWithinLimits(below, levels - 1, names)) {
      return false;
    }
  }
  return true;
}

function checkParams(params: unknown): GraphQLRequest {
  if (!isObject(params)) {
    throw inputError('body', params, 'a JSON object with a query (batches are not supported)');
  }
  const { query, documentId, operationName, variables, extensions } = params;
  if (operationName !== undefined && operationName !== null && typeof operationName !== 'string') {
    throw inputError('operationName', operationName, 'the name of an operation, or null');
  }
  if (variables !== undefined && variables !== null && !isObject(variables)) {
    throw inputError('variables', variables, 'an object, or null');
  }
  if (extensions !== undefined && extensions !== null && !isObject(extensions)) {
    throw inputError('extensions', extensions, 'an object, or null');
  }
  const document = readRequestedDocument({ query, documentId, persistedQuery: extensions?.persistedQuery });
  // Clients send an empty name for a document with one operation; no operation has an empty name.
  return { document, operationName: operationName || null, variables: variables ?? {} };
}

/**
 * Levels of a response that are written in separate steps where histories make it long: down to each history of a record
 * in a list.
 */
const STEP_DEPTH = 5;

/** The response to a well-formed request. Its status follows from its errors, as GraphQL over HTTP specifies. */
export function operationResponse(
  request: GatewayRequest,
  owner: Owner,
  { prepared }: Operation,
  result: ExecutionResult,
  budget: RateLimitState,
): GatewayResponse | Promise<GatewayResponse> {
  const mediaType = acceptedMediaType(request.header('accept'));
  const status = result.errors === undefined ? 200 : statusOf(result);
  const extensions = budgetExtension(request, budget);
  const body = extensions === undefined ? result : { ...result, extensions };
  const text = prepared?.readsDatabase
    ? timeSlices.run(jsonSteps(body, STEP_DEPTH), owner)
    : JSON.stringify(body);
  const sent = mediaType === JSON_TYPE && !SENT_WITH_EVERY_TYPE.has(status) ? 200 : status;
  return andThen(text, (text) => respond(sent, mediaType, text));
}

function statusOf({ data, errors = [] }: ExecutionResult): number {
  const statuses =
    data === undefined || data === null
      ? errors.map((error) => errorStatuses[codeOf(error) ?? 'INTERNAL_SERVER_ERROR'])
      : [];
  return Math.max(200, ...statuses);
}

/** The answer to a request that never became an operation. */
export function failureResponse(
  error: ApiError,
  request: GatewayRequest,
  budget: RateLimitState,
): GatewayResponse {
  const { code, message, details } = error;
  const errors = details.length > 0 ? argumentErrors(details) : [withRequestId(code, message, request.id)];
  const extensions = budgetExtension(request, budget);
  const body = JSON.stringify({ errors, ...(extensions && { extensions }) });
  return respond(error.status, acceptedMediaType(request.header('accept')), body);
}

/**
 * The budget as `extensions.rateLimit`, for clients that cannot read headers. It states no cost if that is unknown. Bodies
 * of GET have none: they change only with the data.
 */
function budgetExtension(
  request: GatewayRequest,
  budget: RateLimitState,
): { [name: string]: unknown } | undefined {
  if (request.method !== 'POST') {
    return undefined;
  }
  const { limit, remaining, cost } = budget;
  return { rateLimit: { limit, remaining, resetAt: resetTime(budget.resetAt), cost } };
}

function withRequestId(code: ErrorCode, message: string, requestId: string) {
  const error = codedError(code, message);
  error.extensions.requestId = requestId;
  return error;
}

function respond(status: number, mediaType: MediaType, body: string): GatewayResponse {
  return { status, headers: ['Content-Type', `${mediaType}; charset=utf-8`], body };
}

/** The preferred one of the two media types; plain JSON if the client does not specify one. */
function acceptedMediaType(accept: string | undefined): MediaType {
  if (accept === undefined || !/graphql-response/i.test(accept)) {
    return JSON_TYPE;
  }
  const quality = (mediaType: string): number => acceptedQuality(accept, mediaType);
  return quality(GRAPHQL_RESPONSE) >= quality(JSON_TYPE) && quality(GRAPHQL_RESPONSE) > 0
    ? GRAPHQL_RESPONSE
    : JSON_TYPE;
}

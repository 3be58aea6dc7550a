import type { ApiError } from '../../lib/errors.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { RETRY_SECONDS } from './to-api-error.ts';

export const JSON_TYPE = 'application/json; charset=utf-8';

/** A response with a JSON body. */
export function jsonResponse(status: number, body: object): GatewayResponse {
  return { status, headers: ['Content-Type', JSON_TYPE], body: JSON.stringify(body) };
}

/** The body of every error outside GraphQL. */
export function errorBody({ code, message, details }: ApiError, requestId: string): object {
  return { error: { code, message, ...(details.length === 0 ? {} : { details }), requestId } };
}

/** The response of REST to every error. */
export function errorResponse(error: ApiError, requestId: string): GatewayResponse {
  const response = jsonResponse(error.status, errorBody(error, requestId));
  if (error.retryAfter !== undefined) {
    response.headers.push('Retry-After', String(error.retryAfter));
  }
  return response;
}

/** The position of a page, as returned by a list. */
export interface Paging {
  readonly total: number;
  readonly page: number;
  readonly limit: number;
  readonly hasMore: boolean;
}

/** The page among the parameters. In another name or value, & and = would be escaped. */
const PAGE = /(?<=^|&)page=[^&]*/;
/** Characters that a URL in a header must not contain, although node:http accepts them in a request. */
const UNSAFE = /[<>"\\^`{|}#]/g;

/**
 * The Link header of a list: its other pages, with the same parameters in the same order.
 * References are relative, so they lead back to the host and scheme that the client used, through any
 * proxy, and a forged Host header has no effect. https://www.rfc-editor.org/rfc/rfc8288
 */
export function linkHeader(request: GatewayRequest, { total, page, limit, hasMore }: Paging): string {
  // With names in plain text, as clients write them, although they might escape their letters.
  const isPlain = PAGE.test(request.query) || !request.query.includes('%');
  const plain = isPlain ? request.query : String(new URLSearchParams(request.query));
  const query = plain.replace(UNSAFE, encodeURIComponent);
  const found = PAGE.exec(query);
  const end = query === '' ? '' : `${query}&`;
  const before = found === null ? end : query.slice(0, found.index);
  const after = found === null ? '' : query.slice(found.index + found[0].length);
  const link = (number: number, relation: string): string =>
    `<${request.path}?${before}page=${number}${after}>; rel="${relation}"`;
  const last = Math.max(1, Math.ceil(total / limit));
  // Before a page past the end comes the last one.
  const previous = page > 1 ? `${link(Math.min(page - 1, last), 'prev')}, ` : '';
  const next = hasMore ? `${link(page + 1, 'next')}, ` : '';
  return `${link(1, 'first')}, ${previous}${next}${link(last, 'last')}`;
}

/** Adds the headers that errors of some statuses have on all paths. */
export function addErrorHeaders({ status, headers }: GatewayResponse, methods: readonly string[]): void {
  if (status === 405) {
    headers.push('Allow', methods.join(', '));
  }
  if (status === 503 && !headers.includes('Retry-After')) {
    headers.push('Retry-After', String(RETRY_SECONDS));
  }
}

import type { ApiError } from '../errors.ts';
import type { GatewayResponse } from '../server/request-response.ts';

/** A response with a JSON body. */
export function jsonResponse(status: number, body: object): GatewayResponse {
  const headers = { 'Content-Type': 'application/json; charset=utf-8' };
  return { status, headers, body: JSON.stringify(body) };
}

/** The body of every error outside GraphQL. */
export function errorBody({ code, message, details }: ApiError, requestId: string): object {
  return { error: { code, message, ...(details.length === 0 ? {} : { details }), requestId } };
}

/** The response of REST to every error. */
export function errorResponse(error: ApiError, requestId: string): GatewayResponse {
  return jsonResponse(error.status, errorBody(error, requestId));
}

import type { ApiError } from '../errors.ts';
import type { GatewayResponse } from '../handler.ts';

const JSON_TYPE = { 'Content-Type': 'application/json; charset=utf-8' };

/** A response with a JSON body. */
export function jsonResponse(
  status: number,
  body: object,
  headers: Record<string, string> = {},
): GatewayResponse {
  return { status, headers: { ...JSON_TYPE, ...headers }, body: Buffer.from(JSON.stringify(body)) };
}

/** The body of every error outside GraphQL. */
export function errorBody({ code, message, details }: ApiError, requestId: string): object {
  return { error: { code, message, ...(details.length === 0 ? {} : { details }), requestId } };
}

/** The response of REST to every error. */
export function errorResponse(error: ApiError, requestId: string): GatewayResponse {
  return jsonResponse(error.status, errorBody(error, requestId));
}

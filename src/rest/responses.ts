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

/** The response of REST to every error. */
export function errorResponse(
  { status, code, message, details }: ApiError,
  requestId: string,
): GatewayResponse {
  const error = { code, message, ...(details.length === 0 ? {} : { details }), requestId };
  return jsonResponse(status, { error });
}

import type { GatewayRequest } from '../handler.ts';

// Any origin and no credentials: a script sends a key explicitly; a browser never adds one.
const ANY_ORIGIN = { 'Access-Control-Allow-Origin': '*' };

/** On every answer of the API, errors included: a script cannot read any other header. */
export const exposedHeaders = {
  ...ANY_ORIGIN,
  'Access-Control-Expose-Headers':
    'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, ETag, Link, X-Request-Id',
};

/** Whether a request is a CORS preflight. It has no key, and is not metered. */
export function isPreflight(request: GatewayRequest): boolean {
  return (
    request.method === 'OPTIONS' &&
    request.header('origin') !== undefined &&
    request.header('access-control-request-method') !== undefined
  );
}

/** The answer to a preflight. */
export function preflightHeaders(methods: string): Record<string, string> {
  return {
    ...ANY_ORIGIN,
    'Access-Control-Allow-Methods': methods,
    'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match',
    'Access-Control-Max-Age': '7200',
  };
}

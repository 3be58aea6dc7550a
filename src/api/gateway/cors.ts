import type { GatewayRequest } from '../../lib/http/request-response.ts';

/** Request headers that scripts may send: those of the API, of common HTTP clients, of tracing (W3C, Sentry), of Apollo's clients and of MCP. */
const ALLOWED_HEADERS = [
  'Authorization, Content-Type, If-None-Match, x-request-id',
  'X-Requested-With, Cache-Control, Pragma, Last-Event-ID',
  'traceparent, tracestate, baggage, sentry-trace',
  'apollographql-client-name, apollographql-client-version, apollo-require-preflight',
  'Mcp-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id',
  // All others, as requests have no credentials. It does not include Authorization, and old browsers do not know it.
  '*',
].join(', ');

const EXPOSED_HEADERS =
  'X-RateLimit-Limit, X-RateLimit-Remaining, X-RateLimit-Reset, RateLimit-Policy, RateLimit, Retry-After, ETag, Link, X-Request-Id';

/** Lets scripts read a response of the API, errors included, and its headers: they cannot read any other header. */
export const scriptHeaders = [
  // Any origin and no credentials: a script sends a key explicitly; a browser never adds one.
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED_HEADERS,
];

/** Whether a request of the method OPTIONS is a CORS preflight. It has no key, and is not metered. */
export function isPreflight(request: GatewayRequest): boolean {
  return (
    request.header('origin') !== undefined && request.header('access-control-request-method') !== undefined
  );
}

/** The answer to a preflight. */
export function preflightHeaders(methods: readonly string[]): string[] {
  const allowed = [
    'Access-Control-Allow-Methods',
    methods.join(', '),
    'Access-Control-Allow-Headers',
    ALLOWED_HEADERS,
  ];
  return [...allowed, 'Access-Control-Max-Age', '7200'];
}

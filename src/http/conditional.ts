import { digestOf } from '../digest.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';

/** The default for answers of the API: no cache may store them. */
export const NO_STORE = { 'Cache-Control': 'no-store' };

// A client may store an answer but must revalidate it before each use: whether its key is still valid
// is checked here, every time.
const REVALIDATE = 'private, no-cache';

/** For an answer that is the same for all visitors: shared caches may serve it for a minute. */
export const PUBLIC = 'public, max-age=60';

/**
 * An answer with its entity tag: a hash of the bytes of its body, and of its media type where that is chosen by
 * the client.
 *
 * @param cacheControl who may store it, and for how long.
 */
export function tagged(response: GatewayResponse, cacheControl = REVALIDATE): GatewayResponse {
  const { headers, body } = response;
  const variant = headers['Content-Type']?.startsWith('application/json') === true ? '' : '-g';
  return {
    ...response,
    headers: { ...headers, ETag: `"${digestOf(body)}${variant}"`, 'Cache-Control': cacheControl },
  };
}

/** A tagged answer to GET or HEAD; 304 if the client already has that answer. */
export function conditional(request: GatewayRequest, response: GatewayResponse): GatewayResponse {
  const known = request.header('if-none-match');
  if (known === undefined || !isKnown(known, response.headers.ETag as string)) {
    return response;
  }
  const { 'Content-Type': _type, ...headers } = response.headers;
  return { status: 304, headers, body: '' };
}

/** Weak comparison, as If-None-Match requires: a W/ before a tag is ignored. */
function isKnown(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || ifNoneMatch.match(/"[^"]*"/g)?.some((tag) => tag === etag) === true;
}

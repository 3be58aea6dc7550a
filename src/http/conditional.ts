import { digestOf } from '../digest.ts';
import type { GatewayRequest, GatewayResponse } from '../handler.ts';

/** What answers of the API are unless they say otherwise: nobody's to keep. */
export const NO_STORE = { 'Cache-Control': 'no-store' };

// A client may keep an answer but asks again each time it wants to use it: whether its key still is good
// is decided here, every time.
const REVALIDATE = 'private, no-cache';

/** For an answer that everyone who sees a page may see: shared caches may give it for a minute. */
export const PUBLIC = 'public, max-age=60';

/**
 * An answer with its entity tag: a hash of the bytes of its body, and of its media type where that is chosen by
 * the client.
 *
 * @param cacheControl who may keep it, and how long.
 */
export function tagged(response: GatewayResponse, cacheControl = REVALIDATE): GatewayResponse {
  const { headers, body } = response;
  const variant = headers['Content-Type']?.startsWith('application/json') === true ? '' : '-g';
  return {
    ...response,
    headers: { ...headers, ETag: `"${digestOf(body)}${variant}"`, 'Cache-Control': cacheControl },
  };
}

/** A tagged answer to GET or HEAD; 304 where the client has that answer already. */
export function conditional(request: GatewayRequest, response: GatewayResponse): GatewayResponse {
  const known = request.header('if-none-match');
  if (known === undefined || !isKnown(known, response.headers.ETag as string)) {
    return response;
  }
  const { 'Content-Type': _type, ...headers } = response.headers;
  return { status: 304, headers, body: '' };
}

/** Weak comparison, as the header has it: a W/ before a tag does not matter. */
function isKnown(ifNoneMatch: string, etag: string): boolean {
  return ifNoneMatch.trim() === '*' || ifNoneMatch.match(/"[^"]*"/g)?.some((tag) => tag === etag) === true;
}

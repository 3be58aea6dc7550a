import { createHash } from 'node:crypto';
import type { GatewayRequest, GatewayResponse } from '../exchange.ts';

/** What answers of the API are unless they say otherwise: nobody's to keep. */
export const NO_STORE = { 'Cache-Control': 'no-store' };

// A client may keep an answer but asks again each time it wants to use it: whether its key still is good
// is decided here, every time.
const REVALIDATE = 'private, no-cache';

/**
 * An answer to GET or HEAD with its entity tag; 304 where the client has that answer already. Strong:
 * the tag is made from the media type and the final body.
 */
export function conditional(request: GatewayRequest, response: GatewayResponse): GatewayResponse {
  if ((request.method !== 'GET' && request.method !== 'HEAD') || response.status !== 200) {
    return response;
  }
  const { 'Content-Type': type = '', ...others } = response.headers;
  const hash = createHash('sha256').update(`${type}\n`).update(response.body).digest('base64url');
  const etag = `"${hash.slice(0, 27)}"`;
  const headers = { ...others, ETag: etag, 'Cache-Control': REVALIDATE };
  return isKnown(request.header('if-none-match'), etag)
    ? { status: 304, headers, body: '' }
    : { ...response, headers: { 'Content-Type': type, ...headers } };
}

/** Weak comparison, as the header has it: a W/ before a tag does not matter. */
function isKnown(ifNoneMatch: string | undefined, etag: string): boolean {
  return (
    ifNoneMatch !== undefined &&
    (ifNoneMatch.trim() === '*' || ifNoneMatch.match(/"[^"]*"/g)?.some((tag) => tag === etag) === true)
  );
}

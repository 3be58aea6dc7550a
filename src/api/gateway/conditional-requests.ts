import { plainTags } from '../../lib/http/header-values.ts';
import type { GatewayRequest, GatewayResponse } from '../../lib/http/request-response.ts';
import { digestOf } from '../../lib/text/digest.ts';
import { JSON_TYPE } from './responses.ts';

// A client may store an answer but must revalidate it before each use: whether its key is still valid
// is checked here, every time.
export const REVALIDATE = 'private, no-cache';

/** For an answer that is the same for all visitors: shared caches may serve it for a minute. */
export const PUBLIC = 'public, max-age=60';

/**
 * An answer to GET or HEAD with its entity tag: a hash of the bytes of its body, and of its media type where that is
 * chosen by the client. 304 if the client already has that answer.
 *
 * @param cacheControl who may store it, and for how long.
 */
export function conditional(
  request: GatewayRequest,
  response: GatewayResponse,
  cacheControl = REVALIDATE,
): GatewayResponse {
  const { headers, body } = response;
  // A text that is not ASCII is encoded once, for its tag and its transport.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  const variant = headers.includes(JSON_TYPE) ? '' : '-g';
  const etag = `"${digestOf(bytes)}${variant}"`;
  headers.push('ETag', etag, 'Cache-Control', cacheControl);
  if (!hasTag(request, etag)) {
    return bytes.length === body.length ? response : { ...response, body: bytes };
  }
  headers.splice(headers.indexOf('Content-Type'), 2);
  return { status: 304, headers, body: '' };
}

/** Whether a client already has the response with a tag. */
export function hasTag(request: GatewayRequest, etag: string): boolean {
  const known = request.header('if-none-match');
  return known !== undefined && isKnown(known, etag);
}

/** Weak comparison, as If-None-Match requires: a W/ before a tag is ignored. */
function isKnown(ifNoneMatch: string, etag: string): boolean {
  return (
    ifNoneMatch.trim() === '*' ||
    plainTags(ifNoneMatch)
      .match(/"[^"]*"/g)
      ?.includes(etag) === true
  );
}

import { WINDOW_MS } from '../../access/limits/tiers.ts';
import type { ErrorCode } from '../../lib/errors.ts';
import { refer, type Schema } from './openapi-schemas.ts';

const LIMIT_HEADERS = {
  'X-RateLimit-Limit': `The limit of the key for a window of ${WINDOW_MS / 1000} seconds.`,
  'X-RateLimit-Remaining': 'What is left of the limit in the current window.',
  'X-RateLimit-Reset': 'When the window ends, in seconds since 1970 (Unix time), rounded up.',
};

/** Every answer of the API has these. */
const BUDGET_HEADERS = [...Object.keys(LIMIT_HEADERS), 'RateLimit-Policy', 'RateLimit'];

const textHeader = (description: string) => ({ description, schema: { type: 'string' } });

/** The headers of responses. */
export const headers: Readonly<Record<string, { description: string; schema: Schema }>> = {
  ...Object.fromEntries(
    Object.entries(LIMIT_HEADERS).map(([name, description]) => [
      name,
      { description, schema: { type: 'integer', minimum: 0 } },
    ]),
  ),
  'RateLimit-Policy': textHeader(
    'The limit in the format of the IETF draft: q is the limit, w the length of the window in seconds.',
  ),
  RateLimit: textHeader(
    'The state of the limit in the format of the IETF draft: r is what is left, t the seconds until the window ends.',
  ),
  'Retry-After': {
    description: 'Seconds after which to retry: for a 429, those until the window ends.',
    schema: { type: 'integer', minimum: 1 },
  },
  ETag: textHeader(
    'The tag of this response, with GET and HEAD. Send it in If-None-Match to get a 304 without a body while the response is the same.',
  ),
  Link: textHeader(
    'The first, prev, next and last pages with the same parameters; after a snapshot, as next, the changes since then. Relative (RFC 8288).',
  ),
  'WWW-Authenticate': textHeader('Bearer, and error="invalid_token" if a key was sent (RFC 6750).'),
  'X-Request-Id': textHeader('Identifies this response in the log of the server.'),
};

/** References to the headers of a response: those that every response has, and others. */
export const referHeaders = (...names: string[]): Record<string, { $ref: string }> =>
  Object.fromEntries([...BUDGET_HEADERS, ...names].map((name) => [name, refer('headers', name)]));

/** Headers of some errors only. */
export const errorHeaders: Partial<Record<ErrorCode, string[]>> = {
  UNAUTHENTICATED: ['WWW-Authenticate'],
  RATE_LIMITED: ['Retry-After'],
  SERVICE_UNAVAILABLE: ['Retry-After'],
};

import { ApiError } from '../../lib/errors.ts';
import { writeInstant } from '../../lib/text/days.ts';
import type { RateLimitState } from './limiter.ts';
import { WINDOW_MS } from './tiers.ts';

/**
 * Adds the headers that show a client its limit: those of the interface, the fields of the IETF draft, and
 * Retry-After on a refusal. `X-RateLimit-Reset` is in Unix seconds, rounded up, so that a client that
 * waits for it never retries too early; the others are in seconds from now.
 *
 * @param now ms since 1970.
 * @param headers what they are added to.
 */
export function addRateLimit(state: RateLimitState, now: number, headers: string[]): void {
  const { admitted, limit, remaining, resetAt } = state;
  // If another machine sets the end and its clock is ahead by an hour, clients must not wait for an hour.
  const left = Math.min(Math.max(0, resetAt - now), WINDOW_MS);
  const seconds = Math.ceil(left / 1000);
  headers.push('X-RateLimit-Limit', String(limit), 'X-RateLimit-Remaining', String(remaining));
  headers.push('X-RateLimit-Reset', String(Math.ceil(resetAt / 1000)));
  headers.push('RateLimit-Policy', `"default";q=${limit};w=${WINDOW_MS / 1000}`);
  headers.push('RateLimit', `"default";r=${remaining};t=${seconds}`);
  if (!admitted && !headers.includes('Retry-After')) {
    headers.push('Retry-After', String(Math.max(1, seconds)));
  }
}

/**
 * The end of a window in ISO 8601, rounded up to the second of `X-RateLimit-Reset`.
 *
 * @param resetAt ms since 1970.
 */
export function resetTime(resetAt: number): string {
  return writeInstant(Math.ceil(resetAt / 1000) * 1000);
}

/**
 * Why the rate limit rejects a request that is not admitted, or whose cost exceeds the limit of the whole window.
 *
 * @param budget after the reservation of the cost, or of 1 if the cost exceeds the limit of the whole window.
 * @param limit of the client's window.
 * @returns RATE_LIMITED, or OPERATION_TOO_COMPLEX.
 */
export function limitError(budget: RateLimitState, cost: number, limit: number): ApiError {
  if (!budget.admitted) {
    return new ApiError('RATE_LIMITED', describeRefusal(budget));
  }
  const message = `The operation has ${cost} reads, allowed: at most ${limit}, the limit of this key`;
  return new ApiError('OPERATION_TOO_COMPLEX', message);
}

function describeRefusal({ cost, before, limit, resetAt }: RateLimitState): string {
  const until = resetTime(resetAt).replace('.000', '');
  return cost === undefined
    ? `Rate limit exceeded: 0 of ${limit} are left. Retry after ${until}`
    : `Rate limit exceeded: this request costs ${cost}, and ${before} of ${limit} are left. Retry after ${until}`;
}

import type { RateLimitState } from './limiter.ts';
import { WINDOW_MS } from './tiers.ts';

/**
 * The headers that show a client its limit: those of the interface, the fields of the IETF draft, and
 * Retry-After on a refusal. `X-RateLimit-Reset` is in Unix seconds, rounded up, so that a client that
 * waits for it never retries too early; the others are in seconds from now.
 *
 * @param now ms since 1970.
 */
export function rateLimitHeaders(state: RateLimitState, now: number): Record<string, string> {
  const { admitted, limit, remaining, resetAt } = state;
  // If another machine sets the end and its clock is ahead by an hour, clients must not wait for an hour.
  const left = Math.min(Math.max(0, resetAt - now), WINDOW_MS);
  const seconds = Math.ceil(left / 1000);
  const headers: Record<string, string> = {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(resetAt / 1000)),
    'RateLimit-Policy': `"default";q=${limit};w=${WINDOW_MS / 1000}`,
    RateLimit: `"default";r=${remaining};t=${seconds}`,
  };
  if (!admitted) {
    headers['Retry-After'] = String(Math.max(1, seconds));
  }
  return headers;
}

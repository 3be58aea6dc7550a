import { ApiError } from '../errors.ts';
import { resetTime } from '../rate-limit/headers.ts';
import type { RateLimitState } from '../rate-limit/limiter.ts';

/**
 * Why the rate limit rejects a request.
 *
 * @param budget after the reservation of the cost, or of 1 if the cost exceeds the limit of the whole window.
 * @param limit of the client's window.
 * @returns RATE_LIMITED: nothing was charged. OPERATION_TOO_COMPLEX: 1 was charged.
 */
export function findLimitError(budget: RateLimitState, cost: number, limit: number): ApiError | undefined {
  if (!budget.admitted) {
    return new ApiError('RATE_LIMITED', describeRefusal(budget));
  }
  if (cost > limit) {
    const message = `The operation has ${cost} reads, allowed: at most ${limit}, the limit of this key`;
    return new ApiError('OPERATION_TOO_COMPLEX', message);
  }
  return undefined;
}

function describeRefusal({ cost, remaining, limit, resetAt }: RateLimitState): string {
  const until = resetTime(resetAt).replace('.000', '');
  return cost === undefined
    ? `Rate limit exceeded: 0 of ${limit} are left. Retry after ${until}`
    : `Rate limit exceeded: this request costs ${cost}, and ${remaining} of ${limit} are left. Retry after ${until}`;
}

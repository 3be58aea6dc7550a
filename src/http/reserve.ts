import { ApiError } from '../errors.ts';
import type { Limiter, RateLimitState } from '../rate-limit/limiter.ts';
import type { Subject } from '../rate-limit/subject.ts';

/** The budget after a reservation, and why it was refused. */
interface Reserved {
  readonly budget: RateLimitState;
  /** RATE_LIMITED: nothing was charged. OPERATION_TOO_COMPLEX: the cost exceeds any window; 1 was charged. */
  readonly error?: ApiError;
}

/**
 * Reserves the whole cost of a request in one atomic step.
 *
 * @param refusal a refusal that is already known: nothing is reserved then.
 */
export async function reserve(
  limiter: Limiter,
  subject: Subject,
  cost: number,
  refusal: RateLimitState | undefined,
): Promise<Reserved> {
  const limit = limiter.limitOf(subject);
  const budget = refusal ?? (await limiter.reserve(subject, cost <= limit ? cost : 1));
  if (!budget.admitted) {
    return { budget, error: new ApiError('RATE_LIMITED', describeRefusal(budget)) };
  }
  if (cost > limit) {
    const message = `The operation has ${cost} reads, allowed: at most ${limit}, the limit of this key`;
    return { budget, error: new ApiError('OPERATION_TOO_COMPLEX', message) };
  }
  return { budget };
}

function describeRefusal({ cost, remaining, limit, resetAt }: RateLimitState): string {
  const until = new Date(Math.ceil(resetAt / 1000) * 1000).toISOString().replace('.000', '');
  return `The request costs ${cost}, and ${remaining} of ${limit} are left until ${until}`;
}

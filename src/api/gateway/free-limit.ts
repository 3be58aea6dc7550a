import type { Counter } from '../../access/limits/counter.ts';
import type { Subject } from '../../access/limits/subject.ts';
import { ApiError, amount } from '../../lib/errors.ts';

/** What is free, but only so often in a minute. */
export interface FreeLimit {
  /** Of its windows, which are counted apart from all others. */
  readonly name: string;
  readonly limit: number;
  /** What is counted, in the plural. */
  readonly of: string;
}

/**
 * Counts a request that costs nothing.
 *
 * @param subject whose window counts.
 * @param now ms since 1970.
 * @throws ApiError RATE_LIMITED
 */
export async function countFree(
  counter: Counter,
  { name, limit, of }: FreeLimit,
  subject: Pick<Subject, 'name'>,
  now: () => number,
): Promise<void> {
  const { admitted, resetAt } = await counter.reserve(`${name}:${subject.name}`, 1, limit);
  if (!admitted) {
    const seconds = Math.max(1, Math.ceil((resetAt - now()) / 1_000));
    const message = `Rate limit exceeded: ${limit} ${of} a minute cost nothing. Retry in ${amount(seconds, 'second')}`;
    throw new ApiError('RATE_LIMITED', message, [], seconds);
  }
}

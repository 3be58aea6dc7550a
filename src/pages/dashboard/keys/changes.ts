import { ApiError } from '../../../errors.ts';
import type { Visitor } from '../auth.ts';
import type { Services } from '../services.ts';

/** Changes that an account may make in a minute: each is recorded, and makes every node look up its keys again. */
const CHANGES_PER_MINUTE = 30;

/**
 * Counts a change of a visitor's keys or documents.
 *
 * @throws ApiError RATE_LIMITED for an implausible number of changes.
 */
export async function spendChange(
  { counter }: Pick<Services, 'counter'>,
  { id }: Pick<Visitor, 'id'>,
): Promise<void> {
  const { admitted } = await counter.reserve(`dashboard:changes:${id}`, 1, CHANGES_PER_MINUTE);
  if (!admitted) {
    throw new ApiError('RATE_LIMITED', 'Too many changes in a minute. Wait a moment, then try again.');
  }
}

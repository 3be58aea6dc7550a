import { expect, it } from 'vitest';
import { createRecentlySeen } from '../src/recently-seen.ts';

it('knows what was told before, until something takes its place', () => {
  const isKnown = createRecentlySeen(4);
  expect([5, 5, 2, 5].map(isKnown)).toEqual([false, true, false, true]);
  expect([9, 5, 2].map(isKnown)).toEqual([false, false, true]);
  expect([2 ** 32 - 1, 2 ** 32 - 1].map(isKnown)).toEqual([false, true]);
});

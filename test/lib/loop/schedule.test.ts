import { expect, it } from 'vitest';
import { repeatDaily } from '../../../src/lib/loop/schedule.ts';
import { createTestClock } from '../../support/clock.ts';

const DAY_MS = 86_400_000;

it('repeats work a minute after the start and then daily, or ten minutes after a failure, until stopped', async () => {
  const clock = createTestClock(0);
  const errors: unknown[] = [];
  let runs = 0;
  let isFailing = false;
  const repetition = repeatDaily({
    ...clock,
    async work() {
      if (isFailing) {
        throw new Error('on purpose');
      }
      runs += 1;
    },
    onError: (error) => errors.push(error),
  });
  await clock.advance(59_000);
  expect(runs).toBe(0);
  await clock.advance(1_000);
  expect(runs).toBe(1);
  isFailing = true;
  await clock.advance(DAY_MS);
  expect([runs, errors]).toEqual([1, [new Error('on purpose')]]);
  isFailing = false;
  await clock.advance(599_000);
  expect(runs).toBe(1);
  await clock.advance(1_000);
  expect(runs).toBe(2);
  await repetition.stop();
  await clock.advance(DAY_MS);
  expect(runs).toBe(2);
});

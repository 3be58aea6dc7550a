import type { Schedule } from '../../src/lib/loop/schedule.ts';

/** A clock that moves only when a test advances it. */
export interface TestClock {
  /** ms since 1970. */
  readonly now: () => number;
  /** The same, as a clock for intervals. */
  readonly monotonic: () => number;
  readonly schedule: Schedule;
  /** Advances it by so many ms. Scheduled work runs in the order of its times, one after the other. */
  advance(ms: number): Promise<void>;
}

/** Creates a clock that stands still, by default at the current time. */
export function createTestClock(at = Date.now()): TestClock {
  let time = at;
  const pending = new Set<{ due: number; work: () => Promise<void> }>();
  return {
    now: () => time,
    monotonic: () => time,
    schedule(work, ms) {
      const piece = { due: time + ms, work };
      pending.add(piece);
      return () => pending.delete(piece);
    },
    async advance(ms) {
      const end = time + ms;
      for (;;) {
        const [next] = [...pending].filter(({ due }) => due <= end).sort((a, b) => a.due - b.due);
        if (next === undefined) {
          break;
        }
        pending.delete(next);
        time = Math.max(time, next.due);
        await next.work();
      }
      time = end;
    },
  };
}

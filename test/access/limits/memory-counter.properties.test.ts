import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMemoryCounter } from '../../../src/access/limits/memory-counter.ts';
import { WINDOW_MS } from '../../../src/access/limits/tiers.ts';

function setUp() {
  const clock = { at: 1_700_000_000_000 };
  return { clock, counter: createMemoryCounter(() => clock.at) };
}

describe('counting in memory', () => {
  it('holds at most the windows of two minutes under a steady stream of identities, and none after their end', () => {
    const { clock, counter } = setUp();
    let largest = 0;
    for (let second = 0; second < 600; second += 1) {
      for (let i = 0; i < 100; i += 1) {
        counter.reserve(`${second}-${i}`, 1, 10);
      }
      largest = Math.max(largest, counter.size);
      clock.at += 1000;
    }
    expect(largest).toBeLessThanOrEqual(12_000);
    clock.at += WINDOW_MS;
    counter.reserve('a', 1, 10);
    expect(counter.size).toBe(1);
  });

  it('rejects nobody for longer than a window when the clock is set back', () => {
    const { clock, counter } = setUp();
    counter.reserve('a', 10, 10);
    clock.at -= 3_600_000;
    expect(counter.reserve('a', 1, 10)).toMatchObject({ admitted: false, resetAt: clock.at + WINDOW_MS });
    clock.at += WINDOW_MS;
    expect(counter.reserve('a', 1, 10)).toMatchObject({ admitted: true, used: 1 });
  });

  it('agrees with a plain oracle', () => {
    const step = fc.record({
      wait: fc.oneof(fc.constant(0), fc.nat(20_000), fc.nat(200_000)),
      name: fc.constantFrom('a', 'b', 'c'),
      cost: fc.integer({ min: 1, max: 60 }),
      limit: fc.constantFrom(1, 10, 60, 100),
      peek: fc.boolean(),
    });
    // A name has windows of one length.
    const lengths: Readonly<Record<string, number>> = { a: WINDOW_MS, b: WINDOW_MS, c: 60 * WINDOW_MS };
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { clock, counter } = setUp();
        const windows = new Map<string, { opened: number; used: number }>();
        for (const { wait, name, cost, limit, peek } of steps) {
          clock.at += wait;
          const windowMs = lengths[name] ?? 0;
          const held = windows.get(name);
          const open =
            held !== undefined && clock.at < held.opened + windowMs ? held : { opened: clock.at, used: 0 };
          const resetAt = open.opened + windowMs;
          if (peek) {
            expect(counter.peek(name, limit, windowMs)).toEqual({ used: open.used, limit, resetAt });
            continue;
          }
          const admitted = open.used + cost <= limit;
          // A refusal takes 1 of what is left.
          const taken = admitted ? cost : Math.min(1, Math.max(0, limit - open.used));
          if (taken > 0) {
            open.used += taken;
            windows.set(name, open);
          }
          const expected = { admitted, used: open.used, limit, resetAt, taken };
          expect(counter.reserve(name, cost, limit, windowMs)).toEqual(expected);
        }
      }),
    );
  });
});

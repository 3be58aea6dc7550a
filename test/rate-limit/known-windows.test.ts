import { describe, expect, it } from 'vitest';
import { createKnownWindows } from '../../src/rate-limit/known-windows.ts';

describe('the windows that a node knows', () => {
  it('have the last reported state until they end', () => {
    const known = createKnownWindows();
    const epoch = known.beginEpoch();
    expect(known.find('a', 0)).toBeUndefined();
    known.note('a', { used: 1, resetAt: 1_000, epoch });
    known.note('a', { used: 2, resetAt: 1_000, epoch });
    expect(known.find('a', 999)).toEqual({ used: 2, resetAt: 1_000, epoch });
    expect(known.find('a', 1_000)).toBeUndefined();
  });

  it('are separate for each connection', () => {
    const known = createKnownWindows();
    const epoch = known.beginEpoch();
    known.note('a', { used: 1, resetAt: 1_000, epoch });
    expect(known.find('a', 0)?.epoch).not.toBe(known.beginEpoch());
  });

  it('never exceed the capacity', () => {
    const known = createKnownWindows(100);
    for (let i = 0; i < 1_000; i += 1) {
      known.note(`address:${i}`, { used: 1, resetAt: 1_000, epoch: 1 });
    }
    const found = Array.from({ length: 1_000 }, (_, i) => known.find(`address:${i}`, 0));
    expect(found.filter((window) => window !== undefined)).toHaveLength(100);
    expect(found.at(-1)).toBeDefined();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createBatches } from '../../src/db/batches.ts';

type Load = (keys: readonly string[]) => Promise<Map<string, string>>;

const valuesOf = (keys: readonly string[]): Map<string, string> =>
  new Map(keys.map((key) => [key, key.toUpperCase()]));

describe('look-ups in batches', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const open = (load: Load, spacing = 10) => createBatches({ load, size: 500, spacing });
  const answering = () => vi.fn<Load>(async (keys) => valuesOf(keys));

  it('asks for what one turn of the event loop asks for by one query, each key once', async () => {
    const load = answering();
    const batches = open(load, 0);
    const answers = Promise.all([batches.find(['a', 'b']), batches.find(['a'])]);
    await vi.advanceTimersByTimeAsync(0);
    expect(await answers).toEqual([['A', 'B'], ['A']]);
    expect(load.mock.calls).toEqual([[['a', 'b']]]);
  });

  it('has no value for what is not found', async () => {
    const answer = open(async () => new Map()).find(['a']);
    await vi.advanceTimersByTimeAsync(0);
    expect(await answer).toEqual([undefined]);
  });

  it('makes at most 100 queries a second of any number of look-ups, 10 ms apart', async () => {
    const load = answering();
    const batches = open(load);
    const answers: Promise<unknown>[] = [];
    for (let ms = 0; ms < 1000; ms += 1) {
      for (let i = 0; i < 20; i += 1) {
        answers.push(batches.find([`${ms}-${i}`]));
      }
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(load.mock.calls.length).toBeLessThanOrEqual(101);
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(answers)).toHaveLength(20_000);
  });

  it('keeps them apart by the clock, although a timer set late in a turn of the event loop is early', async () => {
    vi.useRealTimers();
    const begun: number[] = [];
    const batches = open(async (keys) => {
      begun.push(performance.now());
      return valuesOf(keys);
    });
    for (let i = 0; i < 20; i += 1) {
      const busyUntil = performance.now() + 5;
      while (performance.now() < busyUntil);
      await batches.find([String(i)]);
    }
    // Less what may pass between the start of the first and its being noted here.
    expect((begun.at(-1) ?? 0) - (begun[0] ?? 0)).toBeGreaterThan(19 * 10 - 5);
  });

  it('has at most two queries under way, of at most as many keys as it may', async () => {
    const release: (() => void)[] = [];
    const load = vi.fn<Load>((keys) => new Promise((resolve) => release.push(() => resolve(valuesOf(keys)))));
    const batches = open(load);
    const answers = batches.find(Array.from({ length: 2000 }, (_, i) => String(i)));
    await vi.advanceTimersByTimeAsync(1000);
    expect(load.mock.calls.map(([keys]) => keys.length)).toEqual([500, 500]);
    for (let i = 0; i < 4; i += 1) {
      release[i]?.();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect((await answers).every((found) => found !== undefined)).toBe(true);
    expect(load.mock.calls.map(([keys]) => keys.length)).toEqual([500, 500, 500, 500]);
  });

  it('asks once for a key that waits in whatever query', async () => {
    const load = vi.fn<Load>(async (keys) => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return valuesOf(keys);
    });
    const batches = createBatches({ load, size: 2, spacing: 0 });
    const answers = Promise.all(
      [['a', 'b'], ['c', 'd', 'e', 'f'], ['g', 'e', 'a'], ['e']].map((keys) => batches.find(keys)),
    );
    await vi.advanceTimersByTimeAsync(100);
    expect(await answers).toEqual([['A', 'B'], ['C', 'D', 'E', 'F'], ['G', 'E', 'A'], ['E']]);
    expect(load.mock.calls.map(([keys]) => keys.join(''))).toEqual(['ab', 'cd', 'ef', 'g']);
  });

  it('tells of a failure whoever waits for several queries, once', async () => {
    const load = vi.fn<Load>(async ([key]) => {
      await new Promise((resolve) => setTimeout(resolve, key === 'a' ? 20 : 5));
      throw new Error(`${key} is gone`);
    });
    const batches = createBatches({ load, size: 1, spacing: 0 });
    const answer = expect(batches.find(['a', 'b', 'c'])).rejects.toThrow('is gone');
    await vi.advanceTimersByTimeAsync(100);
    await answer;
    expect(load).toHaveBeenCalledTimes(2);
  });

  it('fails those in the queue with the query before them, and goes on with the next', async () => {
    const load = answering();
    load.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error('gone');
    });
    const batches = open(load);
    const before = batches.find(['a']);
    await vi.advanceTimersByTimeAsync(1);
    const answers = Promise.allSettled([before, batches.find(['b'])]);
    await vi.advanceTimersByTimeAsync(4);
    expect((await answers).map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
    const again = batches.find(['a']);
    await vi.advanceTimersByTimeAsync(10);
    expect(await again).toEqual(['A']);
  });

  it('does not share the answer of a query from before a change', async () => {
    let release = (_: Map<string, string>): void => {};
    const load = vi.fn<Load>(async () => new Map());
    load.mockImplementationOnce(() => new Promise((resolve) => (release = resolve)));
    const batches = open(load);
    const before = batches.find(['a']);
    await vi.advanceTimersByTimeAsync(0);
    batches.forget();
    const after = batches.find(['a']);
    // What waits begins after the change.
    batches.forget();
    const shared = batches.find(['a']);
    await vi.advanceTimersByTimeAsync(10);
    expect(await Promise.all([after, shared])).toEqual([[undefined], [undefined]]);
    expect(load).toHaveBeenCalledTimes(2);
    release(valuesOf(['a']));
    expect(await before).toEqual(['A']);
  });
});

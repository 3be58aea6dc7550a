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
    const answers = Promise.all([batches.find('a'), batches.find('b'), batches.find('a')]);
    await vi.advanceTimersByTimeAsync(0);
    expect(await answers).toEqual(['A', 'B', 'A']);
    expect(load.mock.calls).toEqual([[['a', 'b']]]);
  });

  it('has no value for what is not found', async () => {
    const answer = open(async () => new Map()).find('a');
    await vi.advanceTimersByTimeAsync(0);
    expect(await answer).toBeUndefined();
  });

  it('makes at most 100 queries a second of any number of look-ups, 10 ms apart', async () => {
    const load = answering();
    const batches = open(load);
    const answers: Promise<unknown>[] = [];
    for (let ms = 0; ms < 1000; ms += 1) {
      for (let i = 0; i < 20; i += 1) {
        answers.push(batches.find(`${ms}-${i}`));
      }
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(load.mock.calls.length).toBeLessThanOrEqual(101);
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(answers)).toHaveLength(20_000);
  });

  it('has at most two queries under way, of at most as many keys as it may', async () => {
    const release: (() => void)[] = [];
    const load = vi.fn<Load>((keys) => new Promise((resolve) => release.push(() => resolve(valuesOf(keys)))));
    const batches = open(load);
    const answers = Promise.all(Array.from({ length: 2000 }, (_, i) => batches.find(String(i))));
    await vi.advanceTimersByTimeAsync(1000);
    expect(load.mock.calls.map(([keys]) => keys.length)).toEqual([500, 500]);
    for (let i = 0; i < 4; i += 1) {
      release[i]?.();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect((await answers).every((found) => found !== undefined)).toBe(true);
    expect(load.mock.calls.map(([keys]) => keys.length)).toEqual([500, 500, 500, 500]);
  });

  it('fails those in the queue with the query before them, and goes on with the next', async () => {
    const load = answering();
    load.mockImplementationOnce(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      throw new Error('gone');
    });
    const batches = open(load);
    const before = batches.find('a');
    await vi.advanceTimersByTimeAsync(1);
    const answers = Promise.allSettled([before, batches.find('b')]);
    await vi.advanceTimersByTimeAsync(4);
    expect((await answers).map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
    const again = batches.find('a');
    await vi.advanceTimersByTimeAsync(10);
    expect(await again).toBe('A');
  });

  it('does not share the answer of a query from before a change', async () => {
    let release = (_: Map<string, string>): void => {};
    const load = vi.fn<Load>(async () => new Map());
    load.mockImplementationOnce(() => new Promise((resolve) => (release = resolve)));
    const batches = open(load);
    const before = batches.find('a');
    await vi.advanceTimersByTimeAsync(0);
    batches.forget();
    const after = batches.find('a');
    await vi.advanceTimersByTimeAsync(10);
    expect(await after).toBeUndefined();
    release(valuesOf(['a']));
    expect(await before).toBe('A');
  });
});

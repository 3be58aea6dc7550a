import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createLookupQueue, type Lookup } from '../../../src/access/keys/revision-cache.ts';

const recordOf = (hash: string): string => `key_${hash}`;
const recordsOf = (hashes: readonly string[]) => new Map(hashes.map((hash) => [hash, recordOf(hash)]));
const answering = () => vi.fn<Lookup<string>>(async (hashes) => recordsOf(hashes));
/** Answers each query when it is released. */
const holding = () => {
  const release: (() => void)[] = [];
  const lookup = vi.fn<Lookup<string>>(
    (hashes) => new Promise((resolve) => release.push(() => resolve(recordsOf(hashes)))),
  );
  return { lookup, release };
};
const open = (lookup: Lookup<string>, size = 500) => createLookupQueue(lookup, size);

describe('the queue of key look-ups', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('finds what waits at the same time by one query, which later callers share', async () => {
    const { lookup, release } = holding();
    const queue = open(lookup);
    const found = [queue.find('a'), queue.find('b'), queue.find('a')];
    await vi.advanceTimersByTimeAsync(20);
    found.push(queue.find('b'));
    release[0]?.();
    expect(await Promise.all(found)).toEqual(['a', 'b', 'a', 'b'].map(recordOf));
    expect(lookup.mock.calls).toEqual([[['a', 'b']]]);
  });

  it('makes at most 100 queries a second of any number of look-ups', async () => {
    const lookup = answering();
    const queue = open(lookup);
    const found: Promise<unknown>[] = [];
    for (let ms = 0; ms < 1000; ms += 1) {
      for (let i = 0; i < 20; i += 1) {
        found.push(queue.find(`${ms}-${i}`));
      }
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(lookup.mock.calls.length).toBeLessThanOrEqual(101);
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(found)).toHaveLength(20_000);
  });

  it('has at most two queries under way, of at most as many hashes as allowed', async () => {
    const { lookup, release } = holding();
    const queue = open(lookup);
    const found = Promise.all(Array.from({ length: 2000 }, (_, i) => queue.find(String(i))));
    await vi.advanceTimersByTimeAsync(1000);
    expect(lookup.mock.calls.map(([hashes]) => hashes.length)).toEqual([500, 500]);
    for (let i = 0; i < 4; i += 1) {
      release[i]?.();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect((await found).every((record) => record !== undefined)).toBe(true);
    expect(lookup.mock.calls.map(([hashes]) => hashes.length)).toEqual([500, 500, 500, 500]);
  });

  it('rejects what is queued together with the query before it, and continues with the next', async () => {
    const lookup = answering();
    let fail = (_: Error): void => {};
    lookup.mockImplementationOnce(() => new Promise((_, reject) => (fail = reject)));
    const queue = open(lookup, 1);
    const first = queue.find('a');
    await vi.advanceTimersByTimeAsync(1);
    const settled = Promise.allSettled([first, queue.find('b')]);
    fail(new Error('gone'));
    expect((await settled).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const again = queue.find('a');
    await vi.advanceTimersByTimeAsync(10);
    expect(await again).toEqual(recordOf('a'));
  });
});

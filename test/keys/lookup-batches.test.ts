import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { KeyRecord } from '../../src/keys/lookup.ts';
import { createLookupBatches } from '../../src/keys/lookup-batches.ts';

const record = (hash: string): KeyRecord => ({
  hash,
  id: `key_${hash}`,
  family: `key_${hash}`,
  name: hash,
  tier: 'standard',
  disabled: false,
  expiresAt: null,
  policyAccepted: true,
});

describe('look-ups in batches', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('asks at once after a pause, and shares one query for the same hash', async () => {
    const lookup = vi.fn(async (hashes: readonly string[]) => hashes.map(record));
    const batches = createLookupBatches(lookup);
    const answers = Promise.all([batches.find('a'), batches.find('a')]);
    expect(lookup.mock.calls).toEqual([[['a']]]);
    expect((await answers).map((found) => found?.id)).toEqual(['key_a', 'key_a']);
  });

  it('answers null for what is not found', async () => {
    const batches = createLookupBatches(async () => []);
    expect(await batches.find('a')).toBeNull();
  });

  it('makes at most 100 queries a second of any number of look-ups', async () => {
    const lookup = vi.fn(async (hashes: readonly string[]) => hashes.map(record));
    const batches = createLookupBatches(lookup);
    const answers: Promise<unknown>[] = [];
    for (let ms = 0; ms < 1000; ms += 1) {
      for (let i = 0; i < 20; i += 1) {
        answers.push(batches.find(`${ms}-${i}`));
      }
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(lookup.mock.calls.length).toBeLessThanOrEqual(101);
    await vi.advanceTimersByTimeAsync(100);
    expect(await Promise.all(answers)).toHaveLength(20_000);
  });

  it('has at most two queries under way, of at most 500 hashes', async () => {
    const release: (() => void)[] = [];
    const lookup = vi.fn(
      (hashes: readonly string[]) =>
        new Promise<KeyRecord[]>((resolve) => release.push(() => resolve(hashes.map(record)))),
    );
    const batches = createLookupBatches(lookup);
    const answers = Promise.all(Array.from({ length: 2000 }, (_, i) => batches.find(String(i))));
    await vi.advanceTimersByTimeAsync(1000);
    expect(lookup.mock.calls.map(([hashes]) => hashes.length)).toEqual([1, 500]);
    for (let i = 0; i < 5; i += 1) {
      release[i]?.();
      await vi.advanceTimersByTimeAsync(20);
    }
    expect((await answers).every((found) => found !== null)).toBe(true);
    expect(lookup.mock.calls.map(([hashes]) => hashes.length)).toEqual([1, 500, 500, 500, 499]);
  });

  it('fails those in the queue with the query before them, and goes on with the next', async () => {
    const lookup = vi.fn<(hashes: readonly string[]) => Promise<KeyRecord[]>>();
    lookup.mockRejectedValueOnce(new Error('gone'));
    lookup.mockImplementation(async (hashes) => hashes.map(record));
    const batches = createLookupBatches(lookup);
    const answers = await Promise.allSettled([batches.find('a'), batches.find('b')]);
    expect(answers.map((answer) => answer.status)).toEqual(['rejected', 'rejected']);
    const again = batches.find('a');
    await vi.advanceTimersByTimeAsync(10);
    expect((await again)?.id).toBe('key_a');
  });

  it('does not share the answer of a query from before a change', async () => {
    let release = (_: KeyRecord[]): void => {};
    const lookup = vi.fn<(hashes: readonly string[]) => Promise<KeyRecord[]>>();
    lookup.mockImplementationOnce(() => new Promise((resolve) => (release = resolve)));
    lookup.mockImplementation(async () => []);
    const batches = createLookupBatches(lookup);
    const before = batches.find('a');
    batches.forget();
    const after = batches.find('a');
    await vi.advanceTimersByTimeAsync(10);
    expect(await after).toBeNull();
    release([record('a')]);
    expect((await before)?.id).toBe('key_a');
  });
});

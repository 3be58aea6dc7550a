import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createUsageRecorder, type UsageRecorderOptions } from '../../../src/access/usage/recorder.ts';
import type { UsageCount } from '../../../src/access/usage/store.ts';

const START = Date.parse('2026-11-20T12:30:00.000Z');
const HOUR = Date.parse('2026-11-20T12:00:00.000Z');

function setUp(options: Partial<UsageRecorderOptions> = {}) {
  const stored: UsageCount[][] = [];
  const world = { down: false, errors: 0, stored };
  const recorder = createUsageRecorder({
    add: async (counts) => {
      if (world.down) {
        throw new Error('no database');
      }
      stored.push(counts.map((count) => ({ ...count })));
    },
    now: () => Date.now(),
    onError: () => {
      world.errors += 1;
    },
    ...options,
  });
  return { world, recorder };
}

describe('recording the use of keys', () => {
  beforeEach(() => {
    vi.useFakeTimers({ now: START });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('counts by key, hour, surface, status and duration, and stores it all at once every few seconds', async () => {
    const { world, recorder } = setUp();
    for (let i = 0; i < 1_000; i += 1) {
      recorder.record('key_1', 'rest', 200, 1);
    }
    await vi.advanceTimersByTimeAsync(1_000);
    recorder.record('key_1', 'rest', 429, 0.2);
    recorder.record('key_2', 'graphql', 200, 60_000);
    recorder.record('key_2', 'graphql', 200, 60_001);
    recorder.record('key_2', 'graphql', 200, 5_000);
    expect(world.stored).toEqual([]);
    await vi.advanceTimersByTimeAsync(5_000);
    const hour = { hour: HOUR, surface: 'rest', keyId: 'key_1' };
    expect(world.stored).toEqual([
      [
        { ...hour, status: 200, upTo: 1, requests: 1_000, lastUsedAt: START },
        { ...hour, status: 429, upTo: 0.5, requests: 1, lastUsedAt: START + 1_000 },
        expect.objectContaining({
          keyId: 'key_2',
          surface: 'graphql',
          upTo: Number.POSITIVE_INFINITY,
          requests: 2,
        }),
        expect.objectContaining({ keyId: 'key_2', surface: 'graphql', upTo: 5_000, requests: 1 }),
      ],
    ]);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(world.stored).toHaveLength(1);
    await recorder.close();
  });

  it('begins anew with each hour', async () => {
    const { world, recorder } = setUp({ intervalMs: 7_200_000 });
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(1_800_000);
    recorder.record('key_1', 'rest', 200, 1);
    await recorder.close();
    expect(world.stored[0]?.map(({ hour }) => hour - HOUR)).toEqual([0, 3_600_000]);
  });

  it('keeps what could not be stored, says so once, and adds it up', async () => {
    const { world, recorder } = setUp();
    world.down = true;
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(5_000);
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(20_000);
    expect([world.errors, recorder.pending]).toEqual([1, 1]);
    world.down = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(world.stored).toEqual([[expect.objectContaining({ requests: 2 })]]);
    expect(recorder.pending).toBe(0);
  });

  it('keeps no more than its capacity, and reports what it dropped', async () => {
    const { world, recorder } = setUp({ capacity: 10 });
    world.down = true;
    for (let i = 0; i < 1_000; i += 1) {
      recorder.record(`key_${i}`, 'rest', 200, 1);
      recorder.record('key_0', 'rest', 200, 1);
    }
    await vi.advanceTimersByTimeAsync(30_000);
    expect([recorder.pending, recorder.dropped]).toEqual([10, 990]);
    world.down = false;
    await recorder.close();
    expect(world.stored[0]?.[0]).toMatchObject({ keyId: 'key_0', requests: 1_001 });
  });

  it('stores much in statements of bounded size', async () => {
    const { world, recorder } = setUp();
    for (let i = 0; i < 5_000; i += 1) {
      recorder.record(`key_${i}`, 'rest', 200, 1);
    }
    await recorder.close();
    expect(world.stored.map(({ length }) => length)).toEqual(Array(10).fill(500));
  });

  it('stores what is left when it is closed, also of a store under way, and survives one that fails', async () => {
    let finish: () => void = () => {};
    const batches: number[] = [];
    const add = async (counts: readonly UsageCount[]): Promise<void> => {
      batches.push(counts.length);
      if (batches.length === 1) {
        await new Promise<void>((resolve) => {
          finish = resolve;
        });
      }
    };
    const { recorder } = setUp({ add });
    recorder.record('key_1', 'rest', 200, 1);
    await vi.advanceTimersByTimeAsync(5_000);
    recorder.record('key_2', 'rest', 200, 1);
    const closed = recorder.close();
    finish();
    await closed;
    expect(batches).toEqual([1, 1]);
    const failing = setUp();
    failing.world.down = true;
    failing.recorder.record('key_1', 'rest', 200, 1);
    await failing.recorder.close();
    expect(failing.world.errors).toBe(1);
  });
});

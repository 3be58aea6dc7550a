import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallError, within } from '../../src/rate-limit/redis-client.ts';

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('waiting for a call', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });

  it('settles with the call', async () => {
    expect(await within(100, Promise.resolve('done'))).toBe('done');
    await expect(within(100, Promise.reject(new TypeError('a mistake')))).rejects.toThrow('a mistake');
  });

  it('rejects when the time is over', async () => {
    let outcome: unknown;
    within(100, pause(200)).catch((error: unknown) => {
      outcome = error;
    });
    await vi.advanceTimersByTimeAsync(99);
    expect(outcome).toBeUndefined();
    await vi.advanceTimersByTimeAsync(101);
    expect(outcome).toEqual(new CallError('no answer within 100 ms'));
  });

  it('counts a turn of the event loop in which this process was busy as a quarter of the time', async () => {
    vi.useRealTimers();
    const answer = within(
      40,
      pause(80).then(() => 'in time'),
    );
    const end = performance.now() + 70;
    while (performance.now() < end);
    expect(await answer).toBe('in time');
    vi.useFakeTimers();
  });
});

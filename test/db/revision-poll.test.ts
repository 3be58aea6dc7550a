import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Database } from '../../src/db/open.ts';
import { pollRevisions } from '../../src/db/revisions.ts';

describe('the poll of revisions', () => {
  beforeEach(() => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
  });

  /** A poll of a database that may be down, and what it told. */
  function start() {
    const database = { isDown: false, dataset: 1 };
    const told: string[] = [];
    const query = async () => {
      if (database.isDown) {
        throw new Error('down');
      }
      return { rows: [{ name: 'dataset', value: String(database.dataset) }] };
    };
    const poll = pollRevisions({ query } as unknown as Database['pool'], Date.now, {
      revisions: ({ dataset, keys }) => told.push(`${dataset} ${keys}`),
      fault: (error) => told.push((error as Error).message),
      recovery: () => told.push('recovery'),
    });
    onTestFinished(() => poll.stop());
    return { database, told, poll };
  }

  it('notices a change within half a second', async () => {
    const { database, told } = start();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(new Set(told)).toEqual(new Set(['1 0']));
    database.dataset = 2;
    await vi.advanceTimersByTimeAsync(500);
    expect(told.at(-1)).toBe('2 0');
  });

  it('tells a failure once, and once that it is over, and goes on between', async () => {
    const { database, told, poll } = start();
    await vi.advanceTimersByTimeAsync(500);
    const before = Date.now();
    database.isDown = true;
    told.length = 0;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(told).toEqual(['down']);
    expect(poll.answeredAt).toBeLessThanOrEqual(before);
    database.isDown = false;
    await vi.advanceTimersByTimeAsync(500);
    expect(told.slice(0, 3)).toEqual(['down', '1 0', 'recovery']);
    expect(told.filter((text) => text === 'recovery')).toHaveLength(1);
    expect(poll.answeredAt).toBeGreaterThan(before + 5_000);
  });

  it('ends when it is told to', async () => {
    const { told, poll } = start();
    await vi.advanceTimersByTimeAsync(500);
    await poll.stop();
    const count = told.length;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(told).toHaveLength(count);
  });
});

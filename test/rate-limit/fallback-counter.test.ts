import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Bucket, Counter } from '../../src/rate-limit/counter.ts';
import { type FallbackCounter, openFallbackCounter } from '../../src/rate-limit/fallback-counter.ts';
import { createMemoryCounter, type MemoryCounter } from '../../src/rate-limit/memory-counter.ts';
import { type RemoteCounter, RemoteError } from '../../src/rate-limit/remote-counter.ts';

/** A counter elsewhere that can be broken and fixed, and that keeps its windows meanwhile. */
function createServer() {
  const windows = createMemoryCounter(Date.now);
  const server = {
    error: undefined as string | undefined,
    attempts: 0,
    asked: 0,
    open: 0,
    breakDown: (_reason: string) => {},
    async connect(): Promise<RemoteCounter> {
      server.attempts += 1;
      if (server.error !== undefined) {
        throw new RemoteError(server.error);
      }
      server.open += 1;
      let end: string | undefined;
      const down = new Promise<string>((resolve) => {
        server.breakDown = (reason) => {
          server.error = reason;
          end = reason;
          resolve(reason);
        };
      });
      const counter: Counter = {
        async reserve(...asked) {
          server.asked += 1;
          await new Promise((resolve) => setTimeout(resolve, 10));
          if (end !== undefined) {
            throw new RemoteError(end);
          }
          return windows.reserve(...asked);
        },
        async reserveAll(...asked) {
          server.asked += 1;
          await new Promise((resolve) => setTimeout(resolve, 10));
          if (end !== undefined) {
            throw new RemoteError(end);
          }
          return windows.reserveAll(...asked);
        },
        peek: (...asked) => windows.peek(...asked),
        findExhausted: (...asked) => windows.findExhausted(...asked),
      };
      return {
        counter,
        down,
        close: () => {
          server.open -= 1;
        },
      };
    },
  };
  return server;
}

let server: ReturnType<typeof createServer>;
let local: MemoryCounter;
let reported: [boolean, string][];
const opened: FallbackCounter[] = [];

async function open(nodes = 2): Promise<FallbackCounter> {
  const fallback = await openFallbackCounter({
    connect: () => server.connect(),
    local,
    nodes,
    onFallback: (active, reason) => reported.push([active, reason]),
  });
  opened.push(fallback);
  return fallback;
}

async function reserve({ counter }: FallbackCounter, cost: number, limit = 10) {
  const answer = Promise.resolve(counter.reserve('a', cost, limit));
  await vi.advanceTimersByTimeAsync(10);
  return answer;
}

async function joint({ counter }: FallbackCounter, buckets: readonly Bucket[], cost: number) {
  const answer = Promise.resolve(counter.reserveAll(buckets, cost));
  await vi.advanceTimersByTimeAsync(10);
  return answer;
}

beforeEach(() => {
  vi.useFakeTimers({ now: 1_700_000_000_000 });
  server = createServer();
  local = createMemoryCounter(Date.now);
  reported = [];
});

afterEach(() => {
  for (const fallback of opened.splice(0)) {
    fallback.close();
  }
  expect(vi.getTimerCount()).toBe(0);
  vi.useRealTimers();
});

describe('falling back to memory', () => {
  it('uses only the remote counter while it answers', async () => {
    const fallback = await open();
    expect(await reserve(fallback, 10)).toMatchObject({ admitted: true, used: 10, limit: 10 });
    expect(fallback.counter.findExhausted('a', 10)).toBeDefined();
    expect(fallback.counter.peek('a', 10)).toMatchObject({ used: 10 });
    expect(fallback.isActive()).toBe(false);
    expect(local.size).toBe(0);
    expect(reported).toEqual([]);
  });

  it('starts in memory, and reports it, if the remote counter does not answer at the start', async () => {
    server.error = 'ECONNREFUSED';
    const fallback = await open();
    expect(fallback.isActive()).toBe(true);
    expect(reported).toEqual([[true, 'ECONNREFUSED']]);
    expect(fallback.counter.reserve('a', 5, 10)).toMatchObject({ admitted: true, used: 5, limit: 5 });
  });

  it('answers pending and later requests from memory with a share of the limit', async () => {
    const fallback = await open();
    const inFlight = [1, 2, 3].map(async (cost) => fallback.counter.reserve('a', cost, 10));
    server.breakDown('no answer within 90 ms');
    await vi.advanceTimersByTimeAsync(10);
    expect(await Promise.all(inFlight)).toMatchObject([
      { admitted: true, used: 1, limit: 5 },
      { admitted: true, used: 3, limit: 5 },
      { admitted: false, used: 3, limit: 5 },
    ]);
    expect(server.asked).toBe(3);
    expect(fallback.counter.peek('a', 10)).toMatchObject({ used: 3, limit: 5 });
    expect(fallback.counter.reserve('a', 2, 10)).toMatchObject({ admitted: true, used: 5 });
    expect(fallback.counter.findExhausted('a', 10)).toBeDefined();
    expect(server.asked).toBe(3);
    expect(reported).toEqual([[true, 'no answer within 90 ms']]);
  });

  it.each([
    [1, 10],
    [3, 3],
    [10, 1],
    [100, 1],
  ])('gives each of %d nodes %d of 10', async (nodes, share) => {
    server.error = 'down';
    expect((await open(nodes)).counter.reserve('a', 1, 10)).toMatchObject({ admitted: true, limit: share });
  });

  it('reports the failure once, and the recovery once', async () => {
    const fallback = await open();
    server.breakDown('the connection was closed');
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reported).toEqual([[true, 'the connection was closed']]);
    server.error = undefined;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(reported.slice(1)).toEqual([[false, 'it answers again']]);
    expect(fallback.isActive()).toBe(false);
  });

  it('returns within 250 ms from a short failure and within 2 s from a long one', async () => {
    const fallback = await open();
    await vi.advanceTimersByTimeAsync(10_000);
    server.breakDown('down');
    server.error = undefined;
    await vi.advanceTimersByTimeAsync(250);
    expect(fallback.isActive()).toBe(false);
    server.breakDown('down');
    await vi.advanceTimersByTimeAsync(600_000);
    server.error = undefined;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(fallback.isActive()).toBe(false);
  });

  it('reconnects at most every 2 s while the remote counter keeps failing', async () => {
    await open();
    for (let second = 0; second < 60; second += 1) {
      server.breakDown('down');
      server.error = undefined;
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect(server.attempts).toBeLessThan(36);
  });

  it('admits no more than the limit and a share, however often counting switches between both', async () => {
    const fallback = await open();
    let admitted = 0;
    for (let i = 0; i < 50; i += 1) {
      if (fallback.isActive()) {
        server.error = undefined;
      } else if (i % 5 === 4) {
        server.breakDown('down');
      }
      for (let request = 0; request < 3; request += 1) {
        admitted += (await reserve(fallback, 1)).admitted ? 1 : 0;
      }
      await vi.advanceTimersByTimeAsync(900);
    }
    expect(admitted).toBe(15);
  });

  it('does not carry over requests that were counted in memory', async () => {
    const fallback = await open();
    server.breakDown('down');
    await vi.advanceTimersByTimeAsync(0);
    await reserve(fallback, 5);
    server.error = undefined;
    await vi.advanceTimersByTimeAsync(2_000);
    expect(server.asked).toBe(0);
    expect(await reserve(fallback, 1)).toMatchObject({ used: 1, limit: 10 });
  });

  it('lowers the limits of several windows alike', async () => {
    const fallback = await open();
    const buckets = [
      { identity: 'a', limit: 10 },
      { identity: 'b', limit: 7 },
    ];
    expect(await joint(fallback, buckets, 3)).toMatchObject({
      admitted: true,
      windows: [{ used: 3 }, { used: 3 }],
    });
    server.breakDown('down');
    await vi.advanceTimersByTimeAsync(0);
    expect(await joint(fallback, buckets, 3)).toMatchObject({
      admitted: true,
      windows: [
        { used: 3, limit: 5 },
        { used: 3, limit: 3 },
      ],
    });
    expect(await joint(fallback, buckets, 1)).toMatchObject({
      admitted: false,
      windows: [{ used: 3 }, { used: 3 }],
    });
  });

  it('answers from memory, at once, while an attempt at a new connection hangs', async () => {
    const fallback = await open();
    server.breakDown('down');
    server.connect = () => new Promise(() => {});
    await vi.advanceTimersByTimeAsync(60_000);
    expect(fallback.counter.reserve('a', 5, 10)).toMatchObject({ admitted: true, used: 5, limit: 5 });
    expect(fallback.counter.peek('a', 10)).toMatchObject({ used: 5, limit: 5 });
    expect(fallback.isActive()).toBe(true);
  });

  it('rethrows an error that is not from the remote counter', async () => {
    const remote = await server.connect();
    const counter = { ...remote.counter, reserve: () => Promise.reject(new TypeError('a mistake')) };
    server.connect = async () => ({ ...remote, counter });
    const fallback = await open();
    await expect(fallback.counter.reserve('a', 1, 10)).rejects.toThrow('a mistake');
  });

  it('closes a connection that opens after it was closed', async () => {
    server.error = 'down';
    const fallback = await open();
    server.error = undefined;
    vi.advanceTimersByTime(250);
    fallback.close();
    await vi.advanceTimersByTimeAsync(0);
    expect(server).toMatchObject({ attempts: 2, open: 0 });
    expect(reported).toEqual([[true, 'down']]);
  });
});

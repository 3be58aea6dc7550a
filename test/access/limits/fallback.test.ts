import { beforeEach, describe, expect, it } from 'vitest';
import { type Counter, isExhausted, type OpenedCounter } from '../../../src/access/limits/counter.ts';
import { createLimiter } from '../../../src/access/limits/limiter.ts';
import { openCounter } from '../../../src/access/limits/open-counter.ts';
import { keySubject } from '../../../src/access/limits/subject.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { type FakeRedis, startFakeRedis } from './fake-redis.ts';
import { PATIENT_MS } from './redis-server.ts';

let redis: FakeRedis;
let reported: [boolean, string][];

async function open(options: { timeoutMs?: number | undefined } = {}): Promise<OpenedCounter> {
  const node = await openCounter({
    redisUrl: redis.url,
    now: Date.now,
    onFallback: (active, reason) => reported.push([active, reason]),
    timeoutMs: PATIENT_MS,
    ...options,
  });
  closeAfterwards(node.close);
  return node;
}

const reserve = async (counter: Counter, cost: number) => counter.reserve('a', cost, 10);

/** Waits until the node counts in Redis or in memory. */
const counting = ({ state }: OpenedCounter, where: 'redis' | 'fallback') => expect.poll(state).toBe(where);

beforeEach(async () => {
  redis = await startFakeRedis();
  reported = [];
});

describe('falling back to memory', () => {
  it('uses only Redis while it answers', async () => {
    const { counter, state } = await open();
    expect(await reserve(counter, 10)).toMatchObject({ admitted: true, used: 10, limit: 10 });
    expect(isExhausted(counter.peek('a', 10))).toBe(true);
    expect(counter.peek('a', 10)).toMatchObject({ used: 10, limit: 10 });
    expect(redis.asked).toBe(1);
    expect(state()).toBe('redis');
    expect(reported).toEqual([]);
  });

  it('answers pending and later requests from memory', async () => {
    const { counter } = await open({ timeoutMs: undefined });
    redis.behaviour = 'hangs';
    expect(await Promise.all([1, 2, 8].map((cost) => reserve(counter, cost)))).toMatchObject([
      { admitted: true, used: 1, limit: 10 },
      { admitted: true, used: 3, limit: 10 },
      { admitted: false, used: 3, limit: 10 },
    ]);
    expect(counter.peek('a', 10)).toMatchObject({ used: 3, limit: 10 });
    expect(counter.reserve('a', 7, 10)).toMatchObject({ admitted: true, used: 10 });
    expect(isExhausted(counter.peek('a', 10))).toBe(true);
    expect(redis.asked).toBe(0);
    expect(reported).toEqual([[true, 'no answer within 90 ms']]);
  });

  it('admits what costs 3 of 10 on each of four nodes while Redis is away, up to the whole limit', async () => {
    redis.behaviour = 'closes';
    for (const { counter } of await Promise.all([open(), open(), open(), open()])) {
      const limiter = createLimiter({ counter, limits: { standard: 10, premium: 60 } });
      const owner = keySubject({ family: 'a', tier: 'standard', state: 'active' });
      const states = [];
      for (let request = 0; request < 4; request += 1) {
        states.push(await limiter.reserve(owner, 3));
      }
      expect(states.map(({ admitted, remaining }) => [admitted, remaining])).toEqual([
        [true, 7],
        [true, 4],
        [true, 1],
        [false, 1],
      ]);
    }
  });

  it('reports the failure once, and the recovery once', async () => {
    const node = await open();
    redis.behaviour = 'closes';
    redis.drop();
    await expect.poll(() => redis.connectedAt.length).toBeGreaterThanOrEqual(2);
    redis.behaviour = 'counts';
    await counting(node, 'redis');
    await reserve(node.counter, 1);
    await reserve(node.counter, 1);
    expect(reported).toEqual([
      [true, 'the connection was closed'],
      [false, 'it answers again'],
    ]);
  });

  it('admits no more than the limit in each of both, however often counting switches between both', async () => {
    const node = await open();
    let admitted = 0;
    for (const where of ['redis', 'fallback', 'redis', 'fallback', 'redis', 'fallback'] as const) {
      redis.behaviour = where === 'redis' ? 'counts' : 'refuses';
      if (where === 'fallback') {
        await node.counter.reserve('b', 1, 10);
      }
      await counting(node, where);
      for (let request = 0; request < 6; request += 1) {
        admitted += (await reserve(node.counter, 1)).admitted ? 1 : 0;
      }
    }
    expect(admitted).toBe(20);
    expect(reported[0]).toEqual([true, 'it refused: OOM']);
  });

  it('answers from memory, at once, while an attempt at a new connection hangs', async () => {
    const node = await open();
    redis.behaviour = 'hangs';
    redis.drop();
    await expect.poll(() => redis.connectedAt.length).toBeGreaterThanOrEqual(2);
    await expect.poll(() => redis.open).toBe(1);
    expect(node.counter.reserve('a', 5, 10)).toMatchObject({ admitted: true, used: 5, limit: 10 });
    expect(node.counter.peek('a', 10)).toMatchObject({ used: 5, limit: 10 });
    expect(node.state()).toBe('fallback');
  });

  it('answers from memory after it was closed, and closes its connection', async () => {
    const { counter, close } = await open();
    const pending = counter.reserve('a', 1, 10);
    close();
    expect(await pending).toMatchObject({ admitted: true, used: 1 });
    expect(counter.reserve('b', 5, 10)).toMatchObject({ admitted: true, used: 5, limit: 10 });
    await expect.poll(() => redis.open).toBe(0);
    expect(redis.connectedAt).toHaveLength(1);
    expect(reported).toEqual([]);
  });

  it('closes a connection that was being made when it was closed', async () => {
    redis.behaviour = 'closes';
    const { close } = await open();
    redis.behaviour = 'hangs';
    await expect.poll(() => redis.open).toBe(1);
    close();
    await expect.poll(() => redis.open).toBe(0);
    expect(redis.connectedAt.length).toBeGreaterThanOrEqual(2);
    expect(reported).toEqual([[true, 'the connection was closed']]);
  });
});

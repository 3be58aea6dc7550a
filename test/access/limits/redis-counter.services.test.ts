import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { Redis } from 'ioredis';
import { afterAll, afterEach, expect, it } from 'vitest';
import { type Counter, isExhausted } from '../../../src/access/limits/counter.ts';
import { createMemoryCounter } from '../../../src/access/limits/memory-counter.ts';
import { openCounter } from '../../../src/access/limits/open-counter.ts';
import { closeAfterwards } from '../../support/closing.ts';
import { onRedis } from '../../support/only.ts';
import { PATIENT_MS, sharedRedisUrl } from './redis-server.ts';

onRedis.describe('counting in Redis', () => {
  const url = sharedRedisUrl ?? '';
  const prefix = `revgate-test:${randomUUID()}:`;
  const redis = new Redis(url, { lazyConnect: true });

  afterEach(async () => {
    const keys = await redis.keys(`${prefix}*`);
    await Promise.all(keys.map((key) => redis.del(key)));
  });

  afterAll(() => redis.disconnect());

  /** A node's counter. That it falls back is an error here. */
  async function openNode(): Promise<Counter> {
    const onFallback = (_active: boolean, reason: string): never => {
      throw new Error(`It fell back: ${reason}`);
    };
    const settings = { redisUrl: url, now: Date.now, prefix, timeoutMs: PATIENT_MS };
    const { counter, state, close } = await openCounter({ ...settings, onFallback });
    closeAfterwards(close);
    expect(state()).toBe('redis');
    return counter;
  }

  /** Redis's clock, in ms since 1970. */
  async function redisTime(): Promise<number> {
    const [seconds, micros] = await redis.time();
    return Number(seconds) * 1000 + Math.floor(Number(micros) / 1000);
  }

  it('lasts 60 s, or as long as it is asked for, under the key of the name, and nothing else is kept', async () => {
    const counter = await openNode();
    const { resetAt } = await counter.reserve('key:42', 1, 10);
    expect(await redis.keys(`${prefix}*`)).toEqual([`${prefix}key:42`]);
    expect(await redis.pexpiretime(`${prefix}key:42`)).toBe(resetAt);
    await counter.reserveAll(
      ['{a}', '{a}b'].map((name, i) => ({ name, limit: 1, windowMs: 1e6 * (i + 1) })),
      1,
    );
    expect(await redis.pttl(`${prefix}{a}`)).toBeLessThanOrEqual(1_000_000);
    expect(await redis.pttl(`${prefix}{a}b`)).toBeGreaterThan(1_900_000);
  });

  it('states what all nodes used for a cost of 0, which opens no window, is taken of none, and always fits', async () => {
    const [one, other] = [await openNode(), await openNode()];
    expect(await one.reserve('a', 0, 10)).toMatchObject({ admitted: true, used: 0 });
    expect(await redis.keys(`${prefix}*`)).toEqual([]);
    const { resetAt } = await other.reserve('a', 4, 10);
    expect(await one.reserve('a', 0, 10)).toMatchObject({ admitted: true, used: 4, taken: 0, resetAt });
    await other.reserve('a', 6, 10);
    expect(await one.reserve('a', 0, 10)).toMatchObject({ admitted: true, used: 10, taken: 0, resetAt });
    expect(await other.reserve('a', 0, 10)).toMatchObject({ admitted: true, used: 10, taken: 0, resetAt });
  });

  it('ends a window at the stated time, keeps nothing of it or of refused requests, then calls again', async () => {
    const counter = await openNode();
    await Promise.all(Array.from({ length: 200 }, (_, i) => counter.reserve(`address:${i}`, 1, 10, 100)));
    const first = await counter.reserve('a', 10, 10, 100);
    const refused = await counter.reserveAll([{ name: 'b', limit: 10 }], 11);
    expect(refused).toMatchObject({ admitted: false, used: 0, taken: 0 });
    await expect.poll(() => redis.keys(`${prefix}*`)).toEqual([]);
    expect(await redisTime()).toBeGreaterThanOrEqual(first.resetAt);
    await expect.poll(() => isExhausted(counter.peek('a', 10))).toBe(false);
    const second = await counter.reserve('a', 1, 10, 100);
    expect(second).toMatchObject({ admitted: true, used: 1 });
    expect(second.resetAt).toBeGreaterThanOrEqual(first.resetAt + 100);
  });

  it('admits exactly the limit of 1,000 parallel requests to two nodes, which agree on the window', async () => {
    const nodes = [await openNode(), await openNode()];
    const storm = Array.from({ length: 1000 }, async (_, i) => nodes[i % 2]?.reserve('a', 1, 60));
    const answers = await Promise.all(storm);
    const admitted = answers.filter((answer) => answer?.admitted).map((answer) => answer?.used ?? 0);
    expect(admitted.sort((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(new Set(answers.map((answer) => answer?.resetAt)).size).toBe(1);
    const [one, other] = nodes.map((node) => node.peek('a', 60));
    expect(one).toEqual({ used: 60, limit: 60, resetAt: answers[0]?.resetAt });
    expect(other).toEqual(one);
  });

  it('knows without a call that nothing is left, once it was told', async () => {
    const [one, other] = [await openNode(), await openNode()];
    expect(isExhausted(one.peek('a', 10))).toBe(false);
    const { resetAt } = await one.reserve('a', 10, 10);
    expect(one.peek('a', 10)).toEqual({ used: 10, limit: 10, resetAt });
    expect(isExhausted(one.peek('a', 60))).toBe(false);
    expect(isExhausted(other.peek('a', 10))).toBe(false);
    const refused = { admitted: false, used: 10, limit: 10, resetAt, taken: 0 };
    expect(await other.reserve('a', 1, 10)).toEqual(refused);
    expect(other.peek('a', 10)).toMatchObject({ used: 10 });
  });

  it('continues when the server forgets its scripts', async () => {
    const counter = await openNode();
    await counter.reserve('a', 1, 60);
    await redis.script('FLUSH');
    const answers = await Promise.all(Array.from({ length: 100 }, () => counter.reserve('a', 1, 60)));
    expect(answers.filter((answer) => answer.admitted)).toHaveLength(59);
  });

  it('rejects nobody for longer than a window when the clock is set back', async () => {
    const far = (await redisTime()) + 3_600_000;
    await redis.hset(`${prefix}a`, { used: 10, resetAt: far });
    await redis.pexpireat(`${prefix}a`, far);
    const counter = await openNode();
    const { admitted, resetAt } = await counter.reserve('a', 1, 10);
    expect(admitted).toBe(false);
    expect(resetAt).toBeLessThanOrEqual(far - 3_500_000);
    expect(await redis.pttl(`${prefix}a`)).toBeLessThanOrEqual(60_000);
  });

  it('keeps the last answer about the 20,000 most recent windows only', async () => {
    const counter = await openNode();
    for (let i = 0; i <= 20_000; i += 500) {
      const identities = Array.from({ length: 500 }, (_, j) => `address:${i + j}`);
      await Promise.all(identities.map((name) => counter.reserve(name, 1, 1)));
    }
    expect(isExhausted(counter.peek('address:0', 1))).toBe(false);
    expect(isExhausted(counter.peek('address:20000', 1))).toBe(true);
  });

  it('equals counting in memory for any sequence of requests', async () => {
    const counter = await openNode();
    const step = fc.record({
      name: fc.constantFrom('a', 'b', 'c'),
      cost: fc.integer({ min: 1, max: 60 }),
      limit: fc.constantFrom(1, 10, 60, 100),
      peek: fc.boolean(),
    });
    let run = 0;
    const steps = fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      run += 1;
      const memory = createMemoryCounter(() => 0);
      for (const { name, cost, limit, peek } of steps) {
        const own = `${run}:${name}`;
        const expected = peek ? memory.peek(own, limit) : memory.reserve(own, cost, limit);
        const found = await (peek ? counter.peek(own, limit) : counter.reserve(own, cost, limit));
        expect({ ...found, resetAt: 0 }).toEqual({ ...expected, resetAt: 0 });
      }
    });
    await fc.assert(steps, { numRuns: 50 });
  });

  it('reserves of two windows the whole cost or nothing, exactly, on two nodes', async () => {
    const nodes = [await openNode(), await openNode()];
    const common = { name: 'embed:{k}', limit: 25 };
    const own = (client: number) => ({ name: `embed:{k}:${client}`, limit: 10 });
    // Four clients, each with room for 10, of whom all together may have 25.
    const answers = await Promise.all(
      Array.from({ length: 200 }, async (_, i) => nodes[i % 2]?.reserveAll([own(i % 4), common], 1)),
    );
    expect(answers.filter((answer) => answer?.admitted)).toHaveLength(25);
    const [counter] = nodes as [Counter];
    // What is refused here takes nothing, and says what is used.
    expect((await counter.reserve(common.name, 26, 25)).used).toBe(25);
    const each = await Promise.all([0, 1, 2, 3].map((client) => counter.reserveAll([own(client)], 11)));
    expect(each.reduce((sum, { used }) => sum + used, 0)).toBe(25);
    expect(each.every(({ used }) => used <= 10)).toBe(true);
  });

  it('charges a refusal to the window that pays for it, as in memory, and knows that nothing is left', async () => {
    const counter = await openNode();
    const memory = createMemoryCounter(() => 0);
    const buckets = [
      { name: 'embed:{k}:1', limit: 10, isChargedForRefusals: true },
      { name: 'embed:{k}', limit: 12 },
    ];
    for (const cost of [9, 4, 4, 1]) {
      const expected = memory.reserveAll(buckets, cost);
      const found = await counter.reserveAll(buckets, cost);
      expect({ ...found, resetAt: 0 }).toEqual({ ...expected, resetAt: 0 });
    }
    expect(isExhausted(counter.peek('embed:{k}:1', 10))).toBe(true);
    expect(counter.peek('embed:{k}', 12).used).toBe(9);
  });
});

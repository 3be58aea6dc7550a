import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import type { Counter, Reservation } from '../../src/rate-limit/counter.ts';
import { openCounter } from '../../src/rate-limit/open-counter.ts';
import { type RedisServer, sharedRedisUrl, startRedis, until } from './redis-server.ts';

/** ms that a busy machine may add to the 100 that are promised. */
const SLACK_MS = 50;

describe.skipIf(sharedRedisUrl === undefined)('when Redis fails', () => {
  const closing: (() => Promise<void> | void)[] = [];

  afterEach(async () => {
    for (const close of closing.splice(0).reverse()) {
      await close();
    }
  });

  async function start(...settings: string[]): Promise<RedisServer> {
    const server = await startRedis(...settings);
    closing.push(server.kill);
    return server;
  }

  async function openNode(redisUrl: string, nodes = 2) {
    const told: [boolean, string][] = [];
    const { counter, state, close } = await openCounter({
      redisUrl,
      nodes,
      now: Date.now,
      onFallback: (active, reason) => told.push([active, reason]),
    });
    closing.push(close);
    return { counter, state, told };
  }

  async function connect(url: string): Promise<Redis> {
    const redis = new Redis(url);
    redis.on('error', () => {});
    closing.push(() => redis.disconnect());
    return redis;
  }

  async function timed(counter: Counter, identity: string, cost: number, limit: number) {
    const begun = performance.now();
    const answer: Reservation = await counter.reserve(identity, cost, limit);
    return { ...answer, begun, wait: performance.now() - begun };
  }

  /** Twenty clients that ask without end. */
  function load(counter: Counter, identity: (client: number, turn: number) => string, limit: number) {
    const answers: Awaited<ReturnType<typeof timed>>[] = [];
    let isOver = false;
    const clients = Array.from({ length: 20 }, async (_, client) => {
      for (let turn = 0; !isOver; turn += 1) {
        answers.push(await timed(counter, identity(client, turn), 1, limit));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
    return {
      answers,
      async stop() {
        isOver = true;
        await Promise.all(clients);
        return answers;
      },
    };
  }

  const longest = (answers: readonly { wait: number }[]) => Math.max(0, ...answers.map(({ wait }) => wait));

  it('goes on under load while it is killed and restarted, and says so once each', async () => {
    const server = await start();
    const { counter, state, told } = await openNode(server.url);
    const traffic = load(counter, (client, turn) => `key:${client}-${turn % 50}`, 1_000_000);
    await until(() => traffic.answers.length > 500);
    await server.kill();
    await until(() => state() === 'fallback');
    const before = traffic.answers.length;
    await until(() => traffic.answers.length > before + 1_000);
    expect(traffic.answers.at(-1)?.limit).toBe(500_000);
    await server.start();
    await until(() => state() === 'redis');
    await until(() => traffic.answers.at(-1)?.limit === 1_000_000);
    const answers = await traffic.stop();
    expect(told).toEqual([
      [true, expect.stringMatching(/closed|ECONNRESET|EPIPE/)],
      [false, 'it answers again'],
    ]);
    expect(answers.every(({ admitted }) => admitted)).toBe(true);
    expect(longest(answers)).toBeLessThan(100 + SLACK_MS);
  });

  it('admits no more than the limit and a share while it is killed and comes back empty', async () => {
    const server = await start();
    const { counter, state } = await openNode(server.url, 4);
    const early = await Promise.all(Array.from({ length: 30 }, () => timed(counter, 'key:1', 1, 60)));
    expect(early.every(({ admitted }) => admitted)).toBe(true);
    const { resetAt } = early[0] ?? {};
    await server.kill();
    await until(() => state() === 'fallback');
    const meanwhile = await Promise.all(Array.from({ length: 100 }, () => timed(counter, 'key:1', 1, 60)));
    expect(meanwhile.filter(({ admitted }) => admitted)).toHaveLength(15);
    await server.start();
    await until(() => state() === 'redis');
    const late = await Promise.all(Array.from({ length: 100 }, () => timed(counter, 'key:1', 1, 60)));
    expect(late.filter(({ admitted }) => admitted)).toHaveLength(30);
    expect(new Set(late.map((answer) => answer.resetAt))).toEqual(new Set([resetAt]));
  });

  it('waits for a server that hangs at first only, and never for more than 100 ms', async () => {
    const server = await start();
    const { counter, state, told } = await openNode(server.url);
    const traffic = load(counter, (client) => `key:${client}`, 1_000_000);
    await until(() => traffic.answers.length > 200);
    server.pause();
    await until(() => state() === 'fallback');
    const fellBackAt = performance.now();
    // Longer than an attempt at a new connection takes, which hangs as well.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    expect(state()).toBe('fallback');
    const answers = await traffic.stop();
    expect(longest(answers)).toBeLessThan(100 + SLACK_MS);
    const after = answers.filter(({ begun }) => begun > fellBackAt);
    expect(after.length).toBeGreaterThan(1_000);
    expect(after.every(({ limit }) => limit === 500_000)).toBe(true);
    expect(longest(after)).toBeLessThan(SLACK_MS);
    server.resume();
    await until(() => state() === 'redis');
    expect(told).toEqual([
      [true, 'no answer within 90 ms'],
      [false, 'it answers again'],
    ]);
  });

  it('is not charged, once the server goes on, for what was answered from memory meanwhile', async () => {
    const server = await start();
    const { counter, state } = await openNode(server.url);
    await counter.reserve('key:1', 1, 60);
    server.pause();
    const meanwhile = await Promise.all(Array.from({ length: 20 }, () => timed(counter, 'key:1', 1, 60)));
    expect(meanwhile.at(-1)).toMatchObject({ admitted: true, used: 20, limit: 30 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    server.resume();
    await until(() => state() === 'redis');
    expect(await counter.peek('key:1', 60)).toMatchObject({ used: 1, limit: 60 });
  });

  it('falls back while the server is out of memory, and returns when there is room again', async () => {
    const server = await start('--maxmemory-policy', 'noeviction');
    const { counter, state, told } = await openNode(server.url);
    await counter.reserve('key:1', 1, 10);
    const redis = await connect(server.url);
    await redis.set('ballast', 'x'.repeat(8_000_000));
    await redis.config('SET', 'maxmemory', '4mb');
    expect(await timed(counter, 'key:1', 1, 10)).toMatchObject({ admitted: true, used: 1, limit: 5 });
    expect(state()).toBe('fallback');
    await new Promise((resolve) => setTimeout(resolve, 600));
    expect(state()).toBe('fallback');
    expect(told).toEqual([[true, 'it refused: OOM']]);
    await redis.del('ballast');
    await until(() => state() === 'redis');
    expect(await counter.reserve('key:1', 1, 10)).toMatchObject({ admitted: true, used: 2, limit: 10 });
  });

  it('begins in memory without it, and goes over to it when it comes up', async () => {
    const server = await start();
    await server.kill();
    const { counter, state, told } = await openNode(server.url);
    expect(state()).toBe('fallback');
    expect(await counter.reserve('key:1', 1, 10)).toMatchObject({ admitted: true, limit: 5 });
    await server.start();
    await until(() => state() === 'redis');
    expect(told).toEqual([
      [true, 'ECONNREFUSED'],
      [false, 'it answers again'],
    ]);
  });

  it('is let in by its password, and tells none when it is refused', async () => {
    const server = await start('--requirepass', 'c0rrect/horse');
    const [right, wrong, none] = await Promise.all(
      [':c0rrect%2Fhorse@', ':wr0ng@', ''].map((auth) => openNode(server.url.replace('//', `//${auth}`))),
    );
    expect([right, wrong, none].map((node) => node?.state())).toEqual(['redis', 'fallback', 'fallback']);
    expect(wrong?.told).toEqual([[true, 'it refused: WRONGPASS']]);
    expect(none?.told).toEqual([[true, 'it refused: NOAUTH']]);
  });

  it('does not count in another database than it was told', async () => {
    const server = await start();
    const { state, told } = await openNode(`${server.url}/99`);
    expect(state()).toBe('fallback');
    expect(told).toEqual([[true, 'it refused: ERR']]);
  });

  it('does not fall back because this process was busy itself', async () => {
    const server = await start();
    const { counter, state, told } = await openNode(server.url);
    for (let i = 0; i < 5; i += 1) {
      const answers = Promise.all(Array.from({ length: 200 }, () => timed(counter, 'key:1', 1, 1_000_000)));
      const end = performance.now() + 150;
      while (performance.now() < end);
      expect((await answers).every(({ limit }) => limit === 1_000_000)).toBe(true);
    }
    expect(state()).toBe('redis');
    expect(told).toEqual([]);
  });
});

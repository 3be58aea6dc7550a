import { Redis } from 'ioredis';
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Counter, Reservation } from '../../../src/access/limits/counter.ts';
import { openCounter } from '../../../src/access/limits/open-counter.ts';
import { onRedis } from '../../support/only.ts';
import { PATIENT_MS, startRedis } from './redis-server.ts';

/** Waits are counted in ticks of this process, since it may be kept waiting itself. */
const TICK_MS = 10;
/** The wait for Redis that the server has. */
const TIMEOUT_MS = 90;
/** Within 100 ms, as promised, and what was begun before a tick and ends after one. */
const MOST_TICKS = 12;

onRedis.describe('when Redis fails', () => {
  let ticks = 0;
  beforeEach(() => {
    const ticker = setInterval(() => {
      ticks += 1;
    }, TICK_MS);
    onTestFinished(() => clearInterval(ticker));
  });

  /** Waits until something is so. */
  const until = (isSo: () => boolean) => expect.poll(isSo).toBe(true);

  async function openNode(redisUrl: string, { timeoutMs = PATIENT_MS }: { timeoutMs?: number } = {}) {
    const reported: [boolean, string][] = [];
    const { counter, state, close } = await openCounter({
      redisUrl,
      now: Date.now,
      onFallback: (active, reason) => reported.push([active, reason]),
      timeoutMs,
    });
    onTestFinished(close);
    return { counter, state, reported };
  }

  async function connect(url: string): Promise<Redis> {
    const redis = new Redis(url);
    redis.on('error', () => {});
    onTestFinished(() => redis.disconnect());
    return redis;
  }

  /** A reservation, and how many ticks it waited for; undefined where it was there at once. */
  async function timed(counter: Counter, name: string, cost: number, limit: number) {
    const begun = ticks;
    const asked = counter.reserve(name, cost, limit);
    const answer: Reservation = await asked;
    return { ...answer, wait: asked instanceof Promise ? ticks - begun : undefined };
  }

  /** Twenty clients that ask without end, each a moment after its last answer. */
  function load(counter: Counter, name: (client: number, turn: number) => string, limit: number) {
    const answers: Awaited<ReturnType<typeof timed>>[] = [];
    let isOver = false;
    const clients = Array.from({ length: 20 }, async (_, client) => {
      for (let turn = 0; !isOver; turn += 1) {
        answers.push(await timed(counter, name(client, turn), 1, limit));
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

  /** After a fall back, how many answers there are up to the last that was waited for. */
  async function countOfWaiting(answers: readonly { wait: number | undefined }[]): Promise<number> {
    // Each of twenty clients waits for one at most.
    await until(() => answers.slice(-20).every(({ wait }) => wait === undefined));
    return answers.length;
  }

  const longest = (answers: readonly { wait: number | undefined }[]) =>
    Math.max(0, ...answers.map(({ wait }) => wait ?? 0));

  it('continues under load while it is killed and restarted, and says so once each', async () => {
    const server = await startRedis();
    const { counter, state, reported } = await openNode(server.url);
    const traffic = load(counter, (client, turn) => `key:${client}-${turn % 50}`, 1_000_000);
    await until(() => traffic.answers.length > 500);
    await server.kill();
    await until(() => state() === 'fallback');
    const before = await countOfWaiting(traffic.answers);
    await until(() => traffic.answers.length > before + 1_000);
    expect(traffic.answers.slice(before).every(({ wait }) => wait === undefined)).toBe(true);
    await server.start();
    await until(() => state() === 'redis');
    await until(() => traffic.answers.at(-1)?.wait !== undefined);
    const answers = await traffic.stop();
    expect(reported).toEqual([
      [true, expect.stringMatching(/closed|ECONNRESET|EPIPE/)],
      [false, 'it answers again'],
    ]);
    expect(answers.every(({ admitted }) => admitted)).toBe(true);
  });

  it('admits no more than the limit before, while and after it is killed and comes back empty', async () => {
    const server = await startRedis();
    const { counter, state } = await openNode(server.url);
    const storm = async () => {
      const answers = await Promise.all(Array.from({ length: 100 }, () => timed(counter, 'key:1', 1, 60)));
      return answers.filter(({ admitted }) => admitted).length;
    };
    expect(await storm()).toBe(60);
    await server.kill();
    await until(() => state() === 'fallback');
    expect(await storm()).toBe(60);
    await server.start();
    await until(() => state() === 'redis');
    expect(await storm()).toBe(60);
  });

  it('waits for a server that hangs at first only, and never for more than 100 ms', async () => {
    const server = await startRedis();
    const { counter, state, reported } = await openNode(server.url, { timeoutMs: TIMEOUT_MS });
    const traffic = load(counter, (client) => `key:${client}`, 1_000_000);
    await until(() => traffic.answers.length > 200);
    // A slow machine may have fallen back before.
    await until(() => state() === 'redis');
    reported.length = 0;
    server.pause();
    await until(() => state() === 'fallback');
    const before = await countOfWaiting(traffic.answers);
    await until(() => traffic.answers.length > before + 1_000);
    expect(state()).toBe('fallback');
    const answers = await traffic.stop();
    expect(longest(answers)).toBeLessThanOrEqual(MOST_TICKS);
    expect(answers.slice(before).every(({ wait }) => wait === undefined)).toBe(true);
    server.resume();
    await until(() => state() === 'redis');
    await counter.reserve('key:1', 1, 1_000_000);
    expect(reported.slice(0, 2)).toEqual([
      [true, 'no answer within 90 ms'],
      [false, 'it answers again'],
    ]);
  });

  it('falls back while the server is out of memory, and returns when there is room again', async () => {
    const server = await startRedis('--maxmemory-policy', 'noeviction');
    const { counter, state, reported } = await openNode(server.url);
    await counter.reserve('key:1', 1, 10);
    const redis = await connect(server.url);
    await redis.set('ballast', 'x'.repeat(8_000_000));
    await redis.config('SET', 'maxmemory', '4mb');
    const connections = async () =>
      Number(/total_connections_received:(\d+)/.exec(await redis.info('stats'))?.[1]);
    const before = await connections();
    const failing = timed(counter, 'key:1', 1, 10);
    expect(await failing).toMatchObject({ admitted: true, used: 1, limit: 10 });
    expect(state()).toBe('fallback');
    // A new connection answers until it has to count.
    await expect.poll(connections).toBeGreaterThan(before);
    expect(await timed(counter, 'key:1', 1, 10)).toMatchObject({ admitted: true, used: 2, limit: 10 });
    expect(reported).toEqual([[true, 'it refused: OOM']]);
    await redis.del('ballast');
    await until(() => state() === 'redis');
    expect(await counter.reserve('key:1', 1, 10)).toMatchObject({ admitted: true, used: 2, limit: 10 });
    expect(reported.at(-1)).toEqual([false, 'it answers again']);
  });

  it('counts in memory at first, and switches to Redis when it starts', async () => {
    const server = await startRedis();
    await server.kill();
    const { counter, state, reported } = await openNode(server.url);
    expect(state()).toBe('fallback');
    expect(await counter.reserve('key:1', 1, 10)).toMatchObject({ admitted: true, used: 1 });
    await server.start();
    await until(() => state() === 'redis');
    expect(await counter.reserve('key:1', 2, 10)).toMatchObject({ admitted: true, used: 2 });
    expect(reported).toEqual([
      [true, 'ECONNREFUSED'],
      [false, 'it answers again'],
    ]);
  });

  it('connects with its password, and does not print a rejected one', async () => {
    const server = await startRedis('--requirepass', 'c0rrect/horse');
    const [right, wrong, none] = await Promise.all(
      [':c0rrect%2Fhorse@', ':wr0ng@', ''].map((auth) => openNode(server.url.replace('//', `//${auth}`))),
    );
    expect([right, wrong, none].map((node) => node?.state())).toEqual(['redis', 'fallback', 'fallback']);
    expect(wrong?.reported).toEqual([[true, 'it refused: WRONGPASS']]);
    expect(none?.reported).toEqual([[true, 'it refused: NOAUTH']]);
  });

  it('does not count in another database than configured', async () => {
    const server = await startRedis();
    const { state, reported } = await openNode(`${server.url}/99`);
    expect(state()).toBe('fallback');
    expect(reported).toEqual([[true, 'it refused: ERR']]);
  });

  it('does not fall back because this process was busy itself', async () => {
    const server = await startRedis();
    const { counter, state, reported } = await openNode(server.url, { timeoutMs: 500 });
    const answers = Promise.all(Array.from({ length: 200 }, () => timed(counter, 'key:1', 1, 1_000_000)));
    const end = performance.now() + 600;
    while (performance.now() < end);
    expect((await answers).every(({ limit }) => limit === 1_000_000)).toBe(true);
    expect(state()).toBe('redis');
    expect(reported).toEqual([]);
  });
});

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
    return { counter, state, reported, close };
  }

  /** A reservation, and how many ticks it waited for; undefined where it was there at once. */
  async function timed(counter: Counter, name: string, cost: number, limit: number) {
    const begun = ticks;
    const asked = counter.reserve(name, cost, limit);
    const answer: Reservation = await asked;
    return { ...answer, wait: asked instanceof Promise ? ticks - begun : undefined };
  }

  /** Twenty clients that ask without end, each a moment after its last answer. */
  function load(counter: Counter) {
    const answers: Awaited<ReturnType<typeof timed>>[] = [];
    let isOver = false;
    const clients = Array.from({ length: 20 }, async (_, client) => {
      while (!isOver) {
        answers.push(await timed(counter, `key:${client}`, 1, 1_000_000));
        await new Promise((resolve) => setTimeout(resolve, 2));
      }
    });
    const stop = async (): Promise<void> => {
      isOver = true;
      await Promise.all(clients);
    };
    return { answers, stop };
  }

  /** After a fall back, how many answers there are up to the last that was waited for. */
  async function countOfWaiting(answers: readonly { wait: number | undefined }[]): Promise<number> {
    // Each of twenty clients waits for one at most.
    await until(() => answers.slice(-20).every(({ wait }) => wait === undefined));
    return answers.length;
  }

  it('waits for a server that hangs at first only, and never for more than 100 ms', async () => {
    const server = await startRedis();
    const { counter, state, reported } = await openNode(server.url, { timeoutMs: TIMEOUT_MS });
    const { answers, stop } = load(counter);
    await until(() => answers.length > 200);
    // A slow machine may have fallen back before.
    await until(() => state() === 'redis');
    reported.length = 0;
    server.pause();
    await until(() => state() === 'fallback');
    const before = await countOfWaiting(answers);
    await until(() => answers.length > before + 1_000);
    expect(state()).toBe('fallback');
    await stop();
    expect(Math.max(...answers.map(({ wait }) => wait ?? 0))).toBeLessThanOrEqual(MOST_TICKS);
    expect(answers.slice(before).every(({ wait }) => wait === undefined)).toBe(true);
    server.resume();
    await until(() => state() === 'redis');
    await counter.reserve('key:1', 1, 1_000_000);
    const [begun, ended] = reported;
    expect([begun, ended?.[1]]).toEqual([[true, 'no answer within 90 ms'], 'it answers again']);
  });

  it.each([
    ['its password', ':c0rrect%2Fhorse@', '', 'redis', []],
    ['another password', ':wr0ng@', '', 'fallback', [[true, 'it refused: WRONGPASS']]],
    ['no password', '', '', 'fallback', [[true, 'it refused: NOAUTH']]],
    ['a database that it does not have', ':c0rrect%2Fhorse@', '/99', 'fallback', [[true, 'it refused: ERR']]],
  ])('connects with its password and database alone, and prints no secret: %s', async (...row) => {
    const [_name, auth, database, expected, reasons] = row;
    const server = await startRedis('--requirepass', 'c0rrect/horse');
    const { state, reported } = await openNode(`${server.url.replace('//', `//${auth}`)}${database}`);
    expect([state(), reported]).toEqual([expected, reasons]);
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

  it('admits the limit in each of both, however often counting switches between Redis and memory', async () => {
    const server = await startRedis();
    const { counter, state, reported } = await openNode(server.url, { timeoutMs: 1_000 });
    let admitted = 0;
    for (const where of ['redis', 'fallback', 'redis', 'fallback', 'redis'] as const) {
      if (where === 'redis') {
        server.resume();
      } else {
        server.pause();
        await counter.reserve('b', 1, 10);
      }
      await until(() => state() === where);
      for (let request = 0; request < 6; request += 1) {
        const reservation = counter.reserve('a', 1, 10);
        expect(reservation instanceof Promise).toBe(where === 'redis');
        admitted += (await reservation).admitted ? 1 : 0;
      }
      expect(counter.peek('a', 10).used).toBeGreaterThanOrEqual(6);
    }
    expect(admitted).toBe(20);
    expect(reported.map(([isActive]) => isActive)).toEqual([true, false, true, false]);
  });

  it('answers from memory after it was closed, and keeps no connection, nor one that is being made', async () => {
    const server = await startRedis();
    const one = await openNode(server.url);
    const pending = one.counter.reserve('a', 1, 10);
    one.close();
    expect(await pending).toMatchObject({ admitted: true, used: 1 });
    expect(one.counter.reserve('b', 5, 10)).toMatchObject({ admitted: true, used: 5 });
    expect(one.reported).toEqual([]);
    const other = await openNode(server.url, { timeoutMs: TIMEOUT_MS });
    server.pause();
    await other.counter.reserve('a', 1, 10);
    await until(() => other.state() === 'fallback');
    // Until it connects again.
    await new Promise((resolve) => setTimeout(resolve, 300));
    other.close();
    server.resume();
    const redis = new Redis(server.url);
    onTestFinished(() => redis.disconnect());
    await expect
      .poll(
        async () =>
          String(await redis.client('LIST'))
            .trim()
            .split('\n').length,
      )
      .toBe(1);
  });
});

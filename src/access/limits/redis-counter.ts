import { LRUCache } from 'lru-cache';
import {
  type Bucket,
  type Counter,
  type FallbackListener,
  type OpenedCounter,
  outcomeOf,
  type Reservation,
} from './counter.ts';
import { createMemoryCounter } from './memory-counter.ts';
import type { RedisAddress } from './redis-address.ts';
import { CallError, connectRedis, describeError, within } from './redis-client.ts';
import { WINDOW_MS } from './tiers.ts';
import { readReply, writeArguments } from './window-script.ts';

/** The prefix of the keys of windows by default. */
const KEY_PREFIX = 'revgate:limit:';

/** The longest wait of a request for Redis, in ms; less than the documented 100, as timers run late. */
const TIMEOUT_MS = 90;
/** The longest wait, in ms, for a new connection that answers; no request waits for it. */
const OPEN_MS = 1_000;

/** The most windows whose last answer a node keeps, the most recent ones; some 3 MB. */
const MOST_KNOWN = 20_000;

export interface RedisCounterOptions {
  readonly address: RedisAddress;
  /** ms since 1970, for counting in memory. */
  readonly now: () => number;
  readonly onFallback: FallbackListener;
  /** The prefix of the keys; the name follows. */
  readonly prefix?: string | undefined;
  /** The longest wait of a request for Redis, in ms; 90 by default. */
  readonly timeoutMs?: number | undefined;
}

/** A counter over Redis, and what `doctor` reports of the server. */
interface RedisCounter extends OpenedCounter {
  /** Undefined if it is not disclosed: a user may be allowed to count, but not to run INFO. */
  readVersion(): Promise<string | undefined>;
}

/**
 * Opens a counter over Redis, exact over all nodes that share it: one call for each reservation, by Redis's clock. After
 * an error of any kind, or no answer in time, it counts in this process's memory, with the whole limit, until a new
 * connection has answered. Meanwhile, no request waits for Redis, and nothing is sent to it later. Windows in memory and
 * in Redis know nothing of each other, and those of a Redis that restarted without persistence begin anew.
 *
 * The promise resolves after the first attempt, whatever its outcome.
 */
export async function openRedisCounter(options: RedisCounterOptions): Promise<RedisCounter> {
  const { address, now, onFallback, prefix = KEY_PREFIX, timeoutMs = TIMEOUT_MS } = options;
  const openMs = Math.max(OPEN_MS, timeoutMs);
  const local = createMemoryCounter(now);
  // The last answer about each live window, so that a client with nothing left is refused without a call.
  const known = new LRUCache<string, { readonly used: number; readonly resetAt: number }>({
    max: MOST_KNOWN,
    ttlResolution: 0,
  });
  // Increased when a connection opens or fails, so that the outcome of earlier calls changes nothing.
  let connection = 0;
  let isCounting = false;
  let isReported = false;
  let isClosed = false;
  let reportAttempt = (): void => {};

  const redis = connectRedis(address, openMs);
  redis.on('ready', begin);
  redis.on('error', (error: unknown) => fail(error, connection));
  redis.on('close', () => fail(new CallError('the connection was closed'), connection));

  /** Runs the script on no window: a server may accept connections and never answer, or ask for a password. */
  async function begin(): Promise<void> {
    connection += 1;
    const own = connection;
    known.clear();
    try {
      await within(openMs, redis.countWindows(0, ...writeArguments([], 0)));
    } catch (error) {
      fail(error, own);
      return;
    }
    isCounting = own === connection;
    reportAttempt();
  }

  /** Falls back because of a connection, unless it has failed already. */
  function fail(error: unknown, own: number): void {
    if (isClosed || own !== connection) {
      return;
    }
    connection += 1;
    isCounting = false;
    redis.disconnect(true);
    if (!isReported) {
      isReported = true;
      onFallback(true, describeError(error));
    }
    reportAttempt();
  }

  async function ask(buckets: readonly Bucket[], cost: number): Promise<Reservation> {
    const own = connection;
    const keys = buckets.map(({ name }) => prefix + name);
    const sentAt = performance.now();
    try {
      const call = redis.countWindows(keys.length, ...keys, ...writeArguments(buckets, cost));
      const reply = readReply(await within(timeoutMs, call), buckets);
      if (own === connection) {
        reply.windows.forEach(({ used, resetAt }, i) => {
          known.set(
            (buckets[i] as Bucket).name,
            { used, resetAt },
            { ttl: resetAt - reply.now, start: sentAt },
          );
        });
        // Not before: a full or read-only server answers until it has to count.
        if (isReported) {
          isReported = false;
          onFallback(false, 'it answers again');
        }
      }
      return outcomeOf(reply.admitted, reply.windows, cost);
    } catch (error) {
      fail(error, own);
      return local.reserveAll(buckets, cost);
    }
  }

  const counter: Counter = {
    reserve: (name, cost, limit, windowMs) =>
      isCounting
        ? ask([{ name, limit, windowMs, isChargedForRefusals: true }], cost)
        : local.reserve(name, cost, limit, windowMs),
    reserveAll: (buckets, cost) => (isCounting ? ask(buckets, cost) : local.reserveAll(buckets, cost)),
    peek(name, limit, windowMs = WINDOW_MS) {
      if (!isCounting) {
        return local.peek(name, limit, windowMs);
      }
      const { used, resetAt } = known.get(name) ?? { used: 0, resetAt: now() + windowMs };
      return { used, limit, resetAt };
    },
  };

  await new Promise<void>((resolve) => {
    reportAttempt = resolve;
  });
  return {
    counter,
    state: () => (isCounting ? 'redis' : 'fallback'),
    async readVersion() {
      const info = await within(OPEN_MS, redis.info('server')).catch(() => '');
      return /^redis_version:(\S+)/m.exec(info)?.[1];
    },
    close() {
      isClosed = true;
      connection += 1;
      isCounting = false;
      redis.disconnect();
    },
  };
}

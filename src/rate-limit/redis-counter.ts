import { LRUCache } from 'lru-cache';
import {
  type Bucket,
  type Counter,
  type FallbackListener,
  isExhausted,
  type JointReservation,
  type OpenedCounter,
  onlyWindow,
} from './counter.ts';
import { createMemoryCounter } from './memory-counter.ts';
import type { RedisAddress } from './redis-address.ts';
import { CallError, connectRedis, describeError, within } from './redis-client.ts';
import { WINDOW_MS } from './tiers.ts';
import { readAnswer, type WindowAnswer, type WindowQuestion, writeArguments } from './window-script.ts';

/** The prefix of the keys of windows by default. */
const KEY_PREFIX = 'revgate:limit:';

/** The longest wait of a request for Redis, in ms; less than the documented 100, as timers run late. */
const TIMEOUT_MS = 90;
/** The longest wait, in ms, for a new connection that counts; no request waits for it. */
const OPEN_MS = 1_000;
/** So long after the wait, in ms, a call has certainly been answered from memory, so it must not be counted. */
const ABANDONED_MS = 160;

/** ms from a failure to a new connection; doubled with each failure. */
const FIRST_DELAY_MS = 250;
const LAST_DELAY_MS = 2_000;
/** A connection that counted for this long, in ms, was stable. */
const STEADY_MS = 10_000;

/** The most remembered windows, the most recent ones; some 3 MB. */
const REMEMBERED_WINDOWS = 20_000;

export interface RedisCounterOptions {
  readonly address: RedisAddress;
  /** How many nodes share the Redis: the divisor of the limits while it does not answer. */
  readonly nodes: number;
  /** ms since 1970, for counting in memory. */
  readonly now: () => number;
  readonly onFallback: FallbackListener;
  /** The prefix of the keys; the identity follows. */
  readonly prefix?: string | undefined;
  readonly windowMs?: number | undefined;
  /** The longest wait of a request for Redis, in ms; 90 by default. */
  readonly timeoutMs?: number | undefined;
}

/** A live window as last reported to this node. Its use can only have grown since. */
interface KnownWindow {
  readonly used: number;
  /** ms since 1970, by Redis's clock. */
  readonly resetAt: number;
  /** The connection that reported it. */
  readonly connection: number;
}

/** A counter over Redis, and what `doctor` reports of the server. */
interface RedisCounter extends OpenedCounter {
  /** Undefined if it is not disclosed: a user may be allowed to count, but not to run INFO. */
  readVersion(): Promise<string | undefined>;
}

/**
 * Opens a counter over Redis, exact over all nodes that share it: one call per reservation, by Redis's clock. From
 * an error of any kind until a new connection has counted once, it counts in this process's memory, with the limit
 * divided by the nodes, but at least 1. Meanwhile, no request waits for Redis, and nothing is sent to it later.
 *
 * Reservations admitted in memory stay there, and both kinds of windows continue through any number of failures. So one
 * window in Redis admits no more than its limit, and one in memory no more than the node's share.
 *
 * If a window is known to be exhausted, its refusal needs no call: the use of a window never decreases. The first call
 * on a window over a new connection passes what this node knows of it, in case Redis lost its windows, as it does after
 * a restart without persistence.
 *
 * Resolves after the first attempt, whatever its outcome.
 */
export async function openRedisCounter(options: RedisCounterOptions): Promise<RedisCounter> {
  const { address, nodes, now, onFallback, prefix = KEY_PREFIX, windowMs = WINDOW_MS } = options;
  const { timeoutMs = TIMEOUT_MS } = options;
  const openMs = Math.max(OPEN_MS, timeoutMs);
  const local = createMemoryCounter(now, windowMs);
  const known = new LRUCache<string, KnownWindow>({ max: REMEMBERED_WINDOWS });
  // Increased when a connection opens or fails, so that the outcome of earlier calls changes nothing.
  let connection = 0;
  let isCounting = false;
  let isFallback = false;
  let isClosed = false;
  let countingSince = Number.POSITIVE_INFINITY;
  let delay = FIRST_DELAY_MS / 2;
  // The offset from this process's monotonic clock to that of Redis, or a little more: it is computed
  // from when a request was sent, not from when its answer was read, which may have been much later.
  let offset = 0;
  let reportAttempt = (): void => {};

  const redis = connectRedis(address, openMs, () => {
    const wasSteady = performance.now() - countingSince >= STEADY_MS;
    countingSince = Number.POSITIVE_INFINITY;
    delay = wasSteady ? FIRST_DELAY_MS : Math.min(delay * 2, LAST_DELAY_MS);
    return delay;
  });
  redis.on('ready', count);
  redis.on('error', (error: unknown) => fail(error, connection));
  redis.on('close', () => fail(new CallError('the connection was closed'), connection));

  /**
   * Counts once on a separate key that expires at once: a server that accepts connections but cannot count, because it
   * is loading, full or read-only, is unusable.
   */
  async function count(): Promise<void> {
    connection += 1;
    const own = connection;
    const windows = [{ key: `${prefix}~probe`, limit: Number.MAX_SAFE_INTEGER, remembered: undefined }];
    try {
      await call({ windows, cost: 1, windowMs: 1 }, 0, openMs);
    } catch (error) {
      fail(error, own);
      return;
    }
    if (own !== connection) {
      return;
    }
    isCounting = true;
    countingSince = performance.now();
    if (isFallback) {
      isFallback = false;
      onFallback(false, 'it answers again');
    }
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
    if (!isFallback) {
      isFallback = true;
      onFallback(true, describeError(error));
    }
    reportAttempt();
  }

  /** @param deadline ms by Redis's clock; 0 for none. */
  async function call(question: WindowQuestion, deadline: number, ms: number): Promise<WindowAnswer> {
    const keys = question.windows.map(({ key }) => key);
    const sentAt = performance.now();
    const reply = await within(
      ms,
      redis.countWindows(keys.length, ...keys, ...writeArguments(question, deadline)),
    );
    const answer = readAnswer(reply, keys.length);
    if (answer.isLate) {
      throw new CallError('it answered too late');
    }
    offset = answer.now - sentAt;
    return answer;
  }

  /** Redis's clock in ms since 1970, as estimated here: a little ahead rather than behind. */
  const redisNow = (): number => performance.now() + offset;
  const shareOf = ({ identity, limit }: Bucket): Bucket => ({
    identity,
    limit: Math.max(1, Math.floor(limit / nodes)),
  });

  function findKnown(identity: string): KnownWindow | undefined {
    const window = known.get(identity);
    return window !== undefined && window.resetAt > redisNow() ? window : undefined;
  }

  async function ask(buckets: readonly Bucket[], cost: number): Promise<JointReservation> {
    const own = connection;
    const windows = buckets.map(({ identity, limit }) => {
      const window = findKnown(identity);
      return { key: prefix + identity, limit, remembered: window?.connection === own ? undefined : window };
    });
    let answer: WindowAnswer;
    try {
      const deadline = Math.ceil(redisNow() + timeoutMs + ABANDONED_MS);
      answer = await call({ windows, cost, windowMs }, deadline, timeoutMs);
    } catch (error) {
      fail(error, own);
      return local.reserveAll(buckets.map(shareOf), cost);
    }
    const usages = answer.windows.map(({ used, resetAt }, i) => {
      const { identity, limit } = buckets[i] as Bucket;
      if (used > 0) {
        known.set(identity, { used, resetAt, connection: own });
      }
      return { used, limit, resetAt };
    });
    return { admitted: answer.admitted, windows: usages };
  }

  const counter: Counter = {
    reserve(identity, cost, limit) {
      const answer = counter.reserveAll([{ identity, limit }], cost);
      return answer instanceof Promise ? answer.then(onlyWindow) : onlyWindow(answer);
    },
    reserveAll(buckets, cost) {
      if (!isCounting) {
        return local.reserveAll(buckets.map(shareOf), cost);
      }
      const windows = buckets.map(({ identity, limit }) => counter.peek(identity, limit));
      return windows.some(isExhausted) ? { admitted: false, windows } : ask(buckets, cost);
    },
    peek(identity, limit) {
      if (!isCounting) {
        return local.peek(identity, shareOf({ identity, limit }).limit);
      }
      const window = findKnown(identity);
      const resetAt = window?.resetAt ?? Math.round(redisNow()) + windowMs;
      return { used: window?.used ?? 0, limit, resetAt };
    },
  };

  await new Promise<void>((resolve) => {
    reportAttempt = resolve;
  });
  return {
    counter,
    state: () => (isFallback ? 'fallback' : 'redis'),
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

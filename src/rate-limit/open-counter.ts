import type { Counter } from './counter.ts';
import { type FallbackListener, openFallbackCounter } from './fallback-counter.ts';
import { createKnownWindows } from './known-windows.ts';
import { createMemoryCounter } from './memory-counter.ts';
import { parseRedisUrl, REDIS_URL_FORM } from './redis-address.ts';
import { createRedisCounter, KEY_PREFIX } from './redis-counter.ts';
import { openRedisLink } from './redis-link.ts';
import { WINDOW_MS } from './tiers.ts';

interface CounterOptions {
  /** Undefined: windows are stored in this process's memory. */
  readonly redisUrl?: string | undefined;
  /** How many nodes share the Redis: the divisor of the limits while it does not answer. */
  readonly nodes: number;
  /** ms since 1970. */
  readonly now: () => number;
  /** Called with the reason when Redis stops answering, and again when it answers. */
  readonly onFallback: FallbackListener;
  /** The prefix of the keys in Redis; {@link KEY_PREFIX} by default. */
  readonly prefix?: string;
  readonly windowMs?: number;
}

/** Where windows are currently stored; `fallback` is memory in place of Redis. */
export type CounterState = 'memory' | 'redis' | 'fallback';

export interface OpenedCounter {
  readonly counter: Counter;
  state(): CounterState;
  /** Requests in progress are counted in memory. */
  close(): void;
}

/** The longest wait of a request for Redis, in ms; less than the documented 100, as timers run late. */
const TIMEOUT_MS = 90;

/**
 * Opens the counter for the rate limits. A Redis that does not answer is no error: the counter starts
 * without it, reports that, and switches to it as soon as it answers.
 *
 * @throws RangeError for an address that {@link parseRedisUrl} rejects, or a number of nodes that is
 *   not an integer of at least 1. The message contains no part of the address.
 */
export async function openCounter(options: CounterOptions): Promise<OpenedCounter> {
  const { redisUrl, nodes, now, onFallback, prefix = KEY_PREFIX, windowMs = WINDOW_MS } = options;
  if (!Number.isSafeInteger(nodes) || nodes < 1) {
    throw new RangeError(`A number of nodes is an integer of at least 1, not ${nodes}.`);
  }
  const local = createMemoryCounter(now, windowMs);
  if (redisUrl === undefined) {
    return { counter: local, state: () => 'memory', close: () => {} };
  }
  const address = parseRedisUrl(redisUrl);
  if (address === undefined) {
    throw new RangeError(`The address of Redis must be ${REDIS_URL_FORM}.`);
  }
  const known = createKnownWindows();
  const { counter, isActive, close } = await openFallbackCounter({
    connect: async () => {
      const link = await openRedisLink({ address, prefix, timeoutMs: TIMEOUT_MS });
      const { down, close } = link;
      return { counter: createRedisCounter({ link, known, prefix, windowMs }), down, close };
    },
    local,
    nodes,
    onFallback,
  });
  return { counter, state: () => (isActive() ? 'fallback' : 'redis'), close };
}

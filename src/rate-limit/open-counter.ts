import type { OpenedCounter } from './counter.ts';
import { createMemoryCounter } from './memory-counter.ts';
import { parseRedisUrl, REDIS_URL_FORM, type RedisAddress } from './redis-address.ts';
import { openRedisCounter, type RedisCounterOptions } from './redis-counter.ts';

interface CounterOptions extends Omit<RedisCounterOptions, 'address'> {
  /** Undefined: windows are stored in this process's memory. */
  readonly redisUrl?: string | undefined;
}

/**
 * Opens the counter for the rate limits. A Redis that does not answer is no error: the counter starts
 * without it, reports that, and switches to it as soon as it answers.
 *
 * @throws RangeError for an address that {@link parseRedisUrl} rejects, or a number of nodes that is
 *   not an integer of at least 1. The message contains no part of the address.
 */
export async function openCounter({ redisUrl, ...options }: CounterOptions): Promise<OpenedCounter> {
  const { nodes, now, windowMs } = options;
  if (!Number.isSafeInteger(nodes) || nodes < 1) {
    throw new RangeError(`A number of nodes is an integer of at least 1, not ${nodes}.`);
  }
  if (redisUrl === undefined) {
    return { counter: createMemoryCounter(now, windowMs), state: () => 'memory', close: () => {} };
  }
  const address = parseRedisUrl(redisUrl);
  if (address === undefined) {
    throw new RangeError(`The address of Redis must be ${REDIS_URL_FORM}.`);
  }
  return openRedisCounter({ ...options, address });
}

/**
 * Counts once on a Redis, on a separate key, as a node does when it starts.
 *
 * @returns the version of Redis; undefined if it is not disclosed.
 * @throws Error with the reason why it cannot count; it never contains any part of the address.
 */
export async function inspectRedis(address: RedisAddress): Promise<string | undefined> {
  let failure: string | undefined;
  const { readVersion, close } = await openRedisCounter({
    address,
    nodes: 1,
    now: Date.now,
    onFallback: (_isActive, reason) => {
      failure ??= reason;
    },
  });
  try {
    if (failure !== undefined) {
      throw new Error(failure);
    }
    return await readVersion();
  } finally {
    close();
  }
}

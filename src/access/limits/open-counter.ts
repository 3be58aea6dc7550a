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
 * @throws RangeError for an address that {@link parseRedisUrl} rejects. The message contains no part of it.
 */
export async function openCounter({ redisUrl, ...options }: CounterOptions): Promise<OpenedCounter> {
  if (redisUrl === undefined) {
    return {
      counter: createMemoryCounter(options.now),
      state: () => 'memory',
      close: () => {},
    };
  }
  const address = parseRedisUrl(redisUrl);
  if (address === undefined) {
    throw new RangeError(`The address of Redis must be ${REDIS_URL_FORM}.`);
  }
  return openRedisCounter({ ...options, address });
}

/**
 * Counts once on a Redis, in a window of a millisecond.
 *
 * @returns the version of Redis; undefined if it is not disclosed.
 * @throws Error with the reason why it cannot count; it never contains any part of the address.
 */
export async function inspectRedis(address: RedisAddress): Promise<string | undefined> {
  let failure: string | undefined;
  const { counter, readVersion, close } = await openRedisCounter({
    address,
    now: Date.now,
    onFallback: (_isActive, reason) => {
      failure ??= reason;
    },
  });
  try {
    await counter.reserve('doctor', 1, Number.MAX_SAFE_INTEGER, 1);
    if (failure !== undefined) {
      throw new Error(failure);
    }
    return await readVersion();
  } finally {
    close();
  }
}

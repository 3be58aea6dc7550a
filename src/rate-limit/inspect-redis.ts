import type { RedisAddress } from './redis-address.ts';
import { KEY_PREFIX } from './redis-counter.ts';
import { createRedisClient, openRedisLink } from './redis-link.ts';

/** Longer than any request waits: this distinguishes a slow Redis from an unreachable one. */
const TIMEOUT_MS = 1_000;

/**
 * Counts once on a Redis, on a separate key, as a node does when it starts.
 *
 * @returns the version of Redis; undefined if it is not disclosed.
 * @throws RemoteError with the reason why it cannot count; it never contains any part of the address.
 */
export async function inspectRedis(address: RedisAddress): Promise<string | undefined> {
  const link = await openRedisLink({ address, prefix: KEY_PREFIX, timeoutMs: TIMEOUT_MS });
  link.close();
  const redis = createRedisClient(address);
  redis.options.commandTimeout = TIMEOUT_MS;
  redis.on('error', () => {});
  try {
    await redis.connect();
    return /^redis_version:(\S+)/m.exec(await redis.info('server'))?.[1];
  } catch {
    // A user may be allowed to count, but not to run INFO.
    return undefined;
  } finally {
    redis.disconnect();
  }
}

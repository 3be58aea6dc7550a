import type { RedisAddress } from './redis-address.ts';
import { KEY_PREFIX } from './redis-counter.ts';
import { createRedisClient, openRedisLink } from './redis-link.ts';

/** Longer than any request waits: this tells a slow Redis from none. */
const TIMEOUT_MS = 1_000;

/**
 * Counts once on a Redis, on a key of its own, as a node does when it starts.
 *
 * @returns the version of Redis; undefined where it does not say.
 * @throws RemoteError with the reason why it cannot count; it never holds any part of the address.
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
    // A user may be allowed to count, but not to ask for that.
    return undefined;
  } finally {
    redis.disconnect();
  }
}

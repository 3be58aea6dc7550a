import { Redis } from 'ioredis';

/** Before tests that need Redis: fails where there is none. */
export async function setup(): Promise<void> {
  const url = process.env.TEST_REDIS_URL as string;
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  // Of what went wrong, `connect` tells only that the connection was closed.
  let failure: unknown;
  redis.on('error', (error) => {
    failure = error;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (error) {
    throw missing('Redis', 'TEST_REDIS_URL', url, failure ?? error);
  } finally {
    redis.disconnect();
  }
}

/** The failure of a service that cannot be reached. */
export function missing(service: string, variable: string, url: string, error: unknown): Error {
  const { host } = new URL(url);
  const { code, message } = error as { code?: string; message?: string };
  return new Error(
    `Cannot reach ${service} at ${host} (${message || code}): start it, or set ${variable} to its address.`,
  );
}

import type { RedisOptions } from 'ioredis';

/** The address and the credentials of a Redis, as its client takes them. */
export type RedisAddress = Pick<RedisOptions, 'port' | 'username' | 'password' | 'db' | 'tls'> & {
  host: string;
};

/** The format that {@link parseRedisUrl} accepts, for messages: the address itself may contain a password. */
export const REDIS_URL_FORM = 'an address such as redis://user:pw@host:6379/0, or rediss:// for TLS';

/**
 * Parses `redis[s]://[user:password@]host[:port][/database]`. Further parts that a client library would
 * accept are rejected: they could enable the queues and retries that must stay off.
 *
 * @returns undefined for anything else. Never throws, as an error of the parser would show the address.
 */
export function parseRedisUrl(url: string): RedisAddress | undefined {
  if (!URL.canParse(url)) {
    return undefined;
  }
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(url);
  const database = /^\/?(\d{0,5})$/.exec(pathname)?.[1];
  const isRedis = protocol === 'redis:' || protocol === 'rediss:';
  if (!isRedis || hostname === '' || database === undefined || search !== '' || hash !== '') {
    return undefined;
  }
  try {
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? 6379 : Number(port),
      db: Number(database),
      ...(username !== '' && { username: decodeURIComponent(username) }),
      ...(password !== '' && { password: decodeURIComponent(password) }),
      ...(protocol === 'rediss:' && { tls: {} }),
    };
  } catch {
    return undefined;
  }
}

import { describe, expect, it } from 'vitest';
import { parseRedisUrl } from '../../../src/access/limits/redis-address.ts';

const plain = { host: 'cache', port: 6379, db: 0 };

describe('the address of Redis', () => {
  it.each([
    ['redis://cache', plain],
    ['redis://cache:7000/3', { ...plain, port: 7000, db: 3 }],
    ['rediss://cache', { ...plain, tls: {} }],
    ['redis://[::1]:7000', { ...plain, host: '::1', port: 7000 }],
    ['redis://:secret@cache', { ...plain, password: 'secret' }],
    ['redis://user:p%40ss%2Fword@cache', { ...plain, username: 'user', password: 'p@ss/word' }],
  ])('is read from %s', (url, address) => {
    expect(parseRedisUrl(url)).toEqual(address);
  });

  it.each([
    'cache:6379',
    'http://cache',
    'redis://',
    'redis://cache/zero',
    'redis://cache:99999',
    'redis://:%zz@cache',
    // The client library would obey these.
    'redis://cache?enableOfflineQueue=true',
    'redis://cache#0',
  ])('is not %j', (url) => {
    expect(parseRedisUrl(url)).toBeUndefined();
  });
});

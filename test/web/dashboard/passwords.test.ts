import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createPasswordHashing } from '../../../src/access/accounts/sign-in/passwords.ts';
import { ApiError } from '../../../src/lib/errors.ts';

describe('hashing passwords', () => {
  it('runs a few at once, lets some wait, and refuses the others', async () => {
    let [running, most] = [0, 0];
    const slow = async (): Promise<string> => {
      running++;
      most = Math.max(most, running);
      await setImmediate();
      running--;
      return 'hash';
    };
    const hashing = createPasswordHashing({ hash: slow, verify: async () => (await slow()) === 'hash' });
    const results = await Promise.allSettled([
      ...Array.from({ length: 30 }, () => hashing.hash('x')),
      ...Array.from({ length: 30 }, () => hashing.verify({ hash: 'h', password: 'x' })),
    ]);
    expect(most).toBe(2);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(52);
    for (const result of results) {
      if (result.status === 'rejected') {
        expect(result.reason).toBeInstanceOf(ApiError);
      }
    }
    // What was refused or failed keeps no place.
    expect(await Promise.all(['x', 'y', 'z'].map(hashing.hash))).toHaveLength(3);
  });

  it('frees its place when it fails', async () => {
    let fails = true;
    const hashing = createPasswordHashing({
      hash: async () => (fails ? Promise.reject(new Error('broken')) : 'hash'),
      verify: async () => true,
    });
    const all = Array.from({ length: 52 });
    const failed = await Promise.allSettled(all.map(() => hashing.hash('x')));
    expect(failed.every((one) => one.status === 'rejected' && one.reason.message === 'broken')).toBe(true);
    fails = false;
    await expect(Promise.all(all.map(() => hashing.hash('x')))).resolves.toHaveLength(52);
  });

  it('is salted scrypt', async () => {
    const hashing = createPasswordHashing();
    const [one, two] = await Promise.all([hashing.hash('a password'), hashing.hash('a password')]);
    expect(one).not.toBe(two);
    expect(one).not.toContain('a password');
    await expect(hashing.verify({ hash: one, password: 'a password' })).resolves.toBe(true);
    await expect(hashing.verify({ hash: one, password: 'another' })).resolves.toBe(false);
  });
});

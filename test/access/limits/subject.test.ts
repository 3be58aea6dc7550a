import { describe, expect, it } from 'vitest';
import {
  accountSubject,
  addressSubject,
  embedSubject,
  keySubject,
} from '../../../src/access/limits/subject.ts';
import { addressBucket } from '../../../src/lib/http/addresses.ts';

describe('whose budget it is', () => {
  it('is the key, apart from it while disabled', () => {
    const key = { family: 'key_1', tier: 'premium', state: 'active' } as const;
    expect(keySubject(key)).toMatchObject({ name: 'key:key_1', tier: 'premium' });
    expect(keySubject({ ...key, state: 'disabled' })).toMatchObject({
      name: 'disabled:key_1',
      tier: 'premium',
    });
  });

  it('is each client of an embed key, with what all have in common unless it is not welcome', () => {
    const key = { family: 'key_1', tier: 'premium', state: 'active' } as const;
    const name = 'embed:{key_1}:2001:db8:1:2::/64';
    const address = '2001:db8:1:2::3';
    expect(embedSubject(key, address, true)).toEqual({
      ...{ name, tier: 'premium', common: 'embed:{key_1}' },
      ownerId: 'embed:{key_1}',
    });
    expect(embedSubject(key, address, false)).toEqual({ name, tier: 'premium', ownerId: name });
    expect(embedSubject({ ...key, state: 'disabled' }, address, true)).toMatchObject({
      name: 'disabled:{key_1}:2001:db8:1:2::/64',
      tier: 'premium',
    });
  });

  it('takes turns with others as one key, whatever its clients, or as one account', () => {
    const key = { family: 'key_1', tier: 'premium', state: 'active' } as const;
    expect(keySubject(key)).toMatchObject({ ownerId: 'key:key_1' });
    for (const address of ['192.0.2.7', '192.0.2.8']) {
      expect(embedSubject(key, address, true)).toMatchObject({ ownerId: 'embed:{key_1}' });
    }
    expect(accountSubject('ada')).toMatchObject({ ownerId: 'account:ada' });
  });

  it('is the address without a valid key, at the standard limit', () => {
    expect(addressSubject('192.0.2.7')).toMatchObject({ name: 'address:192.0.2.7', tier: 'standard' });
  });

  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:c000:0207', '192.0.2.7'],
    ['0:0:0:0:0:ffff:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['::192.0.2.7', '0:0:0:0::/64'],
    ['64:ff9b::192.0.2.7', '64:ff9b:0:0::/64'],
    ['1::ffff:192.0.2.7', '1:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['nonsense', 'unknown'],
    ['192.0.2.07', 'unknown'],
    ['192.0.2.7:80', 'unknown'],
    ['', 'unknown'],
    [undefined, 'unknown'],
  ])('puts %s into the bucket %s', (address, bucket) => {
    expect(addressBucket(address)).toBe(bucket);
  });
});

import { describe, expect, it } from 'vitest';
import {
  accountSubject,
  addressSubject,
  embedSubject,
  keySubject,
} from '../../../src/access/limits/subject.ts';

describe('whose budget it is', () => {
  const key = { family: 'key_1', tier: 'premium', state: 'active' } as const;
  const disabled = { ...key, state: 'disabled' } as const;

  it('is the key, apart from it while disabled, or the account', () => {
    const own = { name: 'key:key_1', tier: 'premium', ownerId: 'key:key_1' };
    expect(keySubject(key)).toMatchObject(own);
    expect(keySubject(disabled)).toMatchObject({ name: 'disabled:key_1', tier: 'premium' });
    expect(accountSubject('ada')).toMatchObject({ ownerId: 'account:ada' });
  });

  it('is each client of an embed key, with what all have in common unless it is not welcome', () => {
    const [address, network] = ['2001:db8:1:2::3', '2001:db8:1:2::/64'];
    const name = `embed:{key_1}:${network}`;
    const common = 'embed:{key_1}';
    // Work of all its clients takes turns as that of one.
    expect(embedSubject(key, address, true)).toEqual({ name, tier: 'premium', common, ownerId: common });
    expect(embedSubject(key, address, false)).toEqual({ name, tier: 'premium', ownerId: name });
    const apart = { name: `disabled:{key_1}:${network}`, tier: 'premium' };
    expect(embedSubject(disabled, address, true)).toMatchObject(apart);
  });

  it('is the address without a valid key, at the standard limit', () => {
    expect(addressSubject('192.0.2.7')).toMatchObject({ name: 'address:192.0.2.7', tier: 'standard' });
  });
});

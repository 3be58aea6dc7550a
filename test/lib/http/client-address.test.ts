import { describe, expect, it } from 'vitest';
import { clientAddress } from '../../../src/lib/http/addresses.ts';

const PEER = '10.0.0.9';

describe('the address of a client', () => {
  it('is the peer that connected, whatever X-Forwarded-For claims, unless proxies are trusted', () => {
    expect(clientAddress(PEER, '203.0.113.7', 0)).toBe(PEER);
    expect(clientAddress(PEER, undefined, 0)).toBe(PEER);
  });

  it('is counted from the right by the number of proxies', () => {
    const forwarded = '198.51.100.66, 203.0.113.7 ,192.0.2.1';
    expect(clientAddress(PEER, forwarded, 1)).toBe('192.0.2.1');
    expect(clientAddress(PEER, forwarded, 2)).toBe('203.0.113.7');
    expect(clientAddress(PEER, forwarded, 3)).toBe('198.51.100.66');
  });

  it('cannot be forged by entries that a client adds on the left', () => {
    for (const claim of ['1.1.1.1', '1.1.1.1, 2.2.2.2', ', ,', 'x'.repeat(5_000)]) {
      expect(clientAddress(PEER, `${claim}, 203.0.113.7`, 1)).toBe('203.0.113.7');
    }
  });

  it('is the peer where the header is missing, too short or no address', () => {
    expect(clientAddress(PEER, undefined, 1)).toBe(PEER);
    expect(clientAddress(PEER, '203.0.113.7', 2)).toBe(PEER);
    for (const entry of ['', 'unknown', '_hidden', '203.0.113', '203.0.113.7, ']) {
      expect(clientAddress(PEER, entry, 1)).toBe(PEER);
    }
    expect(clientAddress(undefined, undefined, 1)).toBeUndefined();
  });

  it('may come with its port, which is not part of it', () => {
    for (const entry of ['203.0.113.7:4711', '[203.0.113.7]']) {
      expect(clientAddress(PEER, `1.1.1.1, ${entry}`, 1)).toBe('203.0.113.7');
    }
    for (const entry of ['[2001:db8::1]:4711', '[2001:db8::1]']) {
      expect(clientAddress(PEER, entry, 1)).toBe('2001:db8::1');
    }
    for (const entry of ['203.0.113.7:', ':4711', '[]', '[2001:db8::1', '[x]:1', '203.0.113.7:x']) {
      expect(clientAddress(PEER, entry, 1)).toBe(PEER);
    }
  });

  it('may be of IPv6', () => {
    expect(clientAddress(PEER, '2001:db8::1', 1)).toBe('2001:db8::1');
  });
});

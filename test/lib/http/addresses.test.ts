import { expect, it } from 'vitest';
import { addressBucket, clientAddress } from '../../../src/lib/http/addresses.ts';

const PEER = '10.0.0.9';
const THREE = '198.51.100.66, 203.0.113.7 ,192.0.2.1';

it.each<[string, [string | undefined, number], string]>([
  ['is the peer that connected, unless proxies are trusted', ['203.0.113.7', 0], PEER],
  ['is counted from the right by the number of proxies', [THREE, 1], '192.0.2.1'],
  ['is counted by two', [THREE, 2], '203.0.113.7'],
  ['is counted by three', [THREE, 3], '198.51.100.66'],
  ['cannot be forged by entries on the left', ['1.1.1.1, , 203.0.113.7', 1], '203.0.113.7'],
  ['is the peer where the header is missing', [undefined, 1], PEER],
  ['is the peer where the header is too short', ['203.0.113.7', 2], PEER],
  ['may have a port', ['1.1.1.1, 203.0.113.7:4711', 1], '203.0.113.7'],
  ['may be in brackets', ['203.0.113.9, [203.0.113.7]', 1], '203.0.113.7'],
  ['may be of IPv6', ['2001:db8::1', 1], '2001:db8::1'],
  ['may be of IPv6 with a port', ['[2001:db8::1]:4711', 1], '2001:db8::1'],
])('the address of a client %s', (_rule, [forwardedFor, proxies], address) => {
  expect(clientAddress(PEER, forwardedFor, proxies)).toBe(address);
});

const unknown = [
  '',
  'unknown',
  '203.0.113',
  '203.0.113.7, ',
  '203.0.113.7:',
  ':4711',
  '[]',
  '[2001:db8::1',
  '[x]:1',
];
it.each(unknown)('the address of a client is the peer for "%s"', (entry) => {
  expect(clientAddress(PEER, entry, 1)).toBe(PEER);
});

it('a client that has left before its address was read has none', () => {
  expect(clientAddress(undefined, undefined, 1)).toBeUndefined();
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
])('the address %s is counted as %s', (address, bucket) => {
  expect(addressBucket(address)).toBe(bucket);
});

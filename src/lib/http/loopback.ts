import { isIPv4 } from 'node:net';

/** Whether only this machine can reach a host: a name, or an address without brackets, IPv4 in IPv6 included. */
export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase().replace(/^::ffff:/, '');
  return plain === 'localhost' || plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** The host of an address such as http://[::1]:4000, an IPv6 address without its brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

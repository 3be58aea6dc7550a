import { isIP, isIPv4, isIPv6 } from 'node:net';

/**
 * The address of a client behind trusted proxies. Each proxy appends the address that it was
 * called from to X-Forwarded-For, so the client's is as many entries from the right as there are
 * proxies; all entries left of it may be forged.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0 || forwardedFor === undefined) {
    return peer;
  }
  const entry = forwardedFor.split(',').at(-trustedProxies)?.trim() ?? '';
  const address = WITH_PORT.exec(entry)?.slice(1).find(Boolean) ?? entry;
  return isIP(address) !== 0 ? address : peer;
}

/** As some proxies write it: 203.0.113.7:4711, [2001:db8::1] or [2001:db8::1]:4711. */
const WITH_PORT = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/;

/**
 * The bucket of an address: an IPv4 address itself, also when it is mapped into IPv6, and the /64 of an
 * IPv6 address, which is the smallest block that one customer gets. All other texts share one bucket.
 */
export function addressBucket(address: string | undefined): string {
  if (address === undefined) {
    return 'unknown';
  }
  if (isIPv4(address)) {
    return address;
  }
  // A zone names an interface of this machine, not a client.
  const plain = address.split('%', 1)[0] ?? '';
  if (!isIPv6(plain)) {
    return 'unknown';
  }
  // Each group without leading zeros, the longest run of zeros left out.
  const canonical = new URL(`http://[${plain}]`).hostname.slice(1, -1);
  const mapped = /^::ffff:([\da-f]+):([\da-f]+)$/.exec(canonical);
  if (mapped !== null) {
    const [high = 0, low = 0] = mapped.slice(1).map((group) => Number.parseInt(group, 16));
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const [before = [], after = []] = canonical.split('::').map((part) => part.split(':').filter(Boolean));
  const zeros = new Array<string>(8 - before.length - after.length).fill('0');
  const network = [...before, ...zeros, ...after].slice(0, 4);
  return `${network.join(':')}::/64`;
}

/** Whether only this machine can reach a host: a name, or an address without brackets, IPv4 in IPv6 included. */
export function isLoopback(host: string): boolean {
  const plain = host.toLowerCase().replace(/^::ffff:/, '');
  return plain === 'localhost' || plain === '::1' || (isIPv4(plain) && plain.startsWith('127.'));
}

/** The host of an address such as http://[::1]:4000, an IPv6 address without its brackets. */
export function hostOf(url: string): string {
  return new URL(url).hostname.replace(/^\[|\]$/g, '');
}

/**
 * A URL; undefined for a text that is none. For texts of others: `URL.canParse` rejects letters such as ü after some
 * thousand calls, in Node 20 and 22.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

/** The URL of a server that listens on a host and port. */
export const listeningUrl = (host: string, port: number): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

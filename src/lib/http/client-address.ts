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
  const groups = expandIPv6(plain);
  const [, , , , , mark, high = 0, low = 0] = groups;
  if (mark === 0xffff && groups.slice(0, 5).every((group) => group === 0)) {
    return [high >> 8, high & 255, low >> 8, low & 255].join('.');
  }
  const network = groups.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

/** The eight groups of a valid IPv6 address. */
function expandIPv6(address: string): number[] {
  const [head = '', tail] = address.split('::', 2);
  const before = readGroups(head);
  if (tail === undefined) {
    return before;
  }
  const after = readGroups(tail);
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

function readGroups(text: string): number[] {
  if (text === '') {
    return [];
  }
  return text.split(':').flatMap((group) => {
    if (!group.includes('.')) {
      return [Number.parseInt(group, 16)];
    }
    const [a = 0, b = 0, c = 0, d = 0] = group.split('.').map(Number);
    return [a * 256 + b, c * 256 + d];
  });
}

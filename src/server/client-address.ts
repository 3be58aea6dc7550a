import { isIP } from 'node:net';

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

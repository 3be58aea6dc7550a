import { isIP } from 'node:net';

/**
 * The address of a client behind trusted proxies. Each of them appended the address that it was
 * called from to X-Forwarded-For, so the client's is as many entries from the right as there are
 * proxies; whatever stands left of it may be made up.
 */
export function clientAddress(
  peer: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string | undefined {
  if (trustedProxies === 0 || forwardedFor === undefined) {
    return peer;
  }
  const address = forwardedFor.split(',').at(-trustedProxies)?.trim();
  return address !== undefined && isIP(address) !== 0 ? address : peer;
}

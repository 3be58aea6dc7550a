import { isIPv4, isIPv6 } from 'node:net';
import type { Tier } from './tiers.ts';

/** Who draws on a budget, and how large it is. */
export interface Subject {
  readonly identity: string;
  /** The tier whose limit applies; an account has a limit of its own. */
  readonly tier: Tier | 'account';
  /** A budget that all clients of an embed key have in common, which is drawn on as well. */
  readonly common?: string;
}

interface Metered {
  readonly family: string;
  readonly tier: Tier;
  readonly state: 'active' | 'disabled';
}

/** The budget of a key's family; disabled keys draw on one of their own. */
export function keySubject(key: Metered): Subject {
  const kind = key.state === 'disabled' ? 'disabled' : 'key';
  return { identity: `${kind}:${key.family}`, tier: key.tier };
}

/**
 * The budget of one client of an embed key's family.
 *
 * @param isWelcome whether the request also draws on what all clients have in common: strangers must not
 *   use that up by requests that are refused.
 */
export function embedSubject(key: Metered, address: string | undefined, isWelcome: boolean): Subject {
  // The braces keep both in one place where keys are spread over servers.
  const common = `embed:{${key.family}}`;
  if (key.state === 'disabled' || !isWelcome) {
    const kind = key.state === 'disabled' ? 'disabled' : 'embed';
    return { identity: `${kind}:{${key.family}}:${addressBucket(address)}`, tier: key.tier };
  }
  return { identity: `${common}:${addressBucket(address)}`, tier: key.tier, common };
}

/** The budget of an address's requests without a valid key. */
export function addressSubject(address: string | undefined): Subject {
  return { identity: `address:${addressBucket(address)}`, tier: 'standard' };
}

/** The budget of an account for requests without a key: those of the explorer and of GraphiQL. */
export function accountSubject(id: string): Subject {
  return { identity: `account:${id}`, tier: 'account' };
}

/**
 * The bucket of an address: an IPv4 address itself, also when it is mapped into IPv6, and the /64 of an
 * IPv6 address, which is what one customer has at least. Anything else shares one bucket.
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

import { isIPv4, isIPv6 } from 'node:net';
import type { Tier } from './tiers.ts';

/** The owner of a budget, and its size. */
export interface Subject {
  readonly identity: string;
  /** The tier whose limit applies; an account has a separate limit. */
  readonly tier: Tier | 'account';
  /** A budget shared by all clients of an embed key, which is charged as well. */
  readonly common?: string;
}

/** Whose work takes turns with that of others: a key, with all clients of an embed key together, or an account. */
export function ownerOf({ identity, common = identity }: Subject): { readonly identity: string } {
  return { identity: common };
}

interface Metered {
  readonly family: string;
  readonly tier: Tier;
  readonly state: 'active' | 'disabled';
}

/** The budget of a key's family; disabled keys have a separate one. */
export function keySubject(key: Metered): Subject {
  const kind = key.state === 'disabled' ? 'disabled' : 'key';
  return { identity: `${kind}:${key.family}`, tier: key.tier };
}

/**
 * The budget of one client of an embed key's family.
 *
 * @param isWelcome whether the request is also charged to the shared budget of all clients: rejected requests of
 *   other origins must not exhaust it.
 */
export function embedSubject(key: Metered, address: string | undefined, isWelcome: boolean): Subject {
  // The braces are a hash tag, which keeps both on one server of a cluster.
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

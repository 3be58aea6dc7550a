import { addressBucket } from '../../lib/http/addresses.ts';
import type { Owner } from '../../lib/loop/time-slices.ts';
import type { Tier, tierTexts } from './tiers.ts';

/** The owner of a budget, and its size. The work of all clients of an embed key takes turns as that of one owner. */
export interface Subject extends Owner {
  readonly name: string;
  /** The tier whose limit applies; an account has a separate limit. */
  readonly tier: keyof typeof tierTexts;
  /** The limit of a key that has its own; null or absent: that of the tier. */
  readonly rateLimit?: number | null | undefined;
  /** A budget shared by all clients of an embed key, which is charged as well. */
  readonly common?: string;
}

interface Metered extends Pick<Subject, 'rateLimit'> {
  readonly family: string;
  readonly tier: Tier;
  readonly state: 'active' | 'disabled';
}

/** The budget of a key's family; disabled keys have a separate one. */
export function keySubject(key: Metered): Subject {
  const kind = key.state === 'disabled' ? 'disabled' : 'key';
  return subject(`${kind}:${key.family}`, key.tier, key.rateLimit);
}

/**
 * The budget of one client of an embed key's family.
 *
 * @param isWelcome whether the request is also charged to the shared budget of all clients: rejected requests of
 *   other origins must not exhaust it.
 */
export function embedSubject(key: Metered, address: string | undefined, isWelcome: boolean): Subject {
  const { tier, rateLimit } = key;
  // The braces are a hash tag, which keeps both on one server of a cluster.
  const common = `embed:{${key.family}}`;
  if (key.state === 'disabled' || !isWelcome) {
    const kind = key.state === 'disabled' ? 'disabled' : 'embed';
    return subject(`${kind}:{${key.family}}:${addressBucket(address)}`, tier, rateLimit);
  }
  return { name: `${common}:${addressBucket(address)}`, tier, rateLimit, common, ownerId: common };
}

/** The budget of an address's requests without a valid key. */
export function addressSubject(address: string | undefined): Subject {
  return subject(`address:${addressBucket(address)}`, 'standard');
}

/** The budget of an account for requests without a key: those of GraphiQL. */
export function accountSubject(id: string): Subject {
  return subject(`account:${id}`, 'account');
}

function subject(name: string, tier: Subject['tier'], rateLimit?: number | null): Subject {
  return { name, tier, rateLimit, ownerId: name };
}

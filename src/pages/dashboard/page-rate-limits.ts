import type { Counter, Reservation } from '../../rate-limit/counter.ts';

/**
 * Pages that can be requested in a minute: by one account, by all browsers that signed in to one before, and by one
 * address, which many people may share.
 */
const limits = { account: 120, browsers: 120, address: 600 } as const;

/** Counts a page request: of an address or known browsers, before anything is looked up, or of an account. */
export async function reservePage(
  counter: Counter,
  by: keyof typeof limits,
  identity: string,
): Promise<Reservation> {
  return counter.reserve(`dashboard:pages:${by}:${identity}`, 1, limits[by]);
}

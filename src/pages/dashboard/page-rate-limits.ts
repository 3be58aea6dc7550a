import type { Counter, Reservation } from '../../rate-limit/counter.ts';
import { addressSubject } from '../../rate-limit/subject.ts';
import type { GatewayRequest } from '../../server/request-response.ts';
import type { Visitor } from './page.ts';

/**
 * Pages that one account may request in a minute, all browsers that signed in to one before, and one address, which
 * many people may share.
 */
const PAGES_OF_ACCOUNT = 120;
const PAGES_OF_BROWSERS = 120;
const PAGES_OF_ADDRESS = 600;

/** Counts a page request of an address or known browsers, before anything is looked up, or of an account. */
export async function reservePage(
  counter: Counter,
  of: Pick<GatewayRequest, 'address'> | { readonly browsersOf: string } | Pick<Visitor, 'id'>,
): Promise<Reservation> {
  const [identity, limit] =
    'id' in of
      ? [of.id, PAGES_OF_ACCOUNT]
      : 'browsersOf' in of
        ? [`browsers:${of.browsersOf}`, PAGES_OF_BROWSERS]
        : [addressSubject(of.address).identity, PAGES_OF_ADDRESS];
  return counter.reserve(`dashboard:pages:${identity}`, 1, limit);
}

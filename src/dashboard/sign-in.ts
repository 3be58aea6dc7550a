import type { GatewayRequest } from '../handler.ts';
import { addressSubject } from '../rate-limit/subject.ts';
import { addressDigest } from './address-digest.ts';
import type { AuthAnswer } from './auth.ts';
import type { Services } from './services.ts';

/** Attempts for one account from one address in a minute. */
const ATTEMPTS_FROM_ADDRESS = 10;
/** Attempts for one account in a minute, from all addresses: so many that one address cannot lock its holder out. */
const ATTEMPTS_IN_ALL = 100;

/** Checks a password. All pages that require one to sign in use this function. */
export async function trySignIn(
  { auth, counter }: Pick<Services, 'auth' | 'counter'>,
  request: GatewayRequest,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<AuthAnswer> {
  const identity = `dashboard:sign-in:${addressDigest(email)}`;
  const buckets = [
    { identity: `${identity}:${addressSubject(request.address).identity}`, limit: ATTEMPTS_FROM_ADDRESS },
    { identity, limit: ATTEMPTS_IN_ALL },
  ];
  const { admitted } = await counter.reserveAll(buckets, 1);
  return admitted
    ? auth.post(request, '/sign-in/email', { email, password })
    : { status: 429, code: undefined, body: {}, cookies: [], location: undefined };
}

import type { GatewayRequest } from '../exchange.ts';
import { addressDigest } from './address-digest.ts';
import type { AuthAnswer } from './auth.ts';
import type { Services } from './services.ts';

/** Attempts for one account in a minute, from wherever they come. */
const ATTEMPTS_PER_MINUTE = 10;

/**
 * Tries a password. Whatever page asks for one to sign in, asks here: attempts are counted for the account as
 * well as for the client's address.
 */
export async function trySignIn(
  { auth, counter }: Pick<Services, 'auth' | 'counter'>,
  request: GatewayRequest,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<AuthAnswer> {
  const identity = `dashboard:sign-in:${addressDigest(email)}`;
  const { admitted } = await counter.reserve(identity, 1, ATTEMPTS_PER_MINUTE);
  return admitted
    ? auth.post(request, '/sign-in/email', { email, password })
    : { status: 429, code: undefined, body: {}, cookies: [], location: undefined };
}

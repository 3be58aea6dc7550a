import type { GatewayRequest } from '../../../lib/http/request-response.ts';
import { digestOf } from '../../../lib/text/digest.ts';
import type { Counter } from '../../limits/counter.ts';
import { addressSubject } from '../../limits/subject.ts';
import { type Auth, type AuthAnswer, tooManyAttempts } from './auth.ts';

/** Attempts in a minute from one address, or of one browser that signed in to the account before. */
const ATTEMPTS = 10;
/** Attempts for one account in a minute of all such browsers together: whoever has an account can collect their ids. */
const ATTEMPTS_OF_KNOWN = 30;
/** Attempts for one account in a minute of all other browsers together. */
const ATTEMPTS_OF_STRANGERS = 100;

/**
 * Checks a password. All pages that require one to sign in use this function. It limits the attempts. A browser that
 * signed in to the account before has its own limit, so that wrong guesses of others do not keep its user out.
 *
 * @throws ApiError RATE_LIMITED for too many attempts.
 */
export async function trySignIn(
  { auth, counter, now }: { readonly auth: Auth; readonly counter: Counter; readonly now: () => number },
  request: GatewayRequest,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<AuthAnswer> {
  const browser = auth.browsers.find(request, email);
  // Counters do not store the address.
  const account = digestOf(email.toLowerCase());
  const bucket = (name: string, limit: number) => ({ name: `dashboard:sign-in:${name}`, limit });
  const { admitted, resetAt } = await counter.reserveAll(
    browser === undefined
      ? [bucket(addressSubject(request.address).name, ATTEMPTS), bucket(account, ATTEMPTS_OF_STRANGERS)]
      : [bucket(`browser:${browser}`, ATTEMPTS), bucket(`browsers:${account}`, ATTEMPTS_OF_KNOWN)],
    1,
  );
  if (!admitted) {
    throw tooManyAttempts(resetAt - now());
  }
  const answer = await auth.post(request, '/sign-in/email', { email, password });
  return answer.status === 200 && browser === undefined
    ? { ...answer, cookies: [...answer.cookies, auth.browsers.remember(email)] }
    : answer;
}

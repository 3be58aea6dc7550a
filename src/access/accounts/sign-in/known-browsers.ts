import { createHmac } from 'node:crypto';
import { parse, serialize } from 'hono/utils/cookie';
import type { GatewayRequest } from '../../../lib/http/request-response.ts';
import { randomBase62 } from '../../../lib/text/base62.ts';
import { isSameSecret } from '../../../lib/text/digest.ts';
import { type AuthOptions, cookiePrefix } from './better-auth.ts';

/** The longest time for which browsers keep a cookie. */
const MAX_AGE_SECONDS = 400 * 86_400;
const ID_DIGITS = 16;
/** Of a request, the most cookies that are checked before anything is counted. */
const CHECKED_MAX = 5;

/**
 * Browsers that signed in to an account before. Their attempts are counted separately, so that wrong guesses of
 * others never keep the holder of an account from signing in. Their ids are signed, and nothing is stored: the cookie
 * remains when the browser signs out.
 */
export function createKnownBrowsers(options: Pick<AuthOptions, 'origin' | 'secret' | 'randomBytes'>) {
  const { origin, secret, randomBytes } = options;
  const prefix = `${cookiePrefix(origin)}.browser-`;
  const attributes = {
    path: '/',
    httpOnly: true,
    secure: origin.startsWith('https:'),
    sameSite: 'Lax',
  } as const;
  const sign = (text: string): string => createHmac('sha256', secret).update(text).digest('base64url');
  // One cookie for each account. Its name does not reveal the address.
  const nameFor = (email: string): string =>
    prefix + sign(`cookie name of ${email.toLowerCase()}`).slice(0, 16);
  const signatureOf = (name: string, id: string): string => sign(`known browser ${name} ${id}`);
  const read = (name: string, value = ''): string | undefined => {
    const [id = '', signature = ''] = value.split('.');
    return isSameSecret(signature, signatureOf(name, id)) ? id : undefined;
  };
  const cookiesOf = (request: GatewayRequest) => parse(request.header('cookie') ?? '');
  return {
    /** The id of a browser that signed in to the account of an email address before; undefined for another browser. */
    find(request: GatewayRequest, email: string): string | undefined {
      const name = nameFor(email);
      return read(name, cookiesOf(request)[name]);
    },
    /** An account that a browser signed in to before, under a name that does not reveal it; undefined for another browser. */
    findAccount(request: GatewayRequest): string | undefined {
      const own = Object.entries(cookiesOf(request)).filter(([name]) => name.startsWith(prefix));
      return own.slice(0, CHECKED_MAX).find(([name, value]) => read(name, value) !== undefined)?.[0];
    },
    /** Gives a browser that signed in an id: a line of Set-Cookie. */
    remember(email: string): string {
      const name = nameFor(email);
      const id = randomBase62(ID_DIGITS, randomBytes);
      return serialize(name, `${id}.${signatureOf(name, id)}`, { ...attributes, maxAge: MAX_AGE_SECONDS });
    },
    /** Removes the id: a line of Set-Cookie. */
    forget: (email: string): string => serialize(nameFor(email), '', { ...attributes, maxAge: 0 }),
  };
}

import { findPolicyAcceptance } from '../../../access/accounts/change.ts';
import type { RateLimitState } from '../../../access/limits/limiter.ts';
import { addressSubject } from '../../../access/limits/subject.ts';
import type { AuthenticateSession } from '../../../api/gateway/authentication.ts';
import { ApiError } from '../../../lib/errors.ts';
import { isSameSecret } from '../../../lib/text/digest.ts';
import { allowedOrigins, isOwnForm, reservePage, TOO_MANY_PAGES } from '../../page/access.ts';
import { page, someoneOf } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { SESSION_PATH } from '../../shared/paths.ts';

/** A script of another origin cannot set this header: its browser sends a preflight first, which is rejected. */
const TOKEN_HEADER = 'x-csrf-token';

/**
 * Creates the check of a request with a session in place of a key. The cookie alone is not enough: the request
 * must come from a page of ours, with the token that only such a page can read. A request that fails one of these
 * checks is charged to its address, so that it cannot use up the budget of another user.
 */
export function createSessionAccess(services: Services): AuthenticateSession {
  const { auth, counter, origin, policy, prisma } = services;
  const origins = allowedOrigins(origin);
  return async (request) => {
    if (!isOwnForm(request, origins)) {
      const message =
        'Only pages of this server can use a session. Send the request to /graphql with an API key.';
      return { refusal: new ApiError('ORIGIN_NOT_ALLOWED', message) };
    }
    const { name } = addressSubject(request.address);
    const { admitted, limit, resetAt } = await reservePage(counter, 'address', name);
    if (!admitted) {
      const exceeded: RateLimitState = {
        admitted,
        limit,
        remaining: 0,
        before: 0,
        resetAt,
        cost: undefined,
        tier: 'account',
      };
      return {
        refusal: new ApiError('RATE_LIMITED', `${TOO_MANY_PAGES} Wait a moment, then try again.`),
        exceeded,
      };
    }
    const { visitor, cookies } = await auth.visitor(request);
    if (visitor === undefined) {
      const message = 'You are not signed in, or your session has ended. Sign in again, or use an API key.';
      return { refusal: new ApiError('UNAUTHENTICATED', message), cookies };
    }
    if (!isSameSecret(request.header(TOKEN_HEADER) ?? '', auth.csrfToken(visitor))) {
      const message = `${TOKEN_HEADER}: missing, or not of this session. Reload the page.`;
      return { refusal: new ApiError('CSRF_TOKEN_INVALID', message), cookies };
    }
    const access = { accountId: visitor.id, cookies };
    if ((await findPolicyAcceptance(prisma, visitor.id, policy.version)) === null) {
      const message = `Your account has not accepted version ${policy.version} of the acceptable-use policy.`;
      return { ...access, refusal: new ApiError('POLICY_NOT_ACCEPTED', message) };
    }
    return access;
  };
}

/** Returns the signed-in user to a page of ours. No other origin can read the answer. */
export const sessionPages = ({ auth, policy, prisma }: Services) => [
  page({
    path: SESSION_PATH,
    view: async (visit) => {
      const visitor = someoneOf(visit);
      const account = visitor && {
        email: visitor.email,
        hasAcceptedPolicy: (await findPolicyAcceptance(prisma, visitor.id, policy.version)) !== null,
        token: auth.csrfToken(visitor),
      };
      const headers = { 'Cross-Origin-Resource-Policy': 'same-origin' };
      return visit.context.json({ account: account ?? null }, 200, headers);
    },
  }),
];

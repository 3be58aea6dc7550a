import type { AuthAnswer } from '../../access/accounts/sign-in/auth.ts';
import { AUTH_BASE } from '../../access/accounts/sign-in/better-auth.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import { OperatorError } from '../../lib/errors.ts';
import type { Html } from '../shared/jsx.ts';
import { FACTOR_PATH } from './access.ts';
import { EXPLORER_PATH } from './explorer/query.ts';
import { emailField, formPage, PostForm, passwordField, readEmail } from './forms.tsx';
import { keepNext, page, safeNext, someoneOf, takeNext, type Visit } from './page.ts';
import type { Services } from './services.ts';

/** The button leads to GitHub. */
export const GITHUB = 'https://github.com';

/** Where a visitor comes back whom GitHub has signed in, if no other page was asked for. */
const SIGNED_IN = '/dashboard/keys';

/** Where a visitor comes back whom GitHub could not sign in. */
const REFUSED = '/dashboard/sign-in?notice=github-refused';

/**
 * Leads those who have signed in to where they wanted to go, by way of the second factor.
 *
 * @param next where that is; by default, what was kept.
 */
export function welcome({ origin }: Services, { context }: Visit, { body, cookies }: AuthAnswer, next = '') {
  const kept = takeNext(context);
  const wanted = safeNext(next || kept, origin);
  const { twoFactorEnabled } = (body.user ?? {}) as { twoFactorEnabled?: boolean };
  const to = twoFactorEnabled === true ? `${FACTOR_PATH}?next=${encodeURIComponent(wanted)}` : wanted;
  return { to, cookies };
}

/** Signing in and out, with a password or with GitHub. */
export function signInPages(services: Services) {
  const { auth, hasGithub, isInvitedOnly, origin } = services;
  const signIn = page({
    path: '/dashboard/sign-in',
    view: (visit) => {
      const { context, sent, query } = visit;
      if (someoneOf(visit) !== undefined && context.req.method === 'GET') {
        return safeNext(query('next'), origin);
      }
      const next = sent.values.next ?? query('next') ?? '';
      if (next !== '') {
        keepNext(context, next);
      }
      const isAgain = sent.values.email !== undefined;
      return formPage(visit, {
        title: 'Sign in',
        button: 'Sign in',
        hidden: next === '' ? {} : { next },
        formTargets: hasGithub ? [GITHUB] : [],
        text: next.startsWith(EXPLORER_PATH)
          ? `${next.startsWith(`${EXPLORER_PATH}/`) ? 'This startup is' : 'The explorer is'} open to ` +
            'people with an account, who have agreed not to copy the data. An account is free.'
          : undefined,
        fields: [emailField({ isFirst: !isAgain }), passwordField({ isFirst: isAgain })],
        below: (
          <>
            {hasGithub && githubButton('Sign in with GitHub')}
            <p class="soft">
              {isInvitedOnly ? (
                'To get an account, ask the operator of this server for a link.'
              ) : (
                <>
                  No account yet? <a href="/dashboard/sign-up">Sign up</a>.
                </>
              )}
              <br />
              Forgot your password? <a href="/dashboard/forgotten-password">Get a new one</a>.
            </p>
          </>
        ),
      });
    },
    forms: {
      '': async (visit) => {
        const { form } = visit;
        const credentials = { email: readEmail(form), password: form.password ?? '' };
        const answer = await trySignIn(services, visit.context.env.request, credentials);
        if (answer.status !== 200) {
          // The same answer for an unknown address, a wrong password and an unconfirmed address: it does not disclose
          // who has an account.
          throw new OperatorError(
            'Email address and password do not match, or the address is not confirmed yet. To confirm it, open the link that you got when you signed up.',
          );
        }
        return welcome(services, visit, answer, form.next);
      },
      '/dashboard/sign-out': async ({ context }) => {
        const { cookies } = await auth.post(context.env.request, '/sign-out', {});
        return { to: '/dashboard/sign-in?notice=left', cookies };
      },
      ...(hasGithub && {
        '/dashboard/github': (visit: Visit) =>
          toGithub(services, visit, '/sign-in/social', SIGNED_IN, REFUSED),
      }),
    },
  });
  const fromGithub = page({
    path: `${AUTH_BASE}/callback/github`,
    view: async ({ context }) => {
      const { request } = context.env;
      const { location = REFUSED, cookies } = await auth.get(request, `/callback/github?${request.query}`);
      const next = location === SIGNED_IN ? (takeNext(context) ?? location) : location;
      return { to: safeNext(next, origin), cookies };
    },
  });
  return hasGithub ? [signIn, fromGithub] : [signIn];
}

/** Leads to GitHub, which leads back to one of two pages. */
export async function toGithub(
  { auth }: Services,
  { context }: Visit,
  path: '/sign-in/social' | '/link-social',
  callbackURL: string,
  errorCallbackURL: string,
) {
  const sent = { provider: 'github', callbackURL, errorCallbackURL };
  const { body, cookies } = await auth.post(context.env.request, path, sent);
  return { to: String(body.url ?? errorCallbackURL), cookies };
}

/** The button that leads to GitHub, under a form of ours. */
export function githubButton(label: string): Html {
  return (
    <>
      <p class="soft">or</p>
      <PostForm action="/dashboard/github" button={label} kind="second" isWide />
    </>
  );
}

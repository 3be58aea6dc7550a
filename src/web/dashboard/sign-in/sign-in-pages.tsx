import { isOperator } from '../../../access/accounts/operators.ts';
import { AUTH_BASE } from '../../../access/accounts/sign-in/better-auth.ts';
import { trySignIn } from '../../../access/accounts/sign-in/sign-in.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { emailField, PostForm, passwordField, readEmail } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import {
  type Form,
  keepNext,
  type Outcome,
  page,
  safeNext,
  setCookies,
  someoneOf,
  takeNext,
  type Visit,
} from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { GITHUB, toGithub } from '../../parts/accounts/github.ts';
import { count } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import {
  EXPLORER_PATH,
  FACTOR_PATH,
  FORGOTTEN_PASSWORD_PATH,
  HOME_PATH,
  NEW_KEY_PATH,
  SIGN_IN_PATH,
  SIGN_UP_PATH,
} from '../../shared/paths.ts';
import { startFactor } from './second-factor-pages.tsx';

/** Where a visitor comes back whom GitHub could not sign in. */
const REFUSED = withNotice(SIGN_IN_PATH, 'github-refused');

/**
 * Signs in with a password, and leads to where the visitor wanted to go, by way of the second factor. Who has none and
 * needs one sets it up at once, as it takes the password.
 *
 * @param next where the visitor wanted to go; by default, what was kept, and without both the page of its role.
 * @returns undefined for a wrong password.
 */
export async function signIn(
  services: Services,
  { context }: Visit,
  credentials: { readonly email: string; readonly password: string },
  next = '',
  fallback: string = HOME_PATH,
): Promise<Outcome | undefined> {
  const { operators, requiresFactor, origin } = services;
  const { request } = context.env;
  const { status, body, cookies } = await trySignIn(services, request, credentials);
  if (status !== 200) {
    return undefined;
  }
  const user = body.user as Parameters<typeof isOperator>[0] & { id: string; twoFactorEnabled?: boolean };
  const kept = takeNext(context);
  const isAsked = next.startsWith(FACTOR_PATH);
  const to = safeNext(isAsked ? '' : next || kept, origin, fallback);
  if (user.twoFactorEnabled) {
    return { to: `${FACTOR_PATH}?next=${encodeURIComponent(to)}`, cookies };
  }
  if (isAsked || (requiresFactor && isOperator(user, operators))) {
    setCookies(context, cookies);
    const cookie = cookies.map((line) => line.split(';', 1)[0]).join('; ');
    const sender = {
      address: request.address,
      header: (name: string) => (name === 'cookie' ? cookie : request.header(name)),
    };
    return startFactor(services, { ...user, ...credentials, isOperator: true }, sender, to);
  }
  return { to, cookies };
}

/** Signing in and out, with a password or with GitHub. */
export function signInPages(services: Services) {
  const { auth, hasGithub, isInvitedOnly, origin } = services;
  const fromGithub = page({
    path: `${AUTH_BASE}/callback/github`,
    view: async ({ context }) => {
      const { request } = context.env;
      const { location = REFUSED, cookies } = await auth.get(request, `/callback/github?${request.query}`);
      const next = location === HOME_PATH ? (takeNext(context) ?? location) : location;
      return { to: safeNext(next, origin), cookies };
    },
  });
  return [
    page({
      path: '/dashboard/sign-in',
      view: (visit) => {
        const { context, sent, query } = visit;
        if (someoneOf(visit) !== undefined && context.req.method === 'GET') {
          return safeNext(query('next'), origin);
        }
        const isAgain = sent.values.email !== undefined;
        return {
          title: 'Sign in',
          button: 'Sign in',
          ...asked(services, visit, 'Sign in'),
          formTargets: hasGithub ? [GITHUB] : [],
          fields: [emailField({ isFirst: !isAgain }), passwordField({ isFirst: isAgain })],
          below: [
            hasGithub && githubButton('Sign in with GitHub'),
            <p class="soft">
              {isInvitedOnly ? (
                'To get an account, ask the operator of this server for a link.'
              ) : (
                <>
                  No account yet? <a href={SIGN_UP_PATH}>Sign up</a>.
                </>
              )}
              <br />
              Forgot your password? <a href={FORGOTTEN_PASSWORD_PATH}>Reset it</a>.
            </p>,
          ],
        };
      },
      act: async (visit) => {
        const { password = '', next } = visit.form;
        const outcome = await signIn(services, visit, { email: readEmail(visit.form), password }, next);
        if (outcome === undefined) {
          // The same answer for an unknown address, a wrong password and an unconfirmed address: it does not disclose
          // who has an account.
          throw new OperatorError(
            'Wrong email address or password. Just signed up? Open the link that we sent you first.',
          );
        }
        return outcome;
      },
      forms: {
        ...(hasGithub && {
          '/dashboard/github': (visit: Visit) =>
            toGithub(services, visit, '/sign-in/social', HOME_PATH, REFUSED),
        }),
      },
    }),
    page({
      path: '/dashboard/sign-out',
      // Pages that know no account cannot send the form, and lead here.
      view: (visit) =>
        someoneOf(visit) === undefined ? '/dashboard/sign-in' : { title: 'Sign out?', button: 'Sign out' },
      act: async ({ context }) => {
        const { cookies } = await auth.post(context.env.request, '/sign-out', {});
        return { to: withNotice(SIGN_IN_PATH, 'left'), cookies };
      },
    }),
    ...(hasGithub ? [fromGithub] : []),
  ];
}

/** What the forms to sign in and up keep and say of the page that a visitor has asked for. */
export function asked(
  { node }: Services,
  { context, sent, query }: Visit,
  todo: 'Sign in' | 'Create a free account',
): { hidden: Form; text?: string } {
  const next = sent.values.next ?? query('next') ?? '';
  if (next === '') {
    return { hidden: {} };
  }
  keepNext(context, next);
  const aim = next.startsWith(EXPLORER_PATH)
    ? `see all ${count(node.catalogue.current().size)} startups`
    : next === NEW_KEY_PATH
      ? 'get an API key'
      : undefined;
  return {
    hidden: { next },
    ...(aim !== undefined && { text: `${todo} to ${aim}.` }),
  };
}

/** The button that leads to GitHub, under a form of ours. */
export function githubButton(label: string): Content {
  return [
    <p class="soft">or</p>,
    <PostForm action="/dashboard/github" button={label} kind="second" isWide />,
  ];
}

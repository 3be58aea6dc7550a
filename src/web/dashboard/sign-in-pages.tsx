import { Hono } from 'hono';
import { AUTH_BASE } from '../../access/accounts/sign-in/better-auth.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import { OperatorError } from '../../lib/errors.ts';
import type { Html } from '../shared/jsx.ts';
import { FACTOR_PATH } from './access.ts';
import { EXPLORER_PATH } from './explorer/query.ts';
import { action, type SentForm, view } from './form-actions.ts';
import { emailField, PostForm, passwordField, readEmail } from './forms.tsx';
import { safeNext } from './next.ts';
import { type DashboardEnv, keepNext, type Page, type PageContext, redirect, takeNext } from './page.ts';
import type { Services } from './services.ts';

/** The button leads to GitHub. */
export const GITHUB = 'https://github.com';

/** Where a visitor comes back whom GitHub has signed in, if no other page was asked for. */
const SIGNED_IN = '/dashboard/keys';

/** Where a visitor comes back whom GitHub could not sign in. */
const REFUSED = '/dashboard/sign-in?notice=github-refused';

/** Signing in and out, with a password or with GitHub. */
export function signInRoutes(services: Services): Hono<DashboardEnv> {
  const { auth, hasGithub, isInvitedOnly, origin } = services;

  const page = (context: PageContext, sent: SentForm): Page => {
    const next = sent.values.next ?? context.req.query('next') ?? '';
    if (next !== '') {
      keepNext(context, next);
    }
    const isAgain = sent.values.email !== undefined;
    return {
      title: 'Sign in',
      isNarrow: true,
      formTargets: hasGithub ? [GITHUB] : [],
      main: (
        <>
          {next.startsWith(EXPLORER_PATH) && (
            <p class="lead">
              {next.startsWith(`${EXPLORER_PATH}/`) ? 'This startup is' : 'The explorer is'} open to people
              with an account, who have agreed not to copy the data. An account is free.
            </p>
          )}
          <div class="card">
            <PostForm
              action="/dashboard/sign-in"
              button="Sign in"
              isWide
              hidden={next === '' ? {} : { next }}
            >
              {emailField({ sent, isFirst: !isAgain })}
              {passwordField({ isFirst: isAgain })}
            </PostForm>
            {hasGithub && githubButton('Sign in with GitHub')}
          </div>
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
    };
  };

  const signIn = async (context: PageContext): Promise<Response> => {
    const { form } = context.var;
    const credentials = { email: readEmail(form), password: form.password ?? '' };
    const answer = await trySignIn(services, context.env.request, credentials);
    if (answer.status !== 200) {
      // The same answer for an unknown address, a wrong password and an unconfirmed address: it does not disclose
      // who has an account.
      throw new OperatorError(
        'Email address and password do not match, or the address is not confirmed yet. To confirm it, open the link that you got when you signed up.',
      );
    }
    const kept = takeNext(context);
    const next = safeNext(form.next ?? kept, origin);
    const { twoFactorEnabled } = (answer.body.user ?? {}) as { twoFactorEnabled?: boolean };
    const page = twoFactorEnabled === true ? `${FACTOR_PATH}?next=${encodeURIComponent(next)}` : next;
    return redirect(context, page, answer.cookies);
  };

  const leave = async (context: PageContext): Promise<Response> => {
    const { cookies } = await auth.post(context.env.request, '/sign-out', {});
    return redirect(context, '/dashboard/sign-in?notice=left', cookies);
  };

  const toGithub = async (context: PageContext): Promise<Response> => {
    const answer = await auth.post(context.env.request, '/sign-in/social', {
      provider: 'github',
      callbackURL: SIGNED_IN,
      errorCallbackURL: REFUSED,
    });
    return redirect(context, String(answer.body.url ?? REFUSED), answer.cookies);
  };

  const fromGithub = async (context: PageContext): Promise<Response> => {
    const { request } = context.env;
    const answer = await auth.get(request, `/callback/github?${request.query}`);
    const { location = REFUSED } = answer;
    const next = location === SIGNED_IN ? (takeNext(context) ?? location) : location;
    return redirect(context, safeNext(next, origin), answer.cookies);
  };

  const app = new Hono<DashboardEnv>()
    .get('/dashboard/sign-in', (context) =>
      context.var.visitor === undefined
        ? view(page)(context)
        : redirect(context, safeNext(context.req.query('next'), origin)),
    )
    .post('/dashboard/sign-in', action(page, signIn))
    .post('/dashboard/sign-out', leave);
  if (hasGithub) {
    app.post('/dashboard/github', toGithub).get(`${AUTH_BASE}/callback/github`, fromGithub);
  }
  return app;
}

/** The button that leads to GitHub, under a form of ours. */
export function githubButton(label: string): Html {
  return (
    <>
      <p class="soft or">or</p>
      <PostForm action="/dashboard/github" button={label} kind="second" isWide />
    </>
  );
}

import { Hono } from 'hono';
import { Notice, type Tone } from '../shared/components.tsx';
import { AUTH_BASE } from './better-auth.ts';
import { emailField, PostForm, passwordField, readEmail } from './forms.tsx';
import { type DashboardEnv, type PageContext, redirect } from './page.ts';
import type { Services } from './services.ts';
import { trySignIn } from './sign-in.ts';

/** The button leads to GitHub. */
export const GITHUB = 'https://github.com';

/** Why the visitor came to this page. */
const notices: ReadonlyMap<string, readonly [text: string, tone: Tone]> = new Map([
  ['expired', ['Your session has ended. Sign in, and send the form again.', 'warn']],
  ['left', ['You are signed out.', 'good']],
  ['password', ['Your new password is set. Sign in with it.', 'good']],
  ['deleted', ['Your account is deleted, and its keys are revoked.', 'good']],
  [
    'github',
    [
      'GitHub could not sign you in. If you have an account with this address, sign in with your password and link GitHub on the page of your account. If not, GitHub must have verified your address.',
      'wrong',
    ],
  ],
]);

/** Signing in and out, with a password or with GitHub. */
export function signInRoutes(services: Services): Hono<DashboardEnv> {
  const { auth, hasGithub, origin } = services;

  const page = (context: PageContext, error?: string): Response => {
    const { form } = context.var;
    const next = form.next ?? context.req.query('next') ?? '';
    const done = notices.get(context.req.query('notice') ?? '');
    return context.render({
      errors: error === undefined ? [] : [error],
      title: 'Sign in',
      isNarrow: true,
      formTargets: hasGithub ? [GITHUB] : [],
      main: (
        <>
          {error === undefined && done !== undefined && <Notice tone={done[1]}>{done[0]}</Notice>}
          <div class="card">
            <PostForm action="/dashboard/sign-in" button="Sign in" isWide>
              {next !== '' && <input type="hidden" name="next" value={next} />}
              {emailField({ value: form.email ?? '', isFirst: error === undefined })}
              {passwordField({ isFirst: error !== undefined })}
            </PostForm>
            {hasGithub && githubButton('Sign in with GitHub')}
          </div>
          <p class="soft">
            No account yet? <a href="/dashboard/sign-up">Sign up</a>. Forgot your password?{' '}
            <a href="/dashboard/forgotten-password">Get a new one</a>.
          </p>
        </>
      ),
    });
  };

  const signIn = async (context: PageContext): Promise<Response> => {
    const { form } = context.var;
    const credentials = { email: readEmail(form), password: form.password ?? '' };
    const answer = await trySignIn(services, context.env.request, credentials);
    if (answer.status === 200) {
      return redirect(context, safeNext(form.next, origin), answer.cookies);
    }
    // The same answer for an unknown address, a wrong password and an unconfirmed address: it does not disclose
    // who has an account.
    return page(
      context,
      'Email address and password do not match, or the address is not confirmed yet. To confirm it, open the link that you got when you signed up.',
    );
  };

  const leave = async (context: PageContext): Promise<Response> => {
    const { cookies } = await auth.post(context.env.request, '/sign-out', {});
    return redirect(context, '/dashboard/sign-in?notice=left', cookies);
  };

  const toGithub = async (context: PageContext): Promise<Response> => {
    const answer = await auth.post(context.env.request, '/sign-in/social', {
      provider: 'github',
      callbackURL: '/dashboard/keys',
      errorCallbackURL: '/dashboard/sign-in?notice=github',
    });
    const location = String(answer.body.url ?? '/dashboard/sign-in?notice=github');
    return redirect(context, location, answer.cookies);
  };

  const fromGithub = async (context: PageContext): Promise<Response> => {
    const { request } = context.env;
    const answer = await auth.get(request, `/callback/github?${request.query}`);
    const location = answer.location ?? '/dashboard/sign-in?notice=github';
    return redirect(context, safeNext(location, origin), answer.cookies);
  };

  const app = new Hono<DashboardEnv>()
    .get('/dashboard/sign-in', (context) =>
      context.var.visitor === undefined
        ? page(context)
        : redirect(context, safeNext(context.req.query('next'), origin)),
    )
    .post('/dashboard/sign-in', signIn)
    .post('/dashboard/sign-out', leave);
  if (hasGithub) {
    app.post('/dashboard/github', toGithub).get(`${AUTH_BASE}/callback/github`, fromGithub);
  }
  return app;
}

/** The button that leads to GitHub, under a form of ours. */
export function githubButton(label: string) {
  return (
    <>
      <p class="soft or">or</p>
      <PostForm action="/dashboard/github" button={label} kind="second" isWide />
    </>
  );
}

/** The page of the dashboard, or GraphiQL, to continue with; never a page of another site. */
function safeNext(next: string | undefined, origin: string): string {
  const fallback = '/dashboard/keys';
  if (next === undefined || next === '' || !URL.canParse(next, origin)) {
    return fallback;
  }
  const url = new URL(next, origin);
  if (url.origin !== new URL(origin).origin) {
    return fallback;
  }
  if (url.pathname === '/graphql') {
    // Without its query, which could contain an operation.
    return url.pathname;
  }
  return /^\/dashboard(\/|$)/.test(url.pathname) ? `${url.pathname}${url.search}` : fallback;
}

import { EMAIL_MAX } from '../accounts/account.ts';
import { html } from '../html.ts';
import { demandAnswer } from './auth-faults.ts';
import { AUTH_BASE } from './better-auth.ts';
import { field, notice, readEmail } from './forms.ts';
import { open, type Page, type PageContext, type Reply, type Route } from './page.ts';
import type { Services } from './services.ts';
import { trySignIn } from './sign-in.ts';

/** GitHub is where its button leads. */
export const GITHUB = 'https://github.com';

/** What brought somebody here. */
const notices: Readonly<Record<string, { text: string; kind: 'good' | 'warn' | 'wrong' }>> = {
  expired: { text: 'Your session has ended. Sign in, and send the form again.', kind: 'warn' },
  left: { text: 'You are signed out.', kind: 'good' },
  password: { text: 'Your new password is set. Sign in with it.', kind: 'good' },
  deleted: { text: 'Your account is deleted, and its keys are revoked.', kind: 'good' },
  github: {
    text: 'GitHub could not sign you in. If you have an account with this address, sign in with your password and link GitHub on the page of your account. If not, GitHub must have verified your address.',
    kind: 'wrong',
  },
};

/** Signing in and out, with a password or with GitHub. */
export function signInRoutes(services: Services): Route[] {
  const { auth, hasGithub, origin } = services;

  const page = (context: PageContext, fault?: { status: number; text: string }): Page => {
    const next = context.form.get('next') ?? context.query.get('next') ?? '';
    const told = notices[context.query.get('notice') ?? ''];
    return {
      status: fault?.status ?? 200,
      title: 'Sign in',
      isNarrow: true,
      formTargets: hasGithub ? [GITHUB] : [],
      main: html`${fault !== undefined && notice(fault.text, 'wrong')}${fault === undefined && told !== undefined && notice(told.text, told.kind)}
<div class="card">
<form class="stack" method="post" action="/dashboard/sign-in">
${next !== '' && html`<input type="hidden" name="next" value="${next}">`}
${field({ name: 'email', label: 'E-mail address', type: 'email', autocomplete: 'username', value: context.form.get('email') ?? '', maxLength: EMAIL_MAX, isFirst: fault === undefined })}
${field({ name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password', maxLength: 128, isFirst: fault !== undefined })}
<button class="full">Sign in</button>
</form>
${hasGithub && githubButton('Sign in with GitHub')}
</div>
<p class="soft">No account yet? <a href="/dashboard/sign-up">Sign up</a>. Forgot your password? <a href="/dashboard/forgotten-password">Get a new one</a>.</p>`,
    };
  };

  const signIn = async (context: PageContext): Promise<Reply> => {
    const { request, form } = context;
    const email = readEmail(form);
    const answer = await trySignIn(services, request, { email, password: form.get('password') ?? '' });
    if (answer.status === 429) {
      return page(context, { status: 429, text: 'Too many attempts. Wait a minute, then try again.' });
    }
    if (answer.status === 200) {
      return { location: safeNext(form.get('next'), origin), cookies: answer.cookies };
    }
    demandAnswer(answer);
    // One answer for an unknown address, a wrong password and an address not confirmed: it tells nobody
    // who has an account.
    return page(context, {
      status: 400,
      text: 'Address and password do not match, or the address is not confirmed yet: open the link in the mail that we sent you.',
    });
  };

  const leave = async ({ request }: PageContext): Promise<Reply> => {
    const { cookies } = await auth.post(request, '/sign-out', {});
    return { location: '/dashboard/sign-in?notice=left', cookies };
  };

  const toGithub = async ({ request }: PageContext): Promise<Reply> => {
    const answer = await auth.post(request, '/sign-in/social', {
      provider: 'github',
      callbackURL: '/dashboard/keys',
      errorCallbackURL: '/dashboard/sign-in?notice=github',
    });
    demandAnswer(answer);
    return {
      location: String(answer.body.url ?? '/dashboard/sign-in?notice=github'),
      cookies: answer.cookies,
    };
  };

  const fromGithub = async ({ request }: PageContext): Promise<Reply> => {
    const answer = await auth.get(request, `/callback/github?${request.query}`);
    const location = answer.location ?? '/dashboard/sign-in?notice=github';
    return { location: safeNext(location, origin), cookies: answer.cookies };
  };

  return [
    open('GET', '/dashboard/sign-in', (context) =>
      context.visitor === undefined
        ? page(context)
        : { location: safeNext(context.query.get('next'), origin) },
    ),
    open('POST', '/dashboard/sign-in', signIn),
    open('POST', '/dashboard/sign-out', leave),
    ...(hasGithub
      ? [open('POST', '/dashboard/github', toGithub), open('GET', `${AUTH_BASE}/callback/github`, fromGithub)]
      : []),
  ];
}

/** The button that leads to GitHub, under a form of ours. */
export function githubButton(label: string) {
  return html`<div class="or">or</div>
<form method="post" action="/dashboard/github"><button class="second full">${label}</button></form>`;
}

/** A page of the dashboard to go on with, and never one elsewhere. */
function safeNext(next: string | null, origin: string): string {
  const fallback = '/dashboard/keys';
  if (next === null || next === '' || !URL.canParse(next, origin)) {
    return fallback;
  }
  const url = new URL(next, origin);
  return url.origin === new URL(origin).origin && /^\/dashboard(\/|$)/.test(url.pathname)
    ? `${url.pathname}${url.search}`
    : fallback;
}

import { Hono } from 'hono';
import { buttonLink, Notice } from '../shared/components.tsx';
import { fieldErrors } from './auth-errors.ts';
import { readAuthToken } from './auth-token.ts';
import { emailField, linkSentPage, newPasswordField, PostForm, passwordField, readEmail } from './forms.tsx';
import { type DashboardEnv, type Form, type Page, type PageContext, redirect } from './page.ts';
import { PASSWORD_MIN } from './passwords.ts';
import type { Services } from './services.ts';
import { trySignIn } from './sign-in.ts';
import { GITHUB, githubButton } from './sign-in-pages.tsx';

/** Signing up, and confirming the address. */
export function signUpRoutes(services: Services): Hono<DashboardEnv> {
  const { auth, mail, hasGithub } = services;
  const page = (form: Form, errors: Readonly<Record<string, string>> = {}): Page => ({
    status: Object.keys(errors).length === 0 ? 200 : 400,
    title: 'Sign up',
    isNarrow: true,
    formTargets: hasGithub ? [GITHUB] : [],
    main: (
      <>
        <div class="card">
          <PostForm action="/dashboard/sign-up" button="Sign up" isWide>
            {emailField({ value: form.email ?? '', error: errors.email, isFirst: true })}
            {newPasswordField({
              error: errors.password,
              hint: `At least ${PASSWORD_MIN} characters, of any kind. Longer is safer.`,
            })}
          </PostForm>
          {hasGithub && githubButton('Sign up with GitHub')}
        </div>
        <p class="soft">
          Already have an account? <a href="/dashboard/sign-in">Sign in</a>.
        </p>
      </>
    ),
  });

  const signUp = async (context: PageContext): Promise<Response> => {
    if (mail === 'none') {
      return context.render(mailMissing('Sign up'));
    }
    const { form } = context.var;
    const email = readEmail(form);
    const { password = '' } = form;
    // No form has a field for a name, but better-auth requires one.
    const answer = await auth.post(context.env.request, '/sign-up/email', { email, password, name: '' });
    return context.render(answer.status === 200 ? mailSent(email, mail) : page(form, fieldErrors(answer)));
  };

  const confirmPage = (token: string, error?: string): Page => {
    const email = readAuthToken(token)?.email;
    if (email === undefined) {
      return deadLink();
    }
    return {
      status: error === undefined ? 200 : 400,
      title: 'Confirm your address',
      isNarrow: true,
      main: (
        <>
          <div class="card">
            <PostForm action="/dashboard/verify" button="Confirm and sign in" isWide>
              <input type="hidden" name="token" value={token} />
              <p>
                Enter the password that you chose for <strong>{email}</strong>.
              </p>
              {passwordField({ error, isFirst: true })}
            </PostForm>
          </div>
          <p class="soft">If you did not sign up, close this page: nothing happens without the password.</p>
        </>
      ),
    };
  };

  // Opening the link does not confirm the address: mail scanners open links too, and a person who signs up with
  // another person's address must not get it confirmed that way.
  const confirm = async (context: PageContext): Promise<Response> => {
    const { request } = context.env;
    const { token = '', password = '' } = context.var.form;
    const email = readAuthToken(token)?.email;
    if (email === undefined) {
      return context.render(deadLink());
    }
    const credentials = { email, password };
    const first = await trySignIn(services, request, credentials);
    if (first.status === 200) {
      return redirect(context, '/dashboard/keys', first.cookies);
    }
    if (first.code !== 'EMAIL_NOT_VERIFIED') {
      return context.render(confirmPage(token, 'This is not the password that you chose.'));
    }
    const verified = await auth.get(request, `/verify-email?token=${encodeURIComponent(token)}`);
    if (verified.status !== 200) {
      return context.render(deadLink());
    }
    const second = await trySignIn(services, request, credentials);
    return redirect(context, '/dashboard/keys', second.cookies);
  };

  const again = async (context: PageContext): Promise<Response> => {
    const email = readEmail(context.var.form);
    if (mail === 'none') {
      return context.render(mailMissing('Confirm your address'));
    }
    await auth.post(context.env.request, '/send-verification-email', { email });
    return context.render(mailSent(email, mail));
  };

  return new Hono<DashboardEnv>()
    .get('/dashboard/sign-up', (context) => {
      if (context.var.visitor !== undefined) {
        return redirect(context, '/dashboard/keys');
      }
      return context.render(mail === 'none' && !hasGithub ? mailMissing('Sign up') : page({}));
    })
    .post('/dashboard/sign-up', signUp)
    .get('/dashboard/verify', (context) => context.render(confirmPage(context.req.query('token') ?? '')))
    .post('/dashboard/verify', confirm)
    .post('/dashboard/verify/again', again);
}

/** The same whether or not the address has an account. */
function mailSent(email: string, mail: 'smtp' | 'terminal'): Page {
  return linkSentPage(mail, email, {
    more: (
      <>
        <p>Open the link within an hour.</p>
        <form class="actions" method="post" action="/dashboard/verify/again">
          <input type="hidden" name="email" value={email} />
          <button class="second">Send it again</button>
          <a href="/dashboard/sign-in">Sign in</a>
        </form>
      </>
    ),
  });
}

/** The error while no mail can be sent. */
export function mailMissing(title: string): Page {
  return {
    status: 503,
    title,
    isNarrow: true,
    main: (
      <>
        {<Notice tone="warn">Email is not set up on this server, so it cannot confirm addresses.</Notice>}
        <p>
          The operator of the server can set it up with <code>SMTP_URL</code>.
        </p>
      </>
    ),
  };
}

/** A link of a mail that no longer works. */
export function deadLink(): Page {
  return {
    status: 400,
    title: 'This link does not work',
    isNarrow: true,
    main: (
      <>
        <p class="lead">It is older than an hour, was already used, or was not copied completely.</p>
        <p class="actions">
          {buttonLink('/dashboard/sign-in', 'Sign in')}
          <a href="/dashboard/forgotten-password">Get a new password</a>
        </p>
      </>
    ),
  };
}

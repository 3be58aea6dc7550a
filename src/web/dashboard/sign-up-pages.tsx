import { Hono } from 'hono';
import { PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import { accepted } from './auth-errors.ts';
import { action, FieldErrors, type SentForm, view } from './form-actions.ts';
import { emailField, newPasswordField, PostForm, passwordField, readEmail } from './forms.tsx';
import { deadLink, linkSentPage, readLink, requireMail, requireOpenSignUp } from './mail-pages.tsx';
import { safeNext } from './next.ts';
import { type DashboardEnv, type Page, type PageContext, redirect, takeNext } from './page.ts';
import type { Services } from './services.ts';
import { GITHUB, githubButton } from './sign-in-pages.tsx';

/** Signing up, and confirming the address. */
export function signUpRoutes(services: Services): Hono<DashboardEnv> {
  const { auth, mail, hasGithub, isInvitedOnly, origin } = services;

  const signUpPage = (_: PageContext, sent: SentForm): Page => {
    requireOpenSignUp(isInvitedOnly);
    if (!hasGithub) {
      requireMail(mail);
    }
    return {
      title: 'Sign up',
      isNarrow: true,
      formTargets: hasGithub ? [GITHUB] : [],
      main: (
        <>
          <div class="card">
            <PostForm action="/dashboard/sign-up" button="Sign up" isWide>
              {emailField({ sent, isFirst: true })}
              {newPasswordField({
                sent,
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
    };
  };

  const signUp = async (context: PageContext): Promise<Response> => {
    requireOpenSignUp(isInvitedOnly);
    requireMail(mail);
    const { form } = context.var;
    const email = readEmail(form);
    const { password = '' } = form;
    // No form has a field for a name, but better-auth requires one.
    accepted(await auth.post(context.env.request, '/sign-up/email', { email, password, name: '' }));
    return context.render(mailSent(email));
  };

  const again = async (context: PageContext): Promise<Response> => {
    requireMail(mail);
    const email = readEmail(context.var.form);
    await auth.post(context.env.request, '/send-verification-email', { email });
    return context.render(mailSent(email));
  };

  /** The same whether or not the address has an account. */
  const mailSent = (email: string): Page =>
    linkSentPage(mail, email, {
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

  const confirmPage = (context: PageContext, sent: SentForm): Page => {
    const token = sent.values.token ?? context.req.query('token') ?? '';
    return {
      title: 'Confirm your address',
      isNarrow: true,
      main: (
        <>
          <div class="card">
            <PostForm action="/dashboard/verify" button="Confirm and sign in" isWide hidden={{ token }}>
              <p>
                Enter the password that you chose for <strong>{readLink(token).email}</strong>.
              </p>
              {passwordField({ sent, isFirst: true })}
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
    const credentials = { email: readLink(token).email, password };
    let answer = await trySignIn(services, request, credentials);
    if (answer.code === 'EMAIL_NOT_VERIFIED') {
      const verified = await auth.get(request, `/verify-email?token=${encodeURIComponent(token)}`);
      if (verified.status !== 200) {
        throw deadLink();
      }
      answer = await trySignIn(services, request, credentials);
    }
    if (answer.status !== 200) {
      throw new FieldErrors({ password: 'This is not the password that you chose.' });
    }
    return redirect(context, safeNext(takeNext(context), origin), answer.cookies);
  };

  return new Hono<DashboardEnv>()
    .get('/dashboard/sign-up', (context) =>
      context.var.visitor === undefined ? view(signUpPage)(context) : redirect(context, '/dashboard/keys'),
    )
    .post('/dashboard/sign-up', action(signUpPage, signUp))
    .get('/dashboard/verify', view(confirmPage))
    .post('/dashboard/verify', action(confirmPage, confirm))
    .post('/dashboard/verify/again', again);
}

import { PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import { accepted } from './auth-errors.ts';
import { emailField, formPage, newPasswordField, passwordField, readEmail } from './forms.tsx';
import { deadLink, linkSentPage, readLink, requireMail, requireOpenSignUp } from './mail-pages.tsx';
import { FieldErrors, type Page, page, someoneOf } from './page.ts';
import type { Services } from './services.ts';
import { GITHUB, githubButton, welcome } from './sign-in-pages.tsx';

/** Signing up, and confirming the address. */
export function signUpPages(services: Services) {
  const { auth, mail, hasGithub, isInvitedOnly } = services;

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

  return [
    page({
      path: '/dashboard/sign-up',
      view: (visit) => {
        const { sent } = visit;
        if (someoneOf(visit) !== undefined && visit.context.req.method === 'GET') {
          return '/dashboard/keys';
        }
        requireOpenSignUp(isInvitedOnly);
        if (!hasGithub) {
          requireMail(mail);
        }
        return formPage(visit, {
          title: 'Sign up',
          button: 'Sign up',
          isWide: true,
          formTargets: hasGithub ? [GITHUB] : [],
          children: (
            <>
              {emailField({ sent, isFirst: true })}
              {newPasswordField({
                sent,
                hint: `At least ${PASSWORD_MIN} characters, of any kind. Longer is safer.`,
              })}
            </>
          ),
          below: (
            <>
              {hasGithub && githubButton('Sign up with GitHub')}
              <p class="soft">
                Already have an account? <a href="/dashboard/sign-in">Sign in</a>.
              </p>
            </>
          ),
        });
      },
      forms: {
        '': async ({ context, form }) => {
          requireOpenSignUp(isInvitedOnly);
          requireMail(mail);
          const email = readEmail(form);
          // No form has a field for a name, but better-auth requires one.
          const account = { email, password: form.password ?? '', name: '' };
          accepted(await auth.post(context.env.request, '/sign-up/email', account));
          return mailSent(email);
        },
      },
    }),
    page({
      path: '/dashboard/verify',
      view: (visit) => {
        const token = visit.sent.values.token ?? visit.query('token') ?? '';
        return formPage(visit, {
          title: 'Confirm your address',
          button: 'Confirm and sign in',
          isWide: true,
          hidden: { token },
          children: (
            <>
              <p>
                Enter the password that you chose for <strong>{readLink(token).email}</strong>.
              </p>
              {passwordField({ sent: visit.sent, isFirst: true })}
            </>
          ),
          below: (
            <p class="soft">If you did not sign up, close this page: nothing happens without the password.</p>
          ),
        });
      },
      forms: {
        // Opening the link does not confirm the address: mail scanners open links too, and a person who signs up with
        // another person's address must not get it confirmed that way.
        '': async (visit) => {
          const { request } = visit.context.env;
          const { token = '', password = '' } = visit.form;
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
          return welcome(services, visit, answer);
        },
        '/again': async ({ context, form }) => {
          requireMail(mail);
          const email = readEmail(form);
          await auth.post(context.env.request, '/send-verification-email', { email });
          return mailSent(email);
        },
      },
    }),
  ];
}

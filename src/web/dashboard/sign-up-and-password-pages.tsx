import { PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import {
  accepted,
  deadLink,
  linkSentPage,
  readLink,
  requireMail,
  requireOpenSignUp,
} from './auth-answers.tsx';
import { emailField, formPage, newPasswordField, passwordField, readEmail } from './forms.tsx';
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
          formTargets: hasGithub ? [GITHUB] : [],
          fields: [
            emailField({ isFirst: true }),
            newPasswordField({ hint: `At least ${PASSWORD_MIN} characters, of any kind. Longer is safer.` }),
          ],
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
          hidden: { token },
          text: (
            <>
              Enter the password that you chose for <strong>{readLink(token).email}</strong>.
            </>
          ),
          fields: [passwordField({ isFirst: true })],
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

/** Resetting a password by mail. Who has chosen a new one is signed in with it. */
export function passwordPages(services: Services) {
  const { auth, mail, prisma } = services;
  return [
    page({
      path: '/dashboard/forgotten-password',
      load: () => requireMail(mail),
      view: (visit) =>
        formPage(visit, {
          title: 'Forgotten password',
          button: 'Send link',
          fields: [emailField({ isFirst: true })],
          below: (
            <p class="soft">
              Remember it? <a href="/dashboard/sign-in">Sign in</a>.
            </p>
          ),
        }),
      forms: {
        // The same whether or not the address has an account.
        '': async ({ context, form }) => {
          const email = readEmail(form);
          accepted(await auth.post(context.env.request, '/request-password-reset', { email }));
          return linkSentPage(mail, email, { isCertain: false, more: <p>The link works for an hour.</p> });
        },
      },
    }),
    page({
      path: '/dashboard/reset-password',
      view: (visit) => {
        const { sent, query } = visit;
        const token = sent.values.token ?? query('token') ?? '';
        const next = sent.values.next ?? query('next') ?? '';
        if (token === '') {
          throw deadLink();
        }
        return formPage(visit, {
          title: 'Choose a new password',
          button: 'Set password',
          hidden: { token, next },
          fields: [
            newPasswordField({
              label: 'New password',
              hint: `At least ${PASSWORD_MIN} characters. You are signed out everywhere else.`,
              isFirst: true,
            }),
          ],
        });
      },
      forms: {
        '': async (visit) => {
          const { token = '', next = '', password = '' } = visit.form;
          // As better-auth stores the token.
          const link = await prisma.verification.findFirst({
            where: { identifier: `reset-password:${token}` },
            select: { value: true },
          });
          const body = { token, newPassword: password };
          accepted(await auth.post(visit.context.env.request, '/reset-password', body));
          const account = await prisma.account.findUnique({ where: { id: link?.value ?? '' } });
          const answer =
            account?.email &&
            (await trySignIn(services, visit.context.env.request, { email: account.email, password }));
          const query = next === '' ? '' : `&next=${encodeURIComponent(next)}`;
          return answer && answer.status === 200
            ? welcome(services, visit, answer, next)
            : `/dashboard/sign-in?notice=new-password${query}`;
        },
      },
    }),
  ];
}

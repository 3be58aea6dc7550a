import { PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { trySignIn } from '../../access/accounts/sign-in/sign-in.ts';
import { accepted } from './auth-errors.ts';
import { emailField, formPage, newPasswordField, readEmail } from './forms.tsx';
import { deadLink, linkSentPage, requireMail } from './mail-pages.tsx';
import { page } from './page.ts';
import type { Services } from './services.ts';
import { welcome } from './sign-in-pages.tsx';

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
          button: 'Send me a link',
          isWide: true,
          children: emailField({ sent: visit.sent, isFirst: true }),
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
          button: 'Set the password',
          isWide: true,
          hidden: { token, next },
          children: newPasswordField({
            label: 'New password',
            sent,
            hint: `At least ${PASSWORD_MIN} characters. You are signed out everywhere else.`,
            isFirst: true,
          }),
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
          const where = { id: link?.value ?? '' };
          const { email = null } =
            (await prisma.account.findUnique({ where, select: { email: true } })) ?? {};
          const answer =
            email === null
              ? undefined
              : await trySignIn(services, visit.context.env.request, { email, password });
          const query = next === '' ? '' : `&next=${encodeURIComponent(next)}`;
          return answer?.status === 200
            ? welcome(services, visit, answer, next)
            : `/dashboard/sign-in?notice=new-password${query}`;
        },
      },
    }),
  ];
}

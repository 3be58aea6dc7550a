import { endSessions, listSessions } from '../../access/accounts/sessions.ts';
import type { Visitor } from '../../access/accounts/sign-in/visitor.ts';
import { buttonLink, Facts } from '../shared/components.tsx';
import { FACTOR_PATH } from './access.ts';
import { accepted } from './auth-errors.ts';
import { emailField, formPage, newPasswordField, PostForm, passwordField, readEmail } from './forms.tsx';
import { deadLink, linkSentPage, readLink, requireMail } from './mail-pages.tsx';
import { FieldErrors, type Page, page, type Visit } from './page.ts';
import type { Services } from './services.ts';
import { sessionTable } from './session-table.tsx';
import { GITHUB } from './sign-in-pages.tsx';

const PATH = '/dashboard/account';

/** A visitor's own account: address, password, sessions, and its end. */
export function accountPages(services: Services) {
  const { auth, prisma, mail, hasGithub } = services;

  /** Whether it can sign in with a password, and with GitHub. */
  const waysOf = async ({ visitor }: Visit) => {
    const where = { userId: visitor.id };
    const rows = await prisma.accountProvider.findMany({ where, select: { providerId: true } });
    const has = (provider: string): boolean => rows.some(({ providerId }) => providerId === provider);
    return { hasPassword: has('credential'), hasLinked: has('github') };
  };

  const linkSent = (mailbox: string): Page =>
    linkSentPage(mail, mailbox, {
      more: (
        <>
          <p>Open the link within an hour, in this browser.</p>
          <p>
            <a href={PATH}>Back to the account</a>
          </p>
        </>
      ),
    });

  /** A link works only in the signed-in browser: the owner of a mistyped address must not get the account. */
  const readChange = (token: string, { email }: Visitor) => {
    const { updateTo, isPermission, ...from } = readLink(token);
    if (updateTo === undefined || from.email !== email) {
      throw deadLink();
    }
    return { updateTo, isPermission };
  };

  const account = page({
    path: PATH,
    load: waysOf,
    view: async (visit, { hasPassword, hasLinked }) => {
      const { visitor, sent } = visit;
      const { keyMails, refusedEmail } = await prisma.account.findUniqueOrThrow({
        where: { id: visitor.id },
        select: { keyMails: true, refusedEmail: true },
      });
      return {
        title: 'Account',
        formTargets: hasGithub ? [GITHUB] : [],
        main: (
          <>
            <section class="card">
              <Facts
                facts={[
                  ['Email address', visitor.email],
                  ['Account', visitor.id, 'mono'],
                  [
                    'Sign in with',
                    [hasPassword && 'password', hasLinked && 'GitHub'].filter(Boolean).join(', '),
                  ],
                  [
                    'Second factor',
                    <a href={FACTOR_PATH}>{visitor.hasFactor ? 'on: change' : 'off: set it up'}</a>,
                  ],
                  visitor.isOperator && ['Role', 'operator'],
                ]}
              />
              {hasGithub && (
                <PostForm
                  action={`${PATH}/github${hasLinked ? '/unlink' : ''}`}
                  button={hasLinked ? 'Unlink GitHub' : 'Link GitHub'}
                  kind="second"
                />
              )}
            </section>
            <div class="columns">
              {hasPassword && (
                <section class="card">
                  <h2>Change password</h2>
                  <PostForm action={`${PATH}/password`} button="Change password">
                    {passwordField({ name: 'current', label: 'Current password', sent })}
                    {newPasswordField({ label: 'New password', sent })}
                  </PostForm>
                </section>
              )}
              {mail !== 'none' && (
                <section class="card">
                  <h2>Change email address</h2>
                  <PostForm action={`${PATH}/email`} button="Change email address">
                    {emailField({
                      label: 'New email address',
                      autocomplete: 'email',
                      sent,
                      hint: 'The current address gets a link first, then the new one.',
                    })}
                  </PostForm>
                </section>
              )}
            </div>
            <section class="card">
              <h2>Emails about your keys</h2>
              <p>When a key reaches its limit, is about to expire or was disabled.</p>
              {refusedEmail === visitor.email && (
                <p class="error">
                  Your mail server refused them, so they are paused. Choose again to resume.
                </p>
              )}
              <PostForm
                action={`${PATH}/mails`}
                button={keyMails ? 'Turn off' : 'Turn on'}
                kind="second"
                hidden={{ mails: keyMails ? '' : 'on' }}
              />
            </section>
            {sessionTable(await listSessions(services, visitor.id), visitor)}
            <section class="card danger">
              <h2>Delete account</h2>
              <p>All your keys are revoked, and your personal data is removed at once.</p>
              <p>{buttonLink(`${PATH}/delete`, 'Delete account …', 'second danger')}</p>
            </section>
          </>
        ),
      };
    },
    forms: {
      '/email': async ({ context, form, visitor }) => {
        requireMail(mail);
        const newEmail = readEmail(form);
        if (newEmail.toLowerCase() === visitor.email) {
          throw new FieldErrors({ email: 'This is already your address.' });
        }
        accepted(await auth.post(context.env.request, '/change-email', { newEmail }));
        return linkSent(visitor.email);
      },
      '/password': async ({ context, form }) => {
        const { current: currentPassword = '', password: newPassword = '' } = form;
        const body = { currentPassword, newPassword, revokeOtherSessions: true };
        const { cookies } = accepted(await auth.post(context.env.request, '/change-password', body));
        return { to: `${PATH}?notice=password`, cookies };
      },
      '/sessions': async ({ form: { session = '' }, visitor }) => {
        await endSessions(services, visitor.id, session === 'others' ? { not: visitor.sessionId } : session);
        return `${PATH}?notice=sessions`;
      },
      '/mails': async ({ form, visitor }) => {
        const data = { keyMails: form.mails === 'on', refusedEmail: null };
        await prisma.account.update({ where: { id: visitor.id }, data, select: { id: true } });
        return `${PATH}?notice=${data.keyMails ? 'mails-on' : 'mails-off'}`;
      },
      ...(hasGithub && {
        '/github': async ({ context }: Visit) => {
          const failed = `${PATH}?notice=github-failed`;
          const urls = { callbackURL: `${PATH}?notice=github`, errorCallbackURL: failed };
          const answer = await auth.post(context.env.request, '/link-social', {
            provider: 'github',
            ...urls,
          });
          return { to: String(answer.body.url ?? failed), cookies: answer.cookies };
        },
        '/github/unlink': async ({ context, visitor }: Visit) => {
          const where = { userId: visitor.id, providerId: 'github' };
          const linked = await prisma.accountProvider.findFirst({ where, select: { id: true } });
          if (linked !== null) {
            accepted(await auth.post(context.env.request, '/unlink-account', { accountId: linked.id }));
          }
          return `${PATH}?notice=unlinked`;
        },
      }),
    },
  });

  const changedAddress = page({
    path: '/dashboard/change-email',
    view: (visit) => {
      const { visitor, query } = visit;
      const token = query('token') ?? '';
      return formPage(visit, {
        title: 'Change your address',
        back: { path: PATH, label: 'Account' },
        button: 'Change email address',
        hidden: { token },
        children: (
          <p>
            The email address of your account changes from <strong>{visitor.email}</strong> to{' '}
            <strong>{readChange(token, visitor).updateTo}</strong>.
          </p>
        ),
      });
    },
    forms: {
      '': async ({ context, form: { token = '' }, visitor }) => {
        const { updateTo, isPermission } = readChange(token, visitor);
        const path = `/verify-email?token=${encodeURIComponent(token)}`;
        const { status, cookies } = await auth.get(context.env.request, path);
        if (status !== 200) {
          throw deadLink();
        }
        return isPermission ? linkSent(updateTo) : { to: `${PATH}?notice=email`, cookies };
      },
    },
  });

  const deletion = page({
    path: `${PATH}/delete`,
    isGuarded: true,
    load: waysOf,
    view: (visit, { hasPassword }) =>
      formPage(visit, {
        title: 'Delete your account?',
        back: 'Account',
        isDanger: true,
        button: 'Delete account',
        children: (
          <>
            <p>
              All your keys are revoked at once, and your address, password and sessions are removed. This
              cannot be undone.
            </p>
            {hasPassword
              ? passwordField({ name: 'current', label: 'Your password', sent: visit.sent })
              : emailField({
                  label: 'The email address of your account',
                  autocomplete: 'off',
                  sent: visit.sent,
                })}
          </>
        ),
      }),
    forms: {
      '': async ({ context, form, visitor }, { hasPassword }) => {
        const { current: password = '' } = form;
        // better-auth skips the check of an empty password.
        if (hasPassword && password === '') {
          throw new FieldErrors({ current: 'Enter your password.' });
        }
        if (!hasPassword && readEmail(form).toLowerCase() !== visitor.email) {
          throw new FieldErrors({ email: 'This is not the address of your account.' });
        }
        const body = hasPassword ? { password } : {};
        const { cookies } = accepted(await auth.post(context.env.request, '/delete-user', body));
        const to = '/dashboard/sign-in?notice=deleted';
        return { to, cookies: [...cookies, auth.browsers.forget(visitor.email)] };
      },
    },
  });

  return [account, changedAddress, deletion];
}

import { findPolicyAcceptance } from '../../../access/accounts/change.ts';
import { endSessions, type ListedSession, listSessions } from '../../../access/accounts/sessions.ts';
import type { AuthAnswer, Visitor } from '../../../access/accounts/sign-in/auth.ts';
import { readAuthToken } from '../../../access/accounts/sign-in/auth-mails.ts';
import {
  ButtonForm,
  emailField,
  newPasswordField,
  PostForm,
  passwordField,
  readEmail,
  Switch,
} from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { type Field, FieldErrors, type Page, page, type SentForm, type Visit } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import {
  accepted,
  deadLink,
  linkSentPage,
  outcomeOf,
  requireMail,
} from '../../parts/accounts/auth-answers.tsx';
import { GITHUB, toGithub } from '../../parts/accounts/github.ts';
import { findUnsent } from '../../parts/accounts/mail-outcomes.ts';
import { Badge, buttonLink, Facts, Table } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { FACTOR_PATH, SIGN_IN_PATH } from '../../shared/paths.ts';
import { time } from '../../shared/time.tsx';

const PATH = pageLinks.account.path;

/** A visitor's own account: address, password, sessions, and its end. */
export function accountPages(services: Services) {
  const { auth, prisma, mail, hasGithub, policy, now } = services;

  /** Whether it can sign in with a password, and with GitHub. */
  const waysOf = async ({ visitor }: Visit) => {
    const where = { userId: visitor.id };
    const rows = await prisma.accountProvider.findMany({ where, select: { providerId: true } });
    const has = (provider: string): boolean => rows.some(({ providerId }) => providerId === provider);
    return { hasPassword: has('credential'), hasLinked: has('github') };
  };

  const linkSent = async (mailbox: string, { mail: sent }: AuthAnswer): Promise<Page> =>
    linkSentPage(mail, mailbox, {
      outcome: await outcomeOf(services, sent),
      steps: 'Open the link within an hour, in this browser.',
      actions: <p class="actions">{buttonLink(PATH, pageLinks.account.label, 'second')}</p>,
    });

  const account = page({
    path: PATH,
    load: waysOf,
    view: async (visit, { hasPassword, hasLinked }) => {
      const { visitor, sent } = visit;
      const { keyMails, refusedEmail } = await prisma.account.findUniqueOrThrow({
        where: { id: visitor.id },
        select: { keyMails: true, refusedEmail: true },
      });
      const acceptedAt = await findPolicyAcceptance(prisma, visitor.id, policy.version);
      const unsent = await findUnsent(prisma, visitor.id, now());
      return {
        title: pageLinks.account.label,
        formTargets: hasGithub ? [GITHUB] : [],
        main: (
          <div class="columns halves account">
            <div>
              <section class="card">
                <Facts
                  facts={[
                    [
                      'Email address',
                      [
                        visitor.email,
                        mail !== 'none' &&
                          change('Change email address', sent, `${PATH}/email`, [
                            emailField({
                              label: 'New email address',
                              autocomplete: 'email',
                              hint: 'You confirm the change in two emails: one to the current address, then one to the new one.',
                            }),
                          ]),
                      ],
                    ],
                    hasPassword && [
                      'Password',
                      <>
                        ••••••••
                        {change('Change password', sent, `${PATH}/password`, [
                          passwordField({ name: 'current', label: 'Current password' }),
                          newPasswordField({ label: 'New password' }),
                        ])}
                      </>,
                    ],
                    [
                      'Second factor',
                      [
                        visitor.hasFactor ? 'On' : 'Off',
                        buttonLink(FACTOR_PATH, visitor.hasFactor ? 'Change' : 'Set up', 'second'),
                      ],
                    ],
                    hasLinked && ['Sign-in', hasPassword ? 'Password or GitHub' : 'GitHub'],
                    ['Account ID', <span class="mono">{visitor.id}</span>],
                    visitor.isOperator && ['Role', 'Operator'],
                    acceptedAt !== null && ['Policy accepted', time(acceptedAt)],
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
              <section class="card">
                <div class="heading sub">
                  <h2>Emails about your keys</h2>
                  <Switch
                    action={`${PATH}/mails`}
                    hidden={{ mails: keyMails ? '' : 'on' }}
                    label="Emails about your keys"
                    isOn={keyMails}
                  />
                </div>
                <p>You get one when a key reaches its limit, is about to expire or was disabled.</p>
                {unsent !== null && (
                  <p class="error">
                    {unsent.text}: {time(unsent.at, 'minute')}.
                  </p>
                )}
                {refusedEmail === visitor.email && (
                  <p class="error">
                    Your mail server refused these emails, so they are paused. To resume, turn them off and
                    on.
                  </p>
                )}
              </section>
            </div>
            <div>
              {sessionTable(await listSessions(services, visitor.id), visitor)}
              <section class="card danger">
                <h2>Delete account</h2>
                <p>All your keys are revoked, and your personal data is removed at once.</p>
                <p>{buttonLink(`${PATH}/delete`, 'Delete account …', 'second danger')}</p>
              </section>
            </div>
          </div>
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
        const answer = await auth.post(context.env.request, '/change-email', { newEmail });
        return linkSent(visitor.email, accepted(answer));
      },
      '/password': async ({ context, form }) => {
        const { current: currentPassword = '', password: newPassword = '' } = form;
        const body = { currentPassword, newPassword, revokeOtherSessions: true };
        const { cookies } = accepted(await auth.post(context.env.request, '/change-password', body));
        return { to: withNotice(PATH, 'password'), cookies };
      },
      '/sessions': async ({ form: { session = '' }, visitor }) => {
        await endSessions(services, visitor.id, session === 'others' ? { not: visitor.sessionId } : session);
        return withNotice(PATH, 'sessions');
      },
      '/mails': async ({ form, visitor }) => {
        const data = { keyMails: form.mails === 'on', refusedEmail: null };
        await prisma.account.update({ where: { id: visitor.id }, data, select: { id: true } });
        return withNotice(PATH, data.keyMails ? 'mails-on' : 'mails-off');
      },
      ...(hasGithub && {
        '/github': (visit: Visit) =>
          toGithub(
            services,
            visit,
            '/link-social',
            withNotice(PATH, 'github'),
            withNotice(PATH, 'github-failed'),
          ),
        '/github/unlink': async ({ context, visitor }: Visit) => {
          const where = { userId: visitor.id, providerId: 'github' };
          const linked = await prisma.accountProvider.findFirst({ where, select: { id: true } });
          if (linked !== null) {
            accepted(await auth.post(context.env.request, '/unlink-account', { accountId: linked.id }));
          }
          return withNotice(PATH, 'unlinked');
        },
      }),
    },
  });

  const changedAddress = page({
    path: '/dashboard/change-email',
    /** A link works only in the signed-in browser: the owner of a mistyped address must not get the account. */
    load: ({ form, query, visitor }) => {
      const token = form.token ?? query('token') ?? '';
      const { updateTo, isPermission, email } = readAuthToken(token) ?? {};
      if (updateTo === undefined || email !== visitor.email) {
        throw deadLink(buttonLink(PATH, pageLinks.account.label));
      }
      return { token, updateTo, isPermission };
    },
    view: ({ visitor }, { token, updateTo }) => ({
      title: 'Change your address',
      back: pageLinks.account,
      button: 'Change email address',
      hidden: { token },
      text: (
        <>
          The email address of your account changes from <strong>{visitor.email}</strong> to{' '}
          <strong>{updateTo}</strong>.
        </>
      ),
    }),
    act: async ({ context }, { token, updateTo, isPermission }) => {
      const path = `/verify-email?token=${encodeURIComponent(token)}`;
      const answer = await auth.get(context.env.request, path);
      if (answer.status !== 200) {
        throw deadLink(buttonLink(PATH, pageLinks.account.label));
      }
      return isPermission
        ? linkSent(updateTo, answer)
        : { to: withNotice(PATH, 'email'), cookies: answer.cookies };
    },
  });

  const deletion = page({
    path: `${PATH}/delete`,
    isGuarded: true,
    load: waysOf,
    view: (_, { hasPassword }) => ({
      title: 'Delete your account?',
      back: pageLinks.account,
      isDanger: true,
      button: 'Delete account',
      text: 'All your keys are revoked at once, and your address, password and sessions are removed. This cannot be undone.',
      fields: [
        hasPassword
          ? passwordField({ name: 'current', label: 'Your password' })
          : emailField({ label: 'The email address of your account', autocomplete: 'off' }),
      ],
    }),
    act: async ({ context, form, visitor }, { hasPassword }) => {
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
      const to = withNotice(SIGN_IN_PATH, 'deleted');
      return { to, cookies: [...cookies, auth.browsers.forget(visitor.email)] };
    },
  });

  return [account, changedAddress, deletion];
}

/** A form behind a word, which is open where it has failed. */
const change = (button: string, sent: SentForm, action: string, fields: readonly Field[]): Html => (
  <details open={fields.some(({ name }) => sent.errors[name] !== undefined)}>
    <summary class="button second" aria-label={button}>
      Change
    </summary>
    <PostForm action={action} button={button} kind="second" sent={sent} fields={fields} />
  </details>
);

/** Where an account is signed in, and how to end that. */
function sessionTable(sessions: readonly ListedSession[], visitor: Visitor): Html {
  const end = (session: string, label: string): Html => (
    <ButtonForm action="/dashboard/account/sessions" hidden={{ session }}>
      {label}
    </ButtonForm>
  );
  return (
    <section class="card">
      <div class="heading sub">
        <h2>Active sessions</h2>
        {sessions.length > 1 && end('others', 'End all others')}
      </div>
      <Table
        layout="entries"
        caption="Your sessions"
        isCaptionHidden
        columns={[
          ['Browser', ({ userAgent }) => describeBrowser(userAgent ?? '')],
          ['Address', ({ ipAddress }) => ipAddress || '–'],
          ['Signed in', ({ createdAt }) => time(createdAt, 'minute')],
          [
            <span class="hidden">End it</span>,
            ({ id }) => (id === visitor.sessionId ? <Badge tone="good">This device</Badge> : end(id, 'End')),
            'aside',
          ],
        ]}
        rows={sessions}
      />
    </section>
  );
}

/** The browser and the operating system, by their common names. */
function describeBrowser(userAgent: string): string {
  const first = (names: readonly string[]): string[] =>
    names.filter((name) => userAgent.includes(name)).slice(0, 1);
  const browser = first(['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl']);
  const system = first(['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux']);
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  return [...browser, ...system].map((name) => names[name] ?? name).join(' on ') || 'Unknown';
}

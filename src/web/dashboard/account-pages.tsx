import { Hono } from 'hono';
import { endSessions, type ListedSession, listSessions } from '../../access/accounts/sessions.ts';
import type { Visitor } from '../../access/accounts/sign-in/visitor.ts';
import { Badge, buttonLink, Facts, ListTable } from '../shared/components.tsx';
import type { Html } from '../shared/jsx.ts';
import { time } from '../shared/time.tsx';
import { FACTOR_PATH } from './access.ts';
import { accepted } from './auth-errors.ts';
import { action, FieldErrors, type SentForm, view } from './form-actions.ts';
import { ButtonForm, emailField, newPasswordField, PostForm, passwordField, readEmail } from './forms.tsx';
import { deadLink, linkSentPage, readLink, requireMail } from './mail-pages.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from './page.ts';
import { factorFieldIfOld, requireFreshFactor } from './second-factor/factor-form.tsx';
import type { Services } from './services.ts';
import { GITHUB } from './sign-in-pages.tsx';

const PATH = '/dashboard/account';

/** A visitor's own account: address, password, sessions, and its end. */
export function accountRoutes(services: Services): Hono<SignedInEnv> {
  const { auth, prisma, mail, hasGithub } = services;

  /** The ways to sign in: credential, github. */
  const providersOf = async ({ id }: Visitor): Promise<string[]> => {
    const rows = await prisma.accountProvider.findMany({
      where: { userId: id },
      select: { providerId: true },
    });
    return rows.map(({ providerId }) => providerId);
  };

  const page = async (context: SignedInContext, sent: SentForm): Promise<Page> => {
    const { visitor } = context.var;
    const providers = await providersOf(visitor);
    const hasPassword = providers.includes('credential');
    const hasLinked = providers.includes('github');
    const { keyMails } = await prisma.account.findUniqueOrThrow({
      where: { id: visitor.id },
      select: { keyMails: true },
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
                  [hasPassword && 'password', hasLinked && 'GitHub']
                    .filter((way) => way !== false)
                    .join(', '),
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
            <PostForm
              action={`${PATH}/mails`}
              button={keyMails ? 'Turn off' : 'Turn on'}
              kind="second"
              hidden={{ mails: keyMails ? '' : 'on' }}
            />
          </section>
          {sessionTable(await listSessions(services, visitor.id), visitor.sessionId)}
          <section class="card danger">
            <h2>Delete account</h2>
            <p>All your keys are revoked, and your personal data is removed at once.</p>
            <p>{buttonLink(`${PATH}/delete`, 'Delete account …', 'second danger')}</p>
          </section>
        </>
      ),
    };
  };

  const changeAddress = async (context: SignedInContext): Promise<Response> => {
    requireMail(mail);
    const { form, visitor } = context.var;
    const newEmail = readEmail(form);
    if (newEmail.toLowerCase() === visitor.email) {
      throw new FieldErrors({ email: 'This is already your address.' });
    }
    accepted(await auth.post(context.env.request, '/change-email', { newEmail }));
    return context.render(changeLinkSent(visitor.email));
  };

  const changeLinkSent = (mailbox: string): Page =>
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

  const addressPage = (context: SignedInContext): Page => {
    const { visitor } = context.var;
    const token = context.req.query('token') ?? '';
    return {
      title: 'Change your address',
      isNarrow: true,
      main: (
        <div class="card">
          <p>
            The email address of your account changes from <strong>{visitor.email}</strong> to{' '}
            <strong>{readChange(token, visitor).updateTo}</strong>.
          </p>
          <PostForm
            action="/dashboard/change-email"
            button="Change email address"
            cancel={PATH}
            hidden={{ token }}
          />
        </div>
      ),
    };
  };

  const confirmAddress = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const { token = '' } = form;
    const { updateTo, isPermission } = readChange(token, visitor);
    const answer = await auth.get(context.env.request, `/verify-email?token=${encodeURIComponent(token)}`);
    if (answer.status !== 200) {
      throw deadLink();
    }
    return isPermission
      ? context.render(changeLinkSent(updateTo))
      : redirect(context, `${PATH}?notice=email`, answer.cookies);
  };

  const changePassword = async (context: SignedInContext): Promise<Response> => {
    const { current = '', password = '' } = context.var.form;
    const answer = await auth.post(context.env.request, '/change-password', {
      currentPassword: current,
      newPassword: password,
      revokeOtherSessions: true,
    });
    return redirect(context, `${PATH}?notice=password`, accepted(answer).cookies);
  };

  const endSession = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const { session = '' } = form;
    const ended = session === 'others' ? { not: visitor.sessionId } : session;
    await endSessions(services, visitor.id, ended);
    return redirect(context, `${PATH}?notice=sessions`);
  };

  const setMails = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const data = { keyMails: form.mails === 'on' };
    await prisma.account.update({ where: { id: visitor.id }, data, select: { id: true } });
    return redirect(context, `${PATH}?notice=${data.keyMails ? 'mails-on' : 'mails-off'}`);
  };

  const link = async (context: SignedInContext): Promise<Response> => {
    const failed = `${PATH}?notice=github-failed`;
    const answer = await auth.post(context.env.request, '/link-social', {
      provider: 'github',
      callbackURL: `${PATH}?notice=github`,
      errorCallbackURL: failed,
    });
    return redirect(context, String(answer.body.url ?? failed), answer.cookies);
  };

  const unlink = async (context: SignedInContext): Promise<Response> => {
    const linked = await prisma.accountProvider.findFirst({
      where: { userId: context.var.visitor.id, providerId: 'github' },
      select: { id: true },
    });
    if (linked !== null) {
      accepted(await auth.post(context.env.request, '/unlink-account', { accountId: linked.id }));
    }
    return redirect(context, `${PATH}?notice=unlinked`);
  };

  const deletionPage = async (context: SignedInContext, sent: SentForm): Promise<Page> => ({
    title: 'Delete your account?',
    back: { path: PATH, label: 'Account' },
    isNarrow: true,
    main: (
      <div class="card danger">
        <p>
          All your keys are revoked at once, and your address, password and sessions are removed. This cannot
          be undone.
        </p>
        <PostForm action={`${PATH}/delete`} button="Delete account" kind="danger" cancel={PATH}>
          {(await providersOf(context.var.visitor)).includes('credential')
            ? passwordField({ name: 'current', label: 'Your password', sent })
            : emailField({ label: 'The email address of your account', autocomplete: 'off', sent })}
          {factorFieldIfOld(services, context.var.visitor, sent)}
        </PostForm>
      </div>
    ),
  });

  const remove = async (context: SignedInContext): Promise<Response> => {
    const { form, visitor } = context.var;
    const { current: password = '' } = form;
    const hasPassword = (await providersOf(visitor)).includes('credential');
    // better-auth skips the check of an empty password.
    if (hasPassword && password === '') {
      throw new FieldErrors({ current: 'Enter your password.' });
    }
    if (!hasPassword && readEmail(form).toLowerCase() !== visitor.email) {
      throw new FieldErrors({ email: 'This is not the address of your account.' });
    }
    await requireFreshFactor(services, context);
    const answer = await auth.post(context.env.request, '/delete-user', hasPassword ? { password } : {});
    return redirect(context, '/dashboard/sign-in?notice=deleted', [
      ...accepted(answer).cookies,
      auth.browsers.forget(visitor.email),
    ]);
  };

  const app = new Hono<SignedInEnv>()
    .get(PATH, view(page))
    .post(`${PATH}/email`, action(page, changeAddress))
    .get('/dashboard/change-email', view(addressPage))
    .post('/dashboard/change-email', confirmAddress)
    .post(`${PATH}/password`, action(page, changePassword))
    .post(`${PATH}/sessions`, endSession)
    .post(`${PATH}/mails`, setMails)
    .get(`${PATH}/delete`, view(deletionPage))
    .post(`${PATH}/delete`, action(deletionPage, remove));
  if (hasGithub) {
    app.post(`${PATH}/github`, link).post(`${PATH}/github/unlink`, action(page, unlink));
  }
  return app;
}

function sessionTable(sessions: readonly ListedSession[], currentId: string): Html {
  const end = (session: string, label: string): Html => (
    <ButtonForm action={`${PATH}/sessions`} hidden={{ session }}>
      {label}
    </ButtonForm>
  );
  return (
    <section>
      <div class="heading sub">
        <h2>Where you are signed in</h2>
        {sessions.length > 1 && end('others', 'End all others')}
      </div>
      <ListTable
        caption="Your sessions"
        isCaptionHidden
        columns={[
          ['Browser', ({ userAgent }) => describeBrowser(userAgent ?? '')],
          ['Address', ({ ipAddress }) => ipAddress || '–'],
          ['Signed in', ({ createdAt }) => time(createdAt, 'minute')],
          [
            <span class="hidden">End it</span>,
            ({ id }) => (id === currentId ? <Badge tone="good">This device</Badge> : end(id, 'End')),
            'end',
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

import type { ListedSession } from '../../accounts/sessions.ts';
import { Badge, buttonLink, type Column, Facts, ListTable, Notice } from '../shared/components.tsx';
import type { Html } from '../shared/jsx.ts';
import { time } from '../shared/time.tsx';
import type { Visitor } from './auth.ts';
import { emailField, linkSentPage, newPasswordField, PostForm, passwordField } from './forms.tsx';
import type { Page } from './page.ts';
import type { Services } from './services.ts';
import { GITHUB } from './sign-in-pages.tsx';

interface AccountOverview {
  readonly visitor: Visitor;
  /** The ways to sign in to it: credential, github. */
  readonly providers: readonly string[];
  readonly sessions: readonly ListedSession[];
  /** The errors of a form, by the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
  /** The last action. */
  readonly notice: string;
}

// By a name from the URL. An object would also have names such as "constructor".
const notices: ReadonlyMap<string, readonly [text: string, kind: 'good' | 'wrong']> = new Map([
  ['email', ['Your email address was changed.', 'good']],
  ['password', ['Your password was changed, and all other sessions were ended.', 'good']],
  ['sessions', ['The session has ended.', 'good']],
  ['github', ['GitHub is linked: you can sign in with it.', 'good']],
  [
    'github-failed',
    [
      'GitHub was not linked. The GitHub account must have the email address of this account, verified by GitHub.',
      'wrong',
    ],
  ],
  ['unlinked', ['GitHub is not linked.', 'good']],
  [
    'last',
    ['GitHub is your only way to sign in. Set a password first: sign out and reset the password.', 'wrong'],
  ],
  [
    'old-session',
    ['You signed in more than a day ago. Sign out, sign in again, and then unlink GitHub.', 'wrong'],
  ],
]);

/** A visitor's own account. */
export function accountPage(
  { mail, hasGithub }: Services,
  { visitor, providers, sessions, errors, notice }: AccountOverview,
): Page {
  const result = notices.get(notice);
  const hasPassword = providers.includes('credential');
  const hasLinked = providers.includes('github');
  return {
    status: Object.keys(errors).length === 0 ? 200 : 400,
    title: 'Account',
    formTargets: hasGithub ? [GITHUB] : [],
    main: (
      <>
        {result !== undefined && <Notice tone={result[1]}>{result[0]}</Notice>}
        <section class="card">
          <Facts
            facts={[
              ['Email address', visitor.email],
              ['Account', visitor.id, 'mono'],
              [
                'Sign in with',
                [hasPassword && 'password', hasLinked && 'GitHub'].filter((way) => way !== false).join(', '),
              ],
              visitor.isOperator && ['Role', 'operator'],
            ]}
          />
          {hasGithub && (
            <PostForm
              action={`/dashboard/account/github${hasLinked ? '/unlink' : ''}`}
              button={hasLinked ? 'Unlink GitHub' : 'Link GitHub'}
              kind="second"
            />
          )}
        </section>
        <div class="columns">
          {hasPassword && passwordForm(errors)}
          {mail !== 'none' && addressForm(errors)}
        </div>
        {sessionTable(sessions, visitor.sessionId)}
        <section class="card danger">
          <h2>Delete account</h2>
          <p>All your keys are revoked, and your personal data is removed at once.</p>
          <p>{buttonLink('/dashboard/account/delete', 'Delete account …', 'second danger')}</p>
        </section>
      </>
    ),
  };
}

function passwordForm(errors: AccountOverview['errors']): Html {
  return (
    <section class="card">
      <h2>Change password</h2>
      <PostForm action="/dashboard/account/password" button="Change password">
        {passwordField({ name: 'current', label: 'Current password', error: errors.current })}
        {newPasswordField({ label: 'New password', error: errors.password })}
      </PostForm>
    </section>
  );
}

function addressForm(errors: AccountOverview['errors']): Html {
  return (
    <section class="card">
      <h2>Change email address</h2>
      <PostForm action="/dashboard/account/email" button="Change email address">
        {emailField({
          label: 'New email address',
          autocomplete: 'email',
          error: errors.email,
          hint: 'The current address gets a link first, then the new one.',
        })}
      </PostForm>
    </section>
  );
}

function sessionTable(sessions: readonly ListedSession[], currentId: string): Html {
  const columns: readonly Column<ListedSession>[] = [
    ['Browser', ({ userAgent }) => describeBrowser(userAgent)],
    ['Address', ({ ipAddress }) => ipAddress || '–'],
    ['Signed in', ({ createdAt }) => time(createdAt, 'minute')],
    [
      <span class="hidden">End it</span>,
      ({ id }) =>
        id === currentId ? (
          <Badge tone="good">This device</Badge>
        ) : (
          <form method="post" action="/dashboard/account/sessions">
            <input type="hidden" name="session" value={id} />
            <button class="quiet">End</button>
          </form>
        ),
      'end',
    ],
  ];
  return (
    <section>
      <div class="heading sub">
        <h2>Where you are signed in</h2>
        {sessions.length > 1 && (
          <form method="post" action="/dashboard/account/sessions">
            <input type="hidden" name="session" value="others" />
            <button class="quiet">End all others</button>
          </form>
        )}
      </div>
      <ListTable caption="Your sessions" isCaptionHidden columns={columns} rows={sessions} />
    </section>
  );
}

/** The browser and the operating system, by their common names. */
function describeBrowser(userAgent: string | null): string {
  const text = userAgent ?? '';
  const browser = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari', 'curl'].find((name) => text.includes(name));
  const system = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'].find((name) =>
    text.includes(name),
  );
  const names: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };
  return (
    [browser, system].flatMap((name) => (name === undefined ? [] : [names[name] ?? name])).join(' on ') ||
    'Unknown'
  );
}

type AddressStep =
  | { kind: 'asked' | 'allowed'; from: string; to: string; mail: Services['mail'] }
  | { kind: 'confirm'; from: string; to: string; token: string };

/** The state of a change of address. */
export function changedAddressPage(step: AddressStep): Page {
  if (step.kind === 'confirm') {
    return {
      title: 'Change your address',
      isNarrow: true,
      main: (
        <div class="card">
          <p>
            The email address of your account changes from <strong>{step.from}</strong> to{' '}
            <strong>{step.to}</strong>.
          </p>
          <PostForm
            action="/dashboard/change-email"
            button="Change email address"
            cancel="/dashboard/account"
          >
            <input type="hidden" name="token" value={step.token} />
          </PostForm>
        </div>
      ),
    };
  }
  const mailbox = step.kind === 'asked' ? step.from : step.to;
  return linkSentPage(step.mail, mailbox, {
    more: (
      <>
        <p>Open the link within an hour, in this browser.</p>
        <p>
          <a href="/dashboard/account">Back to the account</a>
        </p>
      </>
    ),
  });
}

/** The confirmation before an account is deleted. */
export function deletionPage({ hasPassword, error }: { hasPassword: boolean; error?: string }): Page {
  return {
    status: error === undefined ? 200 : 400,
    title: 'Delete your account?',
    back: { path: '/dashboard/account', label: 'Account' },
    isNarrow: true,
    main: (
      <div class="card danger">
        <p>
          All your keys are revoked at once, and your address, password and sessions are removed. This cannot
          be undone.
        </p>
        <PostForm
          action="/dashboard/account/delete"
          button="Delete account"
          kind="danger"
          cancel="/dashboard/account"
        >
          {hasPassword
            ? passwordField({ name: 'current', label: 'Your password', error })
            : emailField({ label: 'The email address of your account', autocomplete: 'off', error })}
        </PostForm>
      </div>
    ),
  };
}

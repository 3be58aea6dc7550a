import { EMAIL_MAX } from '../../accounts/account.ts';
import type { ListedSession } from '../../accounts/sessions.ts';
import { Notice } from '../shared/components.tsx';
import type { Html } from '../shared/jsx.ts';
import { time } from '../shared/time.tsx';
import type { Visitor } from './auth.ts';
import { field, linkSentPage } from './forms.tsx';
import type { Page } from './page.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts';
import type { Services } from './services.ts';

/** The contents of the account page. */
export interface AccountOverview {
  readonly visitor: Visitor;
  /** The ways to sign in to it: credential, github. */
  readonly providers: readonly string[];
  readonly sessions: readonly ListedSession[];
  /** The errors of a form, by the name of the field. */
  readonly errors: Readonly<Record<string, string>>;
  readonly mail: Services['mail'];
  readonly hasGithub: boolean;
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
export function accountPage(of: AccountOverview): Page {
  const { visitor, providers, sessions, errors, mail, hasGithub } = of;
  const result = notices.get(of.notice);
  const hasPassword = providers.includes('credential');
  return {
    status: Object.keys(errors).length === 0 ? 200 : 400,
    title: 'Account',
    main: (
      <>
        {result !== undefined && <Notice tone={result[1]}>{result[0]}</Notice>}
        <section class="card">
          <dl class="facts">
            <dt>Email address</dt>
            <dd>{visitor.email}</dd>
            <dt>Account</dt>
            <dd class="mono">{visitor.id}</dd>
            <dt>Sign in with</dt>
            <dd>
              {[hasPassword && 'password', providers.includes('github') && 'GitHub']
                .filter((way) => way !== false)
                .join(', ')}
            </dd>
            {visitor.isOperator && (
              <>
                <dt>Role</dt>
                <dd>operator</dd>
              </>
            )}
          </dl>
          {hasGithub && github(providers.includes('github'))}
        </section>
        <div class="columns">
          {hasPassword && passwordForm(errors)}
          {mail !== 'none' && addressForm(errors)}
        </div>
        {sessionTable(sessions, visitor.sessionId)}
        <section class="card danger">
          <h2>Delete account</h2>
          <p>All your keys are revoked, and your personal data is removed at once.</p>
          <p>
            <a class="button second danger" href="/dashboard/account/delete">
              Delete account …
            </a>
          </p>
        </section>
      </>
    ),
  };
}

function passwordForm(errors: AccountOverview['errors']): Html {
  return (
    <section class="card">
      <h2>Change password</h2>
      <form class="stack" method="post" action="/dashboard/account/password">
        {field({
          name: 'current',
          label: 'Current password',
          type: 'password',
          autocomplete: 'current-password',
          maxLength: PASSWORD_MAX,
          error: errors.current,
        })}
        {field({
          name: 'password',
          label: 'New password',
          type: 'password',
          autocomplete: 'new-password',
          minLength: PASSWORD_MIN,
          maxLength: PASSWORD_MAX,
          error: errors.password,
          hint: `At least ${PASSWORD_MIN} characters.`,
        })}
        <div class="actions">
          <button>Change password</button>
        </div>
      </form>
    </section>
  );
}

function addressForm(errors: AccountOverview['errors']): Html {
  return (
    <section class="card">
      <h2>Change email address</h2>
      <form class="stack" method="post" action="/dashboard/account/email">
        {field({
          name: 'email',
          label: 'New email address',
          type: 'email',
          autocomplete: 'email',
          maxLength: EMAIL_MAX,
          error: errors.email,
          hint: 'The current address gets a link first, then the new one.',
        })}
        <div class="actions">
          <button>Change email address</button>
        </div>
      </form>
    </section>
  );
}

function github(isLinked: boolean): Html {
  return isLinked ? (
    <form method="post" action="/dashboard/account/github/unlink">
      <button class="second">Unlink GitHub</button>
    </form>
  ) : (
    <form method="post" action="/dashboard/account/github">
      <button class="second">Link GitHub</button>
    </form>
  );
}

function sessionTable(sessions: readonly ListedSession[], currentId: string): Html {
  const rows = sessions.map(({ id, createdAt, ipAddress, userAgent }) => (
    <tr>
      <th scope="row">{describeBrowser(userAgent)}</th>
      <td data-label="Address">{ipAddress === null || ipAddress === '' ? '–' : ipAddress}</td>
      <td data-label="Signed in">{time(createdAt, 'minute')}</td>
      <td class="end">
        {id === currentId ? (
          <span class="badge good">This device</span>
        ) : (
          <form method="post" action="/dashboard/account/sessions">
            <input type="hidden" name="session" value={id} />
            <button class="quiet">End</button>
          </form>
        )}
      </td>
    </tr>
  ));
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
      <div class="table">
        <table class="collapse">
          <caption class="hidden">Your sessions</caption>
          <thead>
            <tr>
              <th scope="col">Browser</th>
              <th scope="col">Address</th>
              <th scope="col">Signed in</th>
              <th scope="col">
                <span class="hidden">End it</span>
              </th>
            </tr>
          </thead>
          <tbody>{rows}</tbody>
        </table>
      </div>
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
          <form class="actions" method="post" action="/dashboard/change-email">
            <input type="hidden" name="token" value={step.token} />
            <button>Change email address</button>
            <a class="button second" href="/dashboard/account">
              Cancel
            </a>
          </form>
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
        <form class="stack" method="post" action="/dashboard/account/delete">
          {hasPassword
            ? field({
                name: 'current',
                label: 'Your password',
                type: 'password',
                autocomplete: 'current-password',
                maxLength: PASSWORD_MAX,
                error,
              })
            : field({
                name: 'email',
                label: 'The email address of your account',
                type: 'email',
                autocomplete: 'off',
                error,
              })}
          <div class="actions">
            <button class="danger">Delete account</button>
            <a class="button second" href="/dashboard/account">
              Cancel
            </a>
          </div>
        </form>
      </div>
    ),
  };
}

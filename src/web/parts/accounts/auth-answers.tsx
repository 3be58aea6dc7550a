import { type AuthAnswer, unexpected } from '../../../access/accounts/sign-in/auth.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../../../access/accounts/sign-in/passwords.ts';
import { OperatorError } from '../../../lib/errors.ts';
import type { Mailer } from '../../../lib/mail/open-mailer.ts';
import type { MailOutcome } from '../../../lib/mail/outcome.ts';
import { FieldErrors, type Form, OtherPage, type Page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { FORGOTTEN_PASSWORD_PATH } from '../../shared/paths.ts';

// What pages answer about passwords, emails and their links.

export const invalidEmail: Form = { email: 'Enter an email address, such as name@example.com.' };

const tooShort: Form = { password: `Use at least ${PASSWORD_MIN} characters.` };
const tooLong: Form = { password: `Use at most ${PASSWORD_MAX} characters.` };

/** The error of a new password, if any. */
export function passwordErrors({ length }: string): Form {
  return length < PASSWORD_MIN ? tooShort : length > PASSWORD_MAX ? tooLong : {};
}

/** The errors of fields by better-auth's codes. */
const fieldErrors: ReadonlyMap<string | undefined, Form> = new Map<string, Form>([
  ['INVALID_EMAIL', invalidEmail],
  ['VALIDATION_ERROR', invalidEmail],
  ['PASSWORD_TOO_SHORT', tooShort],
  ['PASSWORD_TOO_LONG', tooLong],
  ['INVALID_PASSWORD', { current: 'This is not your password.' }],
]);

const oldSession = 'You signed in more than a day ago: sign out and in, then try again.';

/** Errors of what a form is to do. */
const formErrors: ReadonlyMap<string | undefined, string> = new Map([
  ['CREDENTIAL_ACCOUNT_NOT_FOUND', 'Your account has no password yet: sign out and reset the password.'],
  ['SESSION_EXPIRED', oldSession],
  ['SESSION_NOT_FRESH', oldSession],
  [
    'FAILED_TO_UNLINK_LAST_ACCOUNT',
    'GitHub is your only way to sign in. Set a password first: sign out and reset the password.',
  ],
]);

/**
 * Returns the answer to a form that was accepted.
 *
 * @throws FieldErrors or OperatorError for the known reasons to reject it, OtherPage for a link that no longer works, and
 *   Error for any other reason: guessing one would mislead the visitor.
 */
export function accepted(answer: AuthAnswer): AuthAnswer {
  const { status, code } = answer;
  if (status === 200) {
    return answer;
  }
  const fields = fieldErrors.get(code);
  if (fields !== undefined) {
    throw new FieldErrors(fields);
  }
  const text = formErrors.get(code);
  if (text !== undefined) {
    throw new OperatorError(text);
  }
  throw code === 'INVALID_TOKEN' ? deadLink() : unexpected(answer);
}

/** What is thrown to show a short text in place of a page. */
export const otherPage = (status: 400 | 403 | 503, title: string, main: Content): OtherPage =>
  new OtherPage({ status, title, main });

/** The longest time for which a page waits for the mail server, in ms. */
const MAIL_WAIT_MS = 10_000;

/**
 * Waits for what becomes of an email with a link.
 *
 * @param mail undefined if none is sent, or if waiting for it would disclose that one is: then the server is only asked
 *   whether it takes emails.
 * @returns `unknown` if the server is slow.
 */
export async function outcomeOf(
  { checkMail }: Pick<Services, 'checkMail'>,
  mail: Promise<MailOutcome> | undefined,
): Promise<MailOutcome> {
  const found: Promise<MailOutcome> =
    mail ??
    checkMail().then(
      () => 'sent',
      () => 'failed',
    );
  let timer: NodeJS.Timeout | undefined;
  const slow = new Promise<MailOutcome>((resolve) => {
    timer = setTimeout(() => resolve('unknown'), MAIL_WAIT_MS);
  });
  return Promise.race([found, slow]).finally(() => clearTimeout(timer));
}

/** What a page says of an email that was not sent. */
const unsent: Readonly<{ [outcome in MailOutcome]?: (email: Html) => Content }> = {
  failed: (email) => [
    'We could not send an email to ',
    email,
    ', because the mail server takes none at the moment. Try again in a few minutes.',
  ],
  refused: (email) => ['The mail server accepts no emails to ', email, '. Check the address.'],
  unknown: (email) => [
    'The mail server has not confirmed our email to ',
    email,
    '. If nothing arrives within a few minutes, try again.',
  ],
};

/**
 * Tells where the link is that was sent to an address: only a mail server sends emails.
 *
 * @param isCertain whether the address is known to have an account.
 * @param outcome what has become of the email.
 * @param steps what to do with the link.
 * @param actions what to do if it does not arrive.
 */
export function linkSentPage(
  mail: Mailer['kind'],
  email: string,
  {
    isCertain = true,
    outcome,
    steps,
    actions,
  }: {
    readonly isCertain?: boolean;
    readonly outcome: MailOutcome;
    readonly steps: string;
    readonly actions?: Content;
  },
): Page {
  const address = <strong>{email}</strong>;
  const failure = unsent[outcome];
  if (failure !== undefined) {
    return {
      status: outcome === 'refused' ? 400 : 503,
      title: 'The email was not sent',
      isNarrow: true,
      main: (
        <div class="card stack">
          <p>{failure(address)}</p>
          {actions}
        </div>
      ),
    };
  }
  const isPrinted = mail === 'terminal';
  return {
    title: isPrinted ? 'Open the link' : 'Check your email',
    isNarrow: true,
    main: (
      <div class="card stack">
        <p>
          {isPrinted ? 'No mail server is set up: the link for' : 'We sent an email to'} {address}
          {isPrinted && ' is printed on the terminal in which revgate runs'}
          {!isCertain && ' if this address has an account'}.
          {!isPrinted && ' If nothing arrives, check your spam folder.'}
        </p>
        <p>{steps}</p>
        {actions}
      </div>
    ),
  };
}

/** @throws OtherPage if no mail can be sent. */
export function requireMail(mail: Mailer['kind']): void {
  if (mail === 'none') {
    throw otherPage(503, 'Email is not set up', [
      <p class="lead">Email is not set up on this server, so it cannot confirm addresses.</p>,
      <p>
        Ask the operator of the server for a link: it creates an account, or lets you choose a new password.
        To send emails, the operator sets <code>SMTP_URL</code>.
      </p>,
    ]);
  }
}

/** @throws OtherPage if only invited people get an account. */
export function requireOpenSignUp(isInvitedOnly: boolean): void {
  if (isInvitedOnly) {
    throw otherPage(403, 'By invitation only', [
      <p class="lead">To get an account, ask the operator of this server for a link.</p>,
      <p class="actions">{buttonLink('/dashboard/sign-in', 'Sign in')}</p>,
    ]);
  }
}

/** A link of a mail that no longer works. @param next where to go: by default to a new link for a password. */
export const deadLink = (
  next: Content = [
    buttonLink(FORGOTTEN_PASSWORD_PATH, 'Get a new link'),
    buttonLink('/dashboard/sign-in', 'Sign in', 'second'),
  ],
): OtherPage =>
  otherPage(400, 'This link does not work', [
    <p class="lead">It has expired, was already used, or was not copied completely.</p>,
    <p class="actions">{next}</p>,
  ]);

import { readAuthToken } from '../../access/accounts/sign-in/auth-mails.ts';
import type { Mailer } from '../../lib/mail/open-mailer.ts';
import { buttonLink, Notice } from '../shared/components.tsx';
import type { Content } from '../shared/jsx.ts';
import { OtherPage, type Page } from './page.ts';

/** What is thrown to show a short text in place of a page. */
export const otherPage = (status: 400 | 403 | 503, title: string, main: Content): OtherPage =>
  new OtherPage({ status, title, isNarrow: true, main });

/**
 * Tells where the link is that was sent to an address: only a mail server sends emails.
 *
 * @param isCertain whether the address is known to have an account.
 */
export function linkSentPage(
  mail: Mailer['kind'],
  email: string,
  { isCertain = true, more }: { readonly isCertain?: boolean; readonly more: Content },
): Page {
  const isPrinted = mail === 'terminal';
  return {
    title: isPrinted ? 'Open the link' : 'Check your email',
    isNarrow: true,
    main: (
      <>
        <p class="lead">
          {isPrinted ? 'No mail server is set up: the link for' : 'We sent an email to'}{' '}
          <strong>{email}</strong>
          {isPrinted && ' is printed on the terminal in which revgate runs'}
          {!isCertain && ' if this address has an account'}.
        </p>
        {more}
      </>
    ),
  };
}

/** @throws OtherPage if no mail can be sent. */
export function requireMail(mail: Mailer['kind']): void {
  if (mail === 'none') {
    throw otherPage(
      503,
      'Email is not set up',
      <>
        <Notice tone="warn">Email is not set up on this server, so it cannot confirm addresses.</Notice>
        <p>
          Ask the operator of the server for a link: it creates an account, or lets you choose a new password.
          To send emails, the operator sets <code>SMTP_URL</code>.
        </p>
      </>,
    );
  }
}

/** @throws OtherPage if only invited people get an account. */
export function requireOpenSignUp(isInvitedOnly: boolean): void {
  if (isInvitedOnly) {
    throw otherPage(
      403,
      'By invitation only',
      <p class="lead">
        To get an account, ask the operator of this server for a link. If you have one,{' '}
        <a href="/dashboard/sign-in">sign in</a>.
      </p>,
    );
  }
}

/** A link of a mail that no longer works. */
export function deadLink(): OtherPage {
  return otherPage(
    400,
    'This link does not work',
    <>
      <p class="lead">It has expired, was already used, or was not copied completely.</p>
      <p class="actions">
        {buttonLink('/dashboard/sign-in', 'Sign in')}
        <a href="/dashboard/forgotten-password">Get a new password</a>
      </p>
    </>,
  );
}

/** What the token of a mail's link says. @throws OtherPage for an invalid one. */
export function readLink(token: string) {
  const content = readAuthToken(token);
  if (content === undefined) {
    throw deadLink();
  }
  return content;
}

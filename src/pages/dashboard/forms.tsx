import { EMAIL_MAX } from '../../accounts/account.ts';
import type { Mailer } from '../../mail/open-mailer.ts';
import type { Content, Html } from '../shared/jsx.ts';
import type { Form, Page } from './page.ts';

/** One line of a form. */
interface Field {
  readonly name: string;
  readonly label: string;
  /** text by default. */
  readonly type?: 'text' | 'email' | 'password' | 'date';
  readonly value?: string | undefined;
  /** The value of `autocomplete`. */
  readonly autocomplete?: string;
  readonly hint?: Content;
  /** The error of its last value. */
  readonly error?: string | undefined;
  /** True by default. */
  readonly isRequired?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Whether it has the focus when the page opens. */
  readonly isFirst?: boolean;
}

/** A labelled field with its hint and error, which a screen reader reads with it. */
export function field(of: Field): Html {
  const { name, label, type = 'text', value, hint, error, isRequired = true } = of;
  const described = [hint === undefined ? '' : `${name}-hint`, error === undefined ? '' : `${name}-error`]
    .join(' ')
    .trim();
  return (
    <div class="field">
      <label for={name}>{label}</label>
      <input
        id={name}
        name={name}
        type={type}
        value={value}
        autocomplete={of.autocomplete}
        minlength={of.minLength}
        maxlength={of.maxLength}
        aria-describedby={described || undefined}
        aria-invalid={error === undefined ? undefined : 'true'}
        required={isRequired}
        autofocus={of.isFirst}
      />
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

/** Tells where the link is that was sent to an address: only a mail server sends emails. */
export function linkSentPage(
  mail: Mailer['kind'],
  email: string,
  { isCertain = true, more }: { readonly isCertain?: boolean; readonly more: Content },
): Page {
  const recipient = <strong>{email}</strong>;
  const hasLink = isCertain ? '' : <>if {recipient} has an account, </>;
  const place = isCertain ? <> for {recipient}</> : '';
  return {
    title: mail === 'terminal' ? 'Open the link' : 'Check your email',
    isNarrow: true,
    main: (
      <>
        <p class="lead">
          {mail === 'terminal' ? (
            <>
              No mail server is set up: {hasLink}the link{place} is printed on the terminal in which revgate
              runs.
            </>
          ) : isCertain ? (
            <>We sent an email to {recipient}.</>
          ) : (
            <>If {recipient} has an account, we sent it an email.</>
          )}
        </p>
        {more}
      </>
    ),
  };
}

/** The address in a form; empty if it is too long, which is invalid as well. */
export function readEmail(form: Form): string {
  const email = (form.email ?? '').trim();
  return email.length <= EMAIL_MAX ? email : '';
}

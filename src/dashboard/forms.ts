import { EMAIL_MAX } from '../accounts/account.ts';
import { type Content, type Html, html } from '../html.ts';
import type { Mailer } from '../mail/mail.ts';
import type { Form } from './page.ts';

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
  return html`<div class="field">
<label for="${name}">${label}</label>
<input id="${name}" name="${name}" type="${type}"${[
    value !== undefined && html` value="${value}"`,
    of.autocomplete !== undefined && html` autocomplete="${of.autocomplete}"`,
    of.minLength !== undefined && html` minlength="${of.minLength}"`,
    of.maxLength !== undefined && html` maxlength="${of.maxLength}"`,
    described !== '' && html` aria-describedby="${described}"`,
    error !== undefined && html` aria-invalid="true"`,
    isRequired && html` required`,
    of.isFirst === true && html` autofocus`,
  ]}>
${hint !== undefined && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error !== undefined && html`<p class="error" id="${name}-error">${error}</p>`}
</div>`;
}

/** The result of an action, at the top of a page; read out when the page opens. */
export function notice(text: Content, kind: 'good' | 'warn' | 'wrong' = 'good'): Html {
  return html`<div class="notice${kind !== 'good' && ` ${kind}`}" role="${kind === 'wrong' ? 'alert' : 'status'}"><p>${text}</p></div>`;
}

/** Where to find the link of a mail that no server sends. */
export function terminalNotice(mail: Mailer['kind']): Content {
  return (
    mail === 'terminal' &&
    notice('No mail server is set up: the link is printed on the terminal in which revgate runs.', 'warn')
  );
}

/** A moment in UTC as text. */
export function timeText(at: Date, precision: 'day' | 'minute'): string {
  const iso = at.toISOString();
  return precision === 'day' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** A moment in UTC. A script shows those with minutes in the visitor's time zone. */
export function time(at: Date, precision: 'day' | 'minute' = 'day'): Html {
  return html`<time datetime="${at.toISOString()}"${precision === 'minute' && html` data-local`}>${timeText(at, precision)}</time>`;
}

/** The same, or a word if there is no time. */
export function timeOr(word: string, at: Date | null, precision: 'day' | 'minute' = 'day'): Html {
  return at === null ? html`<span class="soft">${word}</span>` : time(at, precision);
}

/** The address in a form; empty if it is too long, which is invalid as well. */
export function readEmail(form: Form): string {
  const email = (form.email ?? '').trim();
  return email.length <= EMAIL_MAX ? email : '';
}

import { EMAIL_MAX } from '../../access/accounts/account.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { findOriginError, originErrors } from '../../access/keys/embed-origins.ts';
import { buttonLink } from '../shared/components.tsx';
import type { Content, Html } from '../shared/jsx.ts';
import { FieldErrors, type Form, type Page, type SentForm, type Visit } from './page.ts';

/** One line of a form. */
interface Field {
  readonly name: string;
  readonly label: string;
  /** text by default. */
  readonly type?: 'text' | 'email' | 'password' | 'date';
  /** Before the form is sent. */
  readonly value?: string | undefined;
  /** The form as it was sent: a password is not shown again. */
  readonly sent?: SentForm | undefined;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly hint?: Content;
  /** True by default. */
  readonly isRequired?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** Whether it has the focus when the page opens. */
  readonly isFirst?: boolean;
  /** The height of a field of several lines. */
  readonly rows?: number;
  /** Whether those are code. */
  readonly isCode?: boolean;
}

/** A labelled field with its hint and error, which a screen reader reads with it. */
export function field(of: Field): Html {
  const { name, label, type = 'text', sent, hint, isRequired = true, rows, isCode = false } = of;
  const value = type === 'password' ? undefined : (sent?.values[name] ?? of.value);
  const error = sent?.errors[name];
  const described = [hint === undefined ? '' : `${name}-hint`, error === undefined ? '' : `${name}-error`]
    .join(' ')
    .trim();
  const attributes = {
    id: name,
    name,
    placeholder: of.placeholder,
    autocomplete: of.autocomplete,
    minlength: of.minLength,
    maxlength: of.maxLength,
    'aria-describedby': described || undefined,
    'aria-invalid': error === undefined ? undefined : 'true',
    required: isRequired,
    autofocus: of.isFirst,
  };
  return (
    <div class="field">
      <label for={name}>{label}</label>
      {rows === undefined ? (
        <input {...attributes} type={type} value={value} />
      ) : (
        <textarea {...attributes} rows={rows} class={isCode ? 'mono' : undefined} spellcheck="false">
          {value}
        </textarea>
      )}
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

export type Options = readonly (readonly [value: string, label: string])[];

/** A choice of one value. */
export function SelectField({
  name,
  label,
  value,
  options,
  isHidden = false,
}: {
  readonly name: string;
  readonly label: Content;
  readonly value: string;
  readonly options: Options;
  /** Whether the label is for screen readers only. */
  readonly isHidden?: boolean;
}): Html {
  return (
    <div class="field">
      {!isHidden && <label for={name}>{label}</label>}
      <select id={name} name={name} aria-label={isHidden ? String(label) : undefined}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

/** The address of an account. */
export function emailField(of: Partial<Field>): Html {
  return field({
    name: 'email',
    label: 'Email address',
    type: 'email',
    autocomplete: 'username',
    maxLength: EMAIL_MAX,
    ...of,
  });
}

/** The password of an account. */
export function passwordField(of: Partial<Field>): Html {
  return field({
    name: 'password',
    label: 'Password',
    type: 'password',
    autocomplete: 'current-password',
    maxLength: PASSWORD_MAX,
    ...of,
  });
}

/** A password that the account does not have yet. */
export function newPasswordField(of: Partial<Field>): Html {
  const hint = `At least ${PASSWORD_MIN} characters.`;
  return passwordField({ autocomplete: 'new-password', minLength: PASSWORD_MIN, hint, ...of });
}

/** A form that POSTs, with its button below the fields. */
export function PostForm({
  action,
  button,
  kind,
  isWide = false,
  cancel,
  hidden = {},
  children,
}: {
  readonly action: string;
  readonly button: Content;
  /** The class of the button. */
  readonly kind?: string | undefined;
  /** Whether the button is as wide as the form. */
  readonly isWide?: boolean;
  /** Where a link leads that leaves the form. */
  readonly cancel?: string | undefined;
  /** Values that the form sends with its fields. */
  readonly hidden?: Form;
  readonly children?: Content;
}): Html {
  const submit = <button class={kind}>{button}</button>;
  return (
    <form class="stack" method="post" action={action}>
      {hiddenFields(hidden)}
      {children}
      {isWide ? (
        submit
      ) : (
        <div class="actions">
          {submit}
          {cancel !== undefined && buttonLink(cancel, 'Cancel', 'second')}
        </div>
      )}
    </form>
  );
}

/** A page that is one form, or asks whether to do what it says. */
export function formPage(
  visit: Pick<Visit, 'path' | 'up' | 'factor'>,
  {
    action = visit.path,
    isDanger = false,
    below,
    children,
    title,
    back,
    formTargets = [],
    ...form
  }: Pick<Page, 'title' | 'back' | 'formTargets'> & {
    readonly action?: string;
    readonly button: Content;
    readonly isWide?: boolean;
    readonly hidden?: Form;
    /** Whether it does what cannot be undone. */
    readonly isDanger?: boolean;
    readonly children?: Content;
    /** Below the card. */
    readonly below?: Content;
  },
): Page {
  const cancel = typeof back === 'string' ? visit.up : back?.path;
  return {
    title,
    back,
    formTargets,
    isNarrow: true,
    main: (
      <>
        <div class={isDanger ? 'card danger' : 'card'}>
          <PostForm action={action} kind={isDanger ? 'danger' : undefined} cancel={cancel} {...form}>
            {children}
            {visit.factor}
          </PostForm>
        </div>
        {below}
      </>
    ),
  };
}

/** A form that is only a button. */
export function ButtonForm({
  action,
  hidden,
  children,
}: {
  readonly action: string;
  readonly hidden: Form;
  readonly children: Content;
}): Html {
  return (
    <form method="post" action={action}>
      {hiddenFields(hidden)}
      <button class="quiet">{children}</button>
    </form>
  );
}

function hiddenFields(values: Form): Html[] {
  return Object.entries(values).map(([name, value]) => <input type="hidden" name={name} value={value} />);
}

/** The address in a form; empty if it is too long, which is invalid as well. */
export function readEmail(form: Form): string {
  const email = (form.email ?? '').trim();
  return email.length <= EMAIL_MAX ? email : '';
}

/**
 * The origins of an embed key in a field with one or more in a line.
 *
 * @throws FieldErrors with one message for each line that is wrong.
 */
export function readOrigins(text = ''): string[] {
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const read = lines
    .filter((line) => line !== '')
    .map((line) => {
      const words = line.split(/[\s,]+/);
      return words.every((word) => findOriginError(word) === undefined) ? words : [line];
    });
  const origins = [...new Set(read.flat())];
  const errors = origins.length === 0 ? [] : originErrors(origins);
  if (errors.length > 0) {
    throw new FieldErrors({ origins: errors.join(' ') });
  }
  return origins;
}

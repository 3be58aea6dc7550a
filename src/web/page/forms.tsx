import { EMAIL_MAX } from '../../access/accounts/account.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { originErrors, readSites } from '../../access/keys/embed-origins.ts';
import { buttonLink, Notice } from '../shared/components.tsx';
import type { Content, Html } from '../shared/jsx.ts';
import {
  type Field,
  FieldErrors,
  type Form,
  type FormContent,
  type Page,
  type PostFormProps,
  type SentForm,
  type Visit,
} from './page.ts';

/** A labelled field with its hint and error, which a screen reader reads with it. */
export function field(of: Field): Html {
  const { name, label, type = 'text', sent, hint, summary, isRequired = true, rows, isCode = false } = of;
  const isSecret = type === 'password' || of.autocomplete === 'one-time-code';
  const value = isSecret ? undefined : (sent?.values[name] ?? of.value);
  const error = sent?.errors[name];
  const described = [error === undefined ? '' : `${name}-error`, hint === undefined ? '' : `${name}-hint`]
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
  const shown = (
    <div class="field">
      {of.above}
      <label for={name}>{label}</label>
      {rows === undefined ? (
        <input {...attributes} type={type} value={value} />
      ) : (
        <textarea {...attributes} rows={rows} class={isCode ? 'mono' : undefined} spellcheck="false">
          {value}
        </textarea>
      )}
      {error !== undefined && (
        <p class="error" id={`${name}-error`}>
          {error}
        </p>
      )}
      {hint !== undefined && (
        <p class="hint" id={`${name}-hint`}>
          {hint}
        </p>
      )}
    </div>
  );
  return summary === undefined ? (
    shown
  ) : (
    <details open={Boolean(value) || error !== undefined || of.above !== undefined}>
      <summary>{summary}</summary>
      {shown}
    </details>
  );
}

export type Options = readonly (readonly [value: string, label: string])[];

/** A box to check. */
export const checkbox = (name: string, label: string, isChecked: boolean): Html => (
  <label class="choice">
    <input type="checkbox" name={name} checked={isChecked} /> {label}
  </label>
);

/** A choice of one of a few values, all of which are shown. */
export const radioButtons = (legend: string, name: string, value: string, options: Options): Html => (
  <fieldset>
    <legend>{legend}</legend>
    {options.map(([option, label]) => (
      <label class="choice">
        <input type="radio" name={name} value={option} checked={option === value} />
        {label}
      </label>
    ))}
  </fieldset>
);

/** A choice of one value. */
export function SelectField({
  name,
  label,
  value,
  options,
  groups = [],
  isHidden = false,
}: {
  readonly name: string;
  readonly label: Content;
  readonly value: string;
  readonly options: Options;
  /** Further options, below a heading each. */
  readonly groups?: readonly (readonly [heading: string, options: Options])[];
  /** Whether the label is for screen readers only. */
  readonly isHidden?: boolean;
}): Html {
  const shown = (all: Options): Content =>
    all.map(([option, text]) => (
      <option value={option} selected={option === value}>
        {text}
      </option>
    ));
  return (
    <div class="field">
      {!isHidden && <label for={name}>{label}</label>}
      <select id={name} name={name} aria-label={isHidden ? String(label) : undefined}>
        {shown(options)}
        {groups.map(([heading, all]) => (
          <optgroup label={heading}>{shown(all)}</optgroup>
        ))}
      </select>
    </div>
  );
}

/** What a visitor calls something of its own. */
export const nameField = (of: Partial<Field>): Field => ({
  name: 'name',
  label: 'Name',
  isFirst: true,
  ...of,
});

/** The address of an account. */
export const emailField = (of: Partial<Field> = {}): Field => ({
  name: 'email',
  label: 'Email address',
  type: 'email',
  autocomplete: 'username',
  maxLength: EMAIL_MAX,
  ...of,
});

/** The password of an account. */
export const passwordField = (of: Partial<Field> = {}): Field => ({
  name: 'password',
  label: 'Password',
  type: 'password',
  autocomplete: 'current-password',
  maxLength: PASSWORD_MAX,
  ...of,
});

/** A password that the account does not have yet. */
export function newPasswordField(of: Partial<Field> = {}): Field {
  const hint = `At least ${PASSWORD_MIN} characters.`;
  return passwordField({ autocomplete: 'new-password', minLength: PASSWORD_MIN, hint, ...of });
}

/** A form that POSTs, with its button below the fields. */
export function PostForm({ isWide = false, fields = [], hidden = {}, ...form }: PostFormProps): Html {
  const { action, button, kind, cancel, sent, children, after } = form;
  const submit = <button class={kind}>{button}</button>;
  // What is wrong has the focus.
  const wrong = fields.find(({ name }) => sent?.errors[name] !== undefined);
  return (
    <form class="stack" method="post" action={action}>
      {hiddenFields(hidden)}
      {children}
      {fields.map((one) =>
        field({ sent, ...one, isFirst: wrong === undefined ? one.isFirst === true : one === wrong }),
      )}
      {after}
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

/** A form of a page that has more than it. */
export function FormCard({
  title,
  text,
  isDanger = false,
  ...form
}: PostFormProps & Partial<Pick<FormContent, 'title' | 'text' | 'isDanger'>>): Html {
  return (
    <section class={isDanger ? 'card danger' : 'card'}>
      {title !== undefined && <h2>{title}</h2>}
      {text !== undefined && <p>{text}</p>}
      <PostForm kind={isDanger ? (title === undefined ? 'danger' : 'second danger') : undefined} {...form} />
    </section>
  );
}

/** A page that is one form, or asks whether to do what it says. One without a page above it stands alone. */
export function formPage(
  { path, up, sent, factor }: Pick<Visit, 'path' | 'up' | 'sent' | 'factor'>,
  { title, back, formTargets = [], isAlone, text, above, below, children, fields = [], ...form }: FormContent,
): Page {
  return {
    title,
    back,
    formTargets,
    isNarrow: true,
    ...(isAlone && { isAlone }),
    main: [
      above,
      <FormCard
        action={path}
        cancel={back !== undefined && 'name' in back ? up : back?.path}
        isWide={back === undefined}
        sent={sent}
        fields={[...fields, ...factor]}
        {...form}
      >
        {text !== undefined && <p>{text}</p>}
        {children}
      </FormCard>,
      below,
    ],
  };
}

type ButtonFormProps = Pick<PostFormProps, 'action' | 'hidden' | 'children'>;

/** A form that is only a button. */
export function ButtonForm({ action, hidden = {}, children }: ButtonFormProps): Html {
  return (
    <form method="post" action={action}>
      {hiddenFields(hidden)}
      <button class="quiet">{children}</button>
    </form>
  );
}

/** What is on or off, as a button that changes it. */
export const Switch = ({
  label,
  isOn,
  isDisabled = false,
  ...form
}: Omit<ButtonFormProps, 'children'> & {
  readonly label: string;
  readonly isOn: boolean;
  readonly isDisabled?: boolean;
}): Html => (
  <form method="post" action={form.action}>
    {hiddenFields(form.hidden ?? {})}
    <button role="switch" aria-checked={String(isOn)} aria-label={label} disabled={isDisabled} />
  </form>
);

function hiddenFields(values: Form): Html[] {
  return Object.entries(values).map(([name, value]) => <input type="hidden" name={name} value={value} />);
}

/** The address in a form; empty if it is too long, which is invalid as well. */
export function readEmail(form: Form): string {
  const email = (form.email ?? '').trim();
  return email.length <= EMAIL_MAX ? email : '';
}

/** The boxes of sites have their origins in their names. */
const SITE = 'site.';

const tickedSites = (form: Form): string[] =>
  Object.keys(form).flatMap((name) => (name.startsWith(SITE) ? [name.slice(SITE.length)] : []));

/**
 * The sites of an embed key: a field for more of them, as people write them, below a box for each one that is known. What
 * people typed becomes boxes once it was sent, as `example.com` means several origins.
 *
 * @param origins those that the key has.
 */
export function sitesField(sent: SentForm, of: Partial<Field> = {}, origins: readonly string[] = []): Field {
  const typed = readSites(sent.values.origins ?? '');
  const isRead = typed.errors.length === 0;
  const isSent = Object.keys(sent.values).length > 0;
  const ticked = [...(isSent ? tickedSites(sent.values) : origins), ...(isRead ? typed.origins : [])];
  const known = [...new Set([...origins, ...ticked])];
  return {
    name: 'origins',
    label: known.length === 0 ? 'Your websites, one per line' : 'More websites, one per line',
    rows: 2,
    isRequired: false,
    placeholder: 'example.com',
    hint: SITES_HINT,
    sent: isRead ? { ...sent, values: { ...sent.values, origins: '' } } : sent,
    ...(known.length > 0 && {
      above: (
        <>
          {isRead && !typed.isExact && (
            <Notice tone="warn">
              These are the sites. Clear those that are not yours, then send the form again.
            </Notice>
          )}
          <fieldset>
            <legend>Sites</legend>
            {known.map((origin) => checkbox(`${SITE}${origin}`, origin, ticked.includes(origin)))}
          </fieldset>
        </>
      ),
    }),
    ...of,
  };
}

/** What can be typed. */
export const SITES_HINT =
  'A domain such as example.com is https with and without www. Of an address such as https://example.com/blog, only ' +
  'https://example.com counts.';

/**
 * The origins of {@link sitesField}: those that are checked, and what was typed.
 *
 * @throws FieldErrors with one message for each site that is wrong; without any if people should see first what was made of
 *   the sites.
 */
export function readOrigins(form: Form): string[] {
  const { origins: typed, errors, isExact } = readSites(form.origins ?? '');
  const origins = [...new Set([...tickedSites(form), ...typed])];
  const wrong = [...errors, ...(origins.length === 0 ? [] : originErrors(origins))];
  if (wrong.length > 0) {
    throw new FieldErrors({ origins: wrong.join(' ') });
  }
  if (!isExact) {
    throw new FieldErrors({});
  }
  return origins;
}

/**
 * The same where at least one is required.
 *
 * @throws FieldErrors as that does, and for none.
 */
export function requireOrigins(form: Form): string[] {
  const origins = readOrigins(form);
  if (origins.length === 0) {
    throw new FieldErrors({
      origins: 'Sites: none given. Enter the domain of your website, such as example.com.',
    });
  }
  return origins;
}

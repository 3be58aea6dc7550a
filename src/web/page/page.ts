import type { Context } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import type { ContentfulStatusCode } from 'hono/utils/http-status';
import type { Visitor } from '../../access/accounts/sign-in/auth.ts';
import type { Reservation } from '../../access/limits/counter.ts';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Content, Html } from '../shared/jsx.ts';
import type { PageLink } from '../shared/page-links.ts';
import { HOME_PATH } from '../shared/paths.ts';
import { noticeIn } from './notices.ts';
import type { Acting } from './services.ts';

/** The scripts that show answers in place, on pages that need no other for it. */
export const inPlace = ['idiomorph.js', 'parts.js'] as const;

/** The fields of a form by their names. */
export type Form = Readonly<Record<string, string | undefined>>;

/** The context of the dashboard's handlers. */
export interface DashboardEnv extends PageEnv {
  Variables: {
    visitor: Visitor | undefined;
    /** Signed in, but the second factor is missing. */
    pending?: Visitor | undefined;
    /** Empty unless the request is a POST. */
    form: Form;
    /** Set where the account has no page left, for a page that can show something without reading anything. */
    exceeded?: Reservation;
  };
}

/** The same for pages that require signing in. */
export interface SignedInEnv extends PageEnv {
  Variables: { visitor: Visitor; form: Form; exceeded?: Reservation };
}

export type PageContext = Context<DashboardEnv>;
export type SignedInContext = Context<SignedInEnv>;

/** The argument of `context.render`. */
export interface Page {
  /** 200 by default, and 400 with errors. */
  readonly status?: ContentfulStatusCode;
  readonly title: string;
  /** By default the title: pages that are tabs of one thing share the heading. */
  readonly heading?: string;
  readonly main: Content;
  /** What is wrong with a form, above the rest: the status is 400. */
  readonly errors?: readonly string[];
  /**
   * The page above, linked above the heading, whose section the page belongs to: usually one of `pageLinks`, or what the page
   * of the path above is about, by its name.
   */
  readonly back?: PageLink | { readonly name: string } | undefined;
  /** Before the heading. */
  readonly icon?: Html;
  /** Beside the heading. */
  readonly action?: Content;
  /** Names of script files in `assets/`, in addition to the one of every page. */
  readonly scripts?: readonly string[];
  /** Names of style files, in addition to those of every page. */
  readonly styles?: readonly string[];
  /** Whether its scripts may send requests to this server. */
  readonly connects?: boolean;
  /** Origins that its forms may lead to in addition to our own: browsers also check redirects after a form. */
  readonly formTargets?: readonly string[];
  /** A narrow column: for a page that is one form or one text. */
  readonly isNarrow?: boolean;
  /** Whether it stands alone in the middle, as the page to sign in does. */
  readonly isAlone?: boolean;
  /** For a large table, which begins further up. */
  readonly isWide?: boolean;
  readonly headers?: Readonly<Record<string, string>>;
}

declare module 'hono' {
  interface ContextRenderer {
    // biome-ignore lint/style/useShorthandFunctionType: Hono merges its own declaration with this one.
    (page: Page): Response;
  }
}

/** A form as it was sent, and the errors of its fields; both are empty before it is sent. */
export interface SentForm {
  readonly values: Form;
  readonly errors: Form;
}

/** One line of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** text by default. */
  readonly type?: 'text' | 'email' | 'password' | 'date';
  /** Before the form is sent. */
  readonly value?: string | undefined;
  /** The form as it was sent: a password or a code is not shown again. */
  readonly sent?: SentForm | undefined;
  readonly autocomplete?: string;
  readonly placeholder?: string;
  readonly hint?: Content;
  /** True by default. */
  readonly isRequired?: boolean;
  readonly minLength?: number;
  readonly maxLength?: number;
  /** What opens the field, where few need it. */
  readonly summary?: string;
  /** Whether it has the focus when the page opens. */
  readonly isFirst?: boolean;
  /** The height of a field of several lines. */
  readonly rows?: number;
  /** Whether those are code. */
  readonly isCode?: boolean;
  /** What was read from it before, above its label. */
  readonly above?: Content;
}

/** A form that POSTs. */
export interface PostFormProps {
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
  /** Above the fields, and between them and the button. */
  readonly children?: Content;
  readonly after?: Content;
  readonly fields?: readonly Field[];
  /** The form as it was sent, for the fields. */
  readonly sent?: SentForm | undefined;
}

/** What a page shows that is one form. */
export type FormContent = Pick<Page, 'title' | 'back' | 'formTargets' | 'isAlone'> &
  Omit<PostFormProps, 'action'> & {
    /** By default the path of the page. */
    readonly action?: string;
    /** Whether it does what cannot be undone. */
    readonly isDanger?: boolean;
    /** What the form does. */
    readonly text?: Content;
    /** Above the card, and below it. */
    readonly above?: Content;
    readonly below?: Content;
  };

/**
 * Thrown by a form's action for invalid fields: the message of each, by its name. Without any, the form is shown again with
 * what was made of it, which people should see before it acts.
 */
export class FieldErrors extends Error {
  readonly fields: Form;

  constructor(fields: Form) {
    super('A form has invalid fields');
    this.fields = fields;
  }
}

/** A request to a page. */
export interface Visit {
  readonly context: SignedInContext;
  /** Who sent it. On pages of everyone, use {@link someoneOf}. */
  readonly visitor: Visitor;
  /** What the visitor may change: its own keys, or on pages of operators all of them. */
  readonly acting: Acting;
  /** The `:id` of the path. */
  readonly id: string;
  readonly form: Form;
  /** The form that failed, for the view that shows it again. */
  readonly sent: SentForm;
  /** The path of the page, and that of the page above it. */
  readonly path: string;
  readonly up: string;
  /** The field of the second factor, where a form needs it again. */
  readonly factor: readonly Field[];
  readonly query: (name: string) => string | undefined;
}

/** Where a form leads, possibly {@link withNotice}, or the page that it shows. */
export type Outcome = string | { readonly to: string; readonly cookies: readonly string[] } | Page | Response;
type Later<T> = T | Promise<T>;

/** Who may see a page. That of an operator does not exist for others. */
export type Audience = 'everyone' | 'members' | 'operators';

type Act<T> = (visit: Visit, loaded: T) => Later<Outcome>;

/** A page: where it is, what it shows, and its forms. */
export interface PageRow<T> {
  readonly path: string;
  /** Whether the policy must have been accepted. */
  readonly needsPolicy?: boolean;
  /** Whether its forms need the second factor again, if it was given a while ago. */
  readonly isGuarded?: boolean;
  /** Whether it is shown only where its form has failed. */
  readonly isFormOnly?: boolean;
  /** Finds what the page is about, before it is shown and before a form acts. @throws UnknownError where there is none. */
  readonly load?: (visit: Visit) => Later<T>;
  /** What it shows; what a page that is one form has around its fields is the same everywhere. */
  readonly view?: (visit: Visit, loaded: T) => Later<Outcome | FormContent>;
  /** What the form does that is sent to the path of the page. */
  readonly act?: Act<T>;
  /**
   * What its other forms do, by their paths: below that of the page, or from /dashboard on. A form that throws FieldErrors
   * or an OperatorError is shown again with what is wrong.
   */
  readonly forms?: Readonly<Record<string, Act<T>>>;
}

/** Writes a row with the type of what it loads. */
export const page = <T>(row: PageRow<T>): PageRow<unknown> => row as PageRow<unknown>;

/** The visitor of a page of everyone. */
export const someoneOf = ({ context }: Visit): Visitor | undefined => context.var.visitor;

/** Thrown by a handler that shows another page than the one that was requested. */
export class OtherPage extends Error {
  readonly page: Page;

  constructor(page: Page) {
    super(page.title);
    this.page = page;
  }
}

/** What a redirect keeps in the browser, for so many seconds: the notice of the next page, and where to continue. */
const [NOTICE, NEXT, KEPT_SECONDS] = ['revgate.notice', 'revgate.next', 3_600];

const keep = (context: Context, name: string, value: string): void =>
  setCookie(context, name, value, {
    path: '/dashboard',
    httpOnly: true,
    sameSite: 'Lax',
    maxAge: value === '' ? 0 : KEPT_SECONDS,
  });

/** What was kept, which is then gone. */
function take(context: Context, name: string): string | undefined {
  const value = getCookie(context, name);
  if (value !== undefined) {
    keep(context, name, '');
  }
  return value;
}

/** Redirects to another page with GET, which shows its notice, and sets cookies: lines of Set-Cookie. */
export function redirect(context: Context, location: string, cookies: readonly string[] = []): Response {
  setCookies(context, cookies);
  const notice = noticeIn(location);
  if (notice !== undefined) {
    keep(context, NOTICE, notice);
  }
  return context.redirect(location, 303);
}

/** The notice of a page: shown once, and only where a redirect led here, not any link. */
export function takeNotice(context: Context): string | undefined {
  const asked = context.req.query('notice');
  return asked !== undefined && take(context, NOTICE) === asked ? asked : undefined;
}

/** Keeps where a visitor wanted to go, through signing in or up, mails, GitHub and the policy. */
export const keepNext = (context: Context, next: string): void => keep(context, NEXT, next);

/** Where a visitor wants to go. */
export const keptNext = (context: Context): string | undefined => getCookie(context, NEXT);

/** Where a visitor wanted to go, once. */
export const takeNext = (context: Context): string | undefined => take(context, NEXT);

/** Sets cookies, given as lines of Set-Cookie. */
export function setCookies(context: Context, cookies: readonly string[]): void {
  for (const cookie of cookies) {
    context.header('Set-Cookie', cookie, { append: true });
  }
}

/**
 * The page to continue with: of the dashboard, or GraphiQL; never a page of another site.
 *
 * @param next an address that a visitor has sent.
 */
export function safeNext(next: string | undefined, origin: string, fallback: string = HOME_PATH): string {
  if (next === undefined || next === '' || !URL.canParse(next, origin)) {
    return fallback;
  }
  const url = new URL(next, origin);
  if (url.origin !== new URL(origin).origin) {
    return fallback;
  }
  if (url.pathname === '/graphql') {
    // Without its query, which could contain an operation.
    return url.pathname;
  }
  return /^\/dashboard(\/|$)/.test(url.pathname) ? `${url.pathname}${url.search}` : fallback;
}

import type { Visitor } from '../../access/accounts/sign-in/auth.ts';
import { Notice, type Tone } from '../shared/components.tsx';
import { type Look, shellPage } from '../shared/shell.tsx';
import type { Page } from './page.ts';

/** What a page is laid out with. */
interface LayoutOptions extends Look {
  readonly path: string;
  /** The name of a result of the last action. */
  readonly notice?: string | undefined;
  readonly visitor: Visitor | undefined;
}

/** Lays out a page of the dashboard. */
export function layOut(page: Page, { brand, assetUrl, path, notice = '', visitor }: LayoutOptions): string {
  const { title, heading = title, main, action, styles = [], scripts = [], errors = [] } = page;
  const back = typeof page.back === 'string' ? undefined : page.back;
  const result = noticeOf(notice);
  const isAlone = page.isNarrow && (page.isAlone || visitor === undefined);
  const kind = isAlone ? 'narrow alone' : page.isNarrow ? 'narrow' : page.isWide ? 'wide' : undefined;
  return shellPage({
    title,
    brand,
    assetUrl,
    // Operators see pages of customers from theirs.
    path: back?.path.startsWith('/dashboard/operator') ? back.path : path,
    isSignedIn: visitor !== undefined,
    account: visitor,
    isEntering: isAlone && page.status === undefined,
    styles: ['dashboard.css', ...styles],
    scripts: ['dashboard.js', ...scripts],
    children: (
      <main id="main" class={kind}>
        {back !== undefined && (
          <p class="back">
            <a href={back.path}>{back.label}</a>
          </p>
        )}
        <div class="heading">
          {page.icon === undefined ? (
            <h1>{heading}</h1>
          ) : (
            <div class="titled">
              {page.icon}
              <h1>{heading}</h1>
            </div>
          )}
          {action}
        </div>
        {result !== undefined && <Notice tone={result.tone}>{result.text}</Notice>}
        {errors.map((error) => (
          <Notice tone="wrong">{error}</Notice>
        ))}
        {main}
      </main>
    ),
  });
}

/** The results of actions, shown above the page that one leads to, by the name in `?notice=` of its URL. */
const texts: Readonly<Record<string, string>> = {
  expired: 'Your session has ended. Sign in, and send the form again.',
  left: 'You are signed out.',
  'new-password': 'Your password is set. Sign in with it in a minute.',
  deleted: 'Your account is deleted, and its keys are revoked.',
  'github-refused':
    'GitHub could not sign you in. If you have an account, sign in with your password and link GitHub there.',
  email: 'Your email address was changed.',
  password: 'Your password was changed, and all other sessions were ended.',
  sessions: 'The session has ended.',
  'mails-on': 'You get emails about your keys.',
  'mails-off': 'You get no emails about your keys.',
  'factor-off': 'The second factor is off: a password is enough to sign in.',
  github: 'GitHub is linked: you can sign in with it.',
  'github-failed': 'GitHub was not linked. Its account must have the same email address, verified by GitHub.',
  unlinked: 'GitHub is no longer linked.',
  renamed: 'The key was renamed.',
  'created-before':
    'This form was sent before: it created this key, which is not shown again. Rotate it if you did not copy it.',
  revoked: 'The key is revoked. All servers reject it within a second.',
  published: 'Published. Within a second, requests with this key can use its ID.',
  'published-before': 'Nothing changed: this was published before.',
  unpublished: 'The document was removed. Within a second, requests with its ID fail.',
  'search-saved': 'The search is saved.',
  'search-renamed': 'The search was renamed.',
  'search-deleted': 'The search was deleted.',
  'saved-mails': 'Your email settings are saved.',
  'key-disable': 'The key is disabled. Within a second, requests with it get a 403 response.',
  'key-enable': 'The key is enabled.',
  'key-limit': 'The limits of the key are set. They apply within a second.',
  'account-disable': 'The account is disabled. Within a second, requests with its keys get a 403 response.',
  'account-enable': 'The account is enabled.',
  imported: 'The import is done. Customers get these startups within a second.',
  'imported-alone':
    'The import is done. Its mapping could not be stored: there are too many. Remove one, then store it again.',
  'mapping-removed': 'The mapping was removed.',
  'token-revoked': 'The token is revoked. It no longer works.',
  'mails-released':
    'Emails about keys are sent from here on, and emails about what accounts saved with the next changes.',
  'account-delete': 'The account was deleted, and its keys were revoked.',
};
const tones: Readonly<Record<string, Tone>> = {
  expired: 'warn',
  'created-before': 'warn',
  'published-before': 'warn',
  'github-refused': 'wrong',
  'github-failed': 'wrong',
};

/** The text of a notice and its tone; undefined if it has none. */
const noticeOf = (name: string): { readonly text: string; readonly tone: Tone } | undefined =>
  Object.hasOwn(texts, name) ? { text: texts[name] ?? '', tone: tones[name] ?? 'good' } : undefined;

import type { Tone } from '../shared/components.tsx';

interface Notice {
  readonly text: string;
  /** `good` by default. */
  readonly tone?: Tone;
}

/** The results of actions, by name. The page to which an action leads shows one above the rest. */
const notices = {
  expired: {
    text: 'Your session has ended. Sign in, and send the form again.',
    tone: 'warn',
  },
  left: { text: 'You are signed out.' },
  'new-password': { text: 'Your password is set. Sign in with it in a minute.' },
  deleted: { text: 'Your account is deleted, and its keys are revoked.' },
  'github-refused': {
    text: 'GitHub could not sign you in. If you have an account, sign in with your password and link GitHub there.',
    tone: 'wrong',
  },
  email: { text: 'Your email address was changed.' },
  password: { text: 'Your password was changed, and all other sessions were ended.' },
  sessions: { text: 'The session has ended.' },
  'mails-on': { text: 'You get emails about your keys.' },
  'mails-off': { text: 'You get no emails about your keys.' },
  'factor-off': { text: 'The second factor is off: a password is enough to sign in.' },
  github: { text: 'GitHub is linked: you can sign in with it.' },
  'github-failed': {
    text: 'GitHub was not linked. Its account must have the same email address, verified by GitHub.',
    tone: 'wrong',
  },
  unlinked: { text: 'GitHub is no longer linked.' },
  renamed: { text: 'The key was renamed.' },
  origins: { text: 'The sites were changed. They apply within a second.' },
  'created-before': {
    text: 'This form was sent before: it created this key, which is not shown again. Rotate it if you did not copy it.',
    tone: 'warn',
  },
  revoked: { text: 'The key is revoked. All servers reject it within a second.' },
  published: { text: 'Published. Within a second, requests with this key can use its ID.' },
  'published-before': { text: 'Nothing changed: this was published before.', tone: 'warn' },
  'published-all': { text: 'Published. Within a second, requests with this key can use these IDs.' },
  'published-replaced': {
    text: 'Published. Some ids in the manifest are not SHA-256: clients must send the IDs of this page instead.',
    tone: 'warn',
  },
  unpublished: { text: 'The document was removed. Within a second, requests with its ID fail.' },
  'embed-removed': { text: 'The embed was removed. Within a second, pages do not show it any more.' },
  'search-saved': { text: 'The search is saved.' },
  'search-renamed': { text: 'The search was renamed.' },
  'search-deleted': { text: 'The search was deleted.' },
  'saved-mails': { text: 'Your email settings are saved.' },
  'key-disable': { text: 'The key is disabled. Within a second, requests with it get a 403 response.' },
  'key-enable': { text: 'The key is enabled.' },
  'key-limit': { text: 'The limits of the key are set. They apply within a second.' },
  'account-disable': {
    text: 'The account is disabled. Within a second, requests with its keys get a 403 response.',
  },
  'account-enable': { text: 'The account is enabled.' },
  imported: { text: 'The import is done. Customers get these startups within a second.' },
  'imported-alone': {
    text: 'The import is done. Its mapping could not be stored: there are too many. Remove one, then store it again.',
  },
  undone: { text: 'The import was undone. Customers get the earlier data within a second.' },
  'upload-removed': { text: 'The file was removed. Nothing was imported.' },
  'mapping-removed': { text: 'The mapping was removed.' },
  'field-added': {
    text: 'The field was added. Imports can fill it, and clients can read it within a second.',
  },
  'field-labelled': { text: 'The label was changed.' },
  'field-removed': { text: 'The field was removed with its values.' },
  'token-revoked': { text: 'The token is revoked. It no longer works.' },
  'mails-released': {
    text: 'Emails about keys are sent from here on, and emails about what accounts saved with the next changes.',
  },
  'account-delete': { text: 'The account was deleted, and its keys were revoked.' },
} as const satisfies Readonly<Record<string, Notice>>;

export type NoticeName = keyof typeof notices;
export const noticeNames = Object.keys(notices) as NoticeName[];

/** The address of a page that shows a notice once, if a redirect leads there. */
export const withNotice = (path: string, notice: NoticeName): string => `${path}?notice=${notice}`;

/** The name of the notice in an address; undefined if it has none. */
export const noticeIn = (address: string): string | undefined => /[?&]notice=([a-z-]+)/.exec(address)?.[1];

/** The notice with a name that a visitor has sent; undefined if there is none. */
export const findNotice = (name: string | undefined): Notice | undefined =>
  name !== undefined && Object.hasOwn(notices, name) ? notices[name as NoticeName] : undefined;

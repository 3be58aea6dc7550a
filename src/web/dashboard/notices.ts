import type { Tone } from '../shared/components.tsx';

/**
 * The results of actions, shown above the page that one leads to, by the name in `?notice=` of its URL. An object would
 * also have names such as "constructor".
 */
export const notices: ReadonlyMap<string, readonly [text: string, tone?: Tone]> = new Map([
  // Signing in
  ['expired', ['Your session has ended. Sign in, and send the form again.', 'warn']],
  ['left', ['You are signed out.']],
  ['new-password', ['Your new password is set. Sign in with it.']],
  ['deleted', ['Your account is deleted, and its keys are revoked.']],
  [
    'github-refused',
    [
      'GitHub could not sign you in. If you have an account with this address, sign in with your password and link GitHub on the page of your account. If not, GitHub must have verified your address, and the server must accept new accounts.',
      'wrong',
    ],
  ],
  // The account
  ['operator', ['You are the operator of this server. Import startups, and give people keys.']],
  ['email', ['Your email address was changed.']],
  ['password', ['Your password was changed, and all other sessions were ended.']],
  ['sessions', ['The session has ended.']],
  ['mails-on', ['You get emails about your keys.']],
  ['mails-off', ['You get no emails about your keys.']],
  ['factor-off', ['The second factor is off: a password is enough to sign in.']],
  ['github', ['GitHub is linked: you can sign in with it.']],
  [
    'github-failed',
    [
      'GitHub was not linked. The GitHub account must have the email address of this account, verified by GitHub.',
      'wrong',
    ],
  ],
  ['unlinked', ['GitHub is not linked.']],
  // A key
  ['renamed', ['The key was renamed.']],
  [
    'created-before',
    [
      'This form was already sent: it created this key, which cannot be shown again. If you did not copy the key, rotate it or create another one.',
      'warn',
    ],
  ],
  ['revoked', ['The key is revoked. All servers reject it within a second.']],
  // Its documents
  ['published', ['Published. Requests with this key can name a document by its id within a second.']],
  ['published-before', ['Nothing changed: this was published before.', 'warn']],
  ['unpublished', ['The document was removed. Requests that name it get an error within a second.']],
  // Saved searches
  ['search-saved', ['The search is saved.']],
  ['search-renamed', ['The search was renamed.']],
  ['search-deleted', ['The search was deleted.']],
  ['saved-mails', ['Your emails are set.']],
  // Actions of operators
  ['key-disable', ['The key is disabled. Within a second, requests with it get a 403 response.']],
  ['key-enable', ['The key is enabled.']],
  ['key-limit', ['The limit of the key was changed. It applies within a second.']],
  ['key-tier', ['The tier of the key was changed.']],
  ['key-allow', ['The key can download snapshots.']],
  ['key-forbid', ['The key cannot download snapshots any more.']],
  [
    'account-disable',
    ['The account is disabled. Within a second, requests with its keys get a 403 response.'],
  ],
  ['account-enable', ['The account is enabled.']],
  ['imported', ['The import is done. Customers get these startups within a second.']],
  [
    'imported-alone',
    [
      'The import is done. Its mapping could not be stored: there are too many. Remove one, then store it again.',
    ],
  ],
  ['mapping-removed', ['The mapping was removed.']],
  ['token-revoked', ['The token is revoked. It no longer works.']],
  ['account-delete', ['The account was deleted, and its keys were revoked.']],
]);

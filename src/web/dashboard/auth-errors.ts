import { type AuthAnswer, unexpected } from '../../access/accounts/sign-in/auth-answer.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from '../../access/accounts/sign-in/passwords.ts';
import { OperatorError } from '../../lib/errors.ts';
import { deadLink } from './mail-pages.tsx';
import { FieldErrors, type Form } from './page.ts';

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

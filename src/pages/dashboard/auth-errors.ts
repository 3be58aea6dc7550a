import { ApiError } from '../../errors.ts';
import { PASSWORD_MAX, PASSWORD_MIN } from './passwords.ts';

/** The answer of better-auth to a form. */
export interface AuthAnswer {
  readonly status: number;
  /** Its error code, such as INVALID_PASSWORD. */
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  readonly location: string | undefined;
}

/** The error after too many attempts. */
export const tooManyAttempts = (): ApiError =>
  new ApiError('RATE_LIMITED', 'Too many attempts. Wait a minute, then try again.');

/** The error messages of a field, by better-auth's codes. */
const errors: Readonly<Record<string, { readonly field: string; readonly text: string }>> = {
  INVALID_EMAIL: { field: 'email', text: 'Enter an email address, such as name@example.com.' },
  VALIDATION_ERROR: { field: 'email', text: 'Enter an email address, such as name@example.com.' },
  PASSWORD_TOO_SHORT: { field: 'password', text: `Use at least ${PASSWORD_MIN} characters.` },
  PASSWORD_TOO_LONG: { field: 'password', text: `Use at most ${PASSWORD_MAX} characters.` },
  INVALID_PASSWORD: { field: 'current', text: 'This is not your password.' },
  CREDENTIAL_ACCOUNT_NOT_FOUND: {
    field: 'current',
    text: 'Your account has no password yet: sign out and reset the password.',
  },
  SESSION_EXPIRED: {
    field: 'current',
    text: 'You signed in more than a day ago: sign out and in, then try again.',
  },
};

/**
 * The errors of a rejected form, by the name of the field.
 *
 * @throws Error for any other reason: guessing one would mislead the visitor.
 */
export function fieldErrors(answer: AuthAnswer): Readonly<Record<string, string>> {
  const error = errors[answer.code ?? ''];
  if (error === undefined) {
    throw unexpected(answer);
  }
  return { [error.field]: error.text };
}

/** The error for an answer that no page explains. */
export function unexpected({ status, code }: AuthAnswer): Error {
  return new Error(`better-auth answered ${status}: ${code ?? 'no code'}`);
}

import { ApiError } from '../../../lib/errors.ts';

export interface AuthAnswer {
  readonly status: number;
  /** Its error code, such as INVALID_PASSWORD. */
  readonly code: string | undefined;
  readonly body: Readonly<Record<string, unknown>>;
  /** Values of Set-Cookie. */
  readonly cookies: readonly string[];
  readonly location: string | undefined;
}

export const tooManyAttempts = (): ApiError =>
  new ApiError('RATE_LIMITED', 'Too many attempts. Wait a minute, then try again.');

/** The error for an answer that no page explains. */
export function unexpected({ status, code }: AuthAnswer): Error {
  return new Error(`better-auth answered ${status}: ${code ?? 'no code'}`);
}

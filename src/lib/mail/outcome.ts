/**
 * What became of an attempt to send an email:
 * - `sent`: a mail server has taken it.
 * - `deferred`: it was certainly not taken, and is tried again.
 * - `failed`: it was not taken, and is not tried again.
 * - `refused`: the mail server takes no emails to its address.
 * - `unknown`: it may have been taken, and is not tried again.
 * - `given_up`: it was tried again for too long.
 * - `limited`: it was not sent, as its address had enough emails.
 */
export const mailOutcomes = [
  'sent',
  'deferred',
  'failed',
  'refused',
  'unknown',
  'given_up',
  'limited',
] as const;
export type MailOutcome = (typeof mailOutcomes)[number];

/**
 * Why an email was not sent:
 * - `unavailable`: the server takes no emails now, or cannot be reached. It certainly has not taken this one.
 * - `deferred`: the server does not take this email now, but others.
 * - `refused`: the server takes no emails to this address.
 * - `rejected`: the server does not take this email, whenever it is sent.
 * - `unknown`: the connection ended before the server said whether it has taken the email.
 */
export type MailFailure = 'unavailable' | 'deferred' | 'refused' | 'rejected' | 'unknown';

/** An email that was not sent, or may not have been. */
export class MailError extends Error {
  readonly failure: MailFailure;

  constructor(failure: MailFailure, message: string) {
    super(message);
    this.name = 'MailError';
    this.failure = failure;
  }
}

/** An error of nodemailer: what it was about to do, and what the server answered. */
interface SmtpError {
  readonly code?: string;
  readonly command?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

/** A refusal because of who sends (RFC 3463), such as one that has not signed in. The address may be a good one. */
const POLICY = /^5\d\d[ -]5\.7\./;

/** A server may answer this to any command. */
const SERVICE_CLOSES = 421;

/**
 * Says why an email was not sent.
 *
 * @param isTransmitted whether any of its content was.
 */
export function failureOf(error: unknown, isTransmitted: boolean): MailFailure {
  const { code, command, responseCode, response = '' } = error as SmtpError;
  if (responseCode === undefined) {
    if (isTransmitted) {
      return 'unknown';
    }
    // No server was asked: it is not the address of a mailbox.
    return code === 'EENVELOPE' ? 'refused' : 'unavailable';
  }
  if (responseCode === SERVICE_CLOSES) {
    return 'unavailable';
  }
  if (command === 'RCPT TO') {
    return responseCode < 500 || POLICY.test(response) ? 'deferred' : 'refused';
  }
  if (command === 'DATA') {
    return responseCode < 500 ? 'deferred' : 'rejected';
  }
  return 'unavailable';
}

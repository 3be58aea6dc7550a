import { throwIfAny } from '../errors.ts';

// Control characters, lone surrogates, line separators and characters that reverse the reading direction:
// such texts are shown in one line of a terminal.
const UNFIT = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/u;

/** Whether a text is 1 to `max` characters that fit one line of a terminal, and not all blank. */
export function isPlainText(text: string, max: number): boolean {
  return text.trim() !== '' && [...text].length <= max && !UNFIT.test(text);
}

/** Quotes user input for one line of a message. */
export function quote(text: string): string {
  return JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
}

/** The error of a text that {@link isPlainText} rejects; empty if there is none. */
export function lineErrors(what: string, text: string, max: number): string[] {
  return isPlainText(text, max)
    ? []
    : [`${what}: got ${quote(text)}, allowed: 1 to ${max} characters without control characters.`];
}

const REASON_MAX = 500;

/** Adds the reason of an administrative action to a message without its full stop, if it fits on one line. */
export function withReason(message: string, reason: string | null): string {
  return reason !== null && isPlainText(reason, REASON_MAX) ? `${message}: ${reason}` : message;
}

/**
 * The reason of an administrative action, if given. The holder of what is disabled reads it.
 *
 * @throws OperatorError if it does not fit on one line.
 */
export function readReason(text: string | undefined): string | null {
  throwIfAny(text === undefined ? [] : lineErrors('Reason', text, REASON_MAX));
  return text ?? null;
}

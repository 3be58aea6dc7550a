import { getSystemErrorMap } from 'node:util';

/**
 * The error codes of every surface with their HTTP status. Append only: clients depend on them.
 */
export const errorStatuses = {
  BAD_USER_INPUT: 400,
  GRAPHQL_PARSE_FAILED: 400,
  GRAPHQL_VALIDATION_FAILED: 400,
  OPERATION_TOO_COMPLEX: 400,
  UNAUTHENTICATED: 401,
  ACCESS_DISABLED: 403,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  INTERNAL_SERVER_ERROR: 500,
  DOCUMENT_NOT_FOUND: 404,
  DOCUMENT_NOT_TRUSTED: 403,
  ORIGIN_NOT_ALLOWED: 403,
  SERVICE_UNAVAILABLE: 503,
  REQUEST_TIMEOUT: 408,
  EXPECTATION_FAILED: 417,
  CURSOR_EXPIRED: 410,
  CSRF_TOKEN_INVALID: 403,
  POLICY_NOT_ACCEPTED: 403,
  IMPORT_RUNNING: 409,
  IDEMPOTENCY_KEY_REUSED: 422,
  SNAPSHOT_NOT_ALLOWED: 403,
  INSUFFICIENT_STORAGE: 507,
  GONE: 410,
  UNDO_CONFLICT: 409,
} as const;
export type ErrorCode = keyof typeof errorStatuses;

/**
 * Where each code is used: REST and GraphQL, or one surface alone. In GraphQL, what does not exist is null, and there is no
 * snapshot. `POST /import` and `POST /import/undo` are no part of the API.
 */
export const errorSurfaces: Readonly<Record<ErrorCode, 'both' | 'rest' | 'graphql' | 'import' | 'feeds'>> = {
  BAD_USER_INPUT: 'both',
  GRAPHQL_PARSE_FAILED: 'graphql',
  GRAPHQL_VALIDATION_FAILED: 'graphql',
  OPERATION_TOO_COMPLEX: 'both',
  UNAUTHENTICATED: 'both',
  ACCESS_DISABLED: 'both',
  NOT_FOUND: 'rest',
  METHOD_NOT_ALLOWED: 'both',
  PAYLOAD_TOO_LARGE: 'both',
  UNSUPPORTED_MEDIA_TYPE: 'both',
  RATE_LIMITED: 'both',
  INTERNAL_SERVER_ERROR: 'both',
  DOCUMENT_NOT_FOUND: 'graphql',
  DOCUMENT_NOT_TRUSTED: 'both',
  ORIGIN_NOT_ALLOWED: 'both',
  SERVICE_UNAVAILABLE: 'both',
  REQUEST_TIMEOUT: 'both',
  EXPECTATION_FAILED: 'both',
  CURSOR_EXPIRED: 'both',
  CSRF_TOKEN_INVALID: 'graphql',
  POLICY_NOT_ACCEPTED: 'graphql',
  IMPORT_RUNNING: 'import',
  IDEMPOTENCY_KEY_REUSED: 'import',
  SNAPSHOT_NOT_ALLOWED: 'rest',
  INSUFFICIENT_STORAGE: 'import',
  GONE: 'feeds',
  UNDO_CONFLICT: 'import',
};

/**
 * Codes that a single field of GraphQL can have: it is null beside the data of others, with status 200. `always` has no
 * other use in GraphQL, `also` is the status of a whole response too.
 */
export const fieldErrors: Readonly<{ [code in ErrorCode]?: 'always' | 'also' }> = {
  CURSOR_EXPIRED: 'always',
  SERVICE_UNAVAILABLE: 'also',
  INTERNAL_SERVER_ERROR: 'also',
};

export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  BAD_USER_INPUT:
    'Invalid parameters or arguments; the details have each, with its value and the allowed values.',
  GRAPHQL_PARSE_FAILED: 'The query is not valid GraphQL syntax.',
  GRAPHQL_VALIDATION_FAILED: 'The query does not match the schema.',
  OPERATION_TOO_COMPLEX:
    "The query exceeds a limit on documents, or costs more than the key's limit, which is a 400 with either type; the message names the limit.",
  UNAUTHENTICATED: 'The key is missing, malformed, unknown, revoked or expired.',
  ACCESS_DISABLED: 'Access is disabled under the acceptable-use policy.',
  NOT_FOUND: 'The resource does not exist.',
  METHOD_NOT_ALLOWED:
    'The resource does not support this method; the Allow header lists those that it supports.',
  PAYLOAD_TOO_LARGE: 'The body is too large.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON, or is compressed.',
  RATE_LIMITED:
    'The request costs more than is left of the rate limit, and took 1 of that; retry after the seconds in Retry-After.',
  INTERNAL_SERVER_ERROR: 'An unexpected error on the server; report it with the request id.',
  DOCUMENT_NOT_FOUND: 'No document with this id is published for the key.',
  DOCUMENT_NOT_TRUSTED: 'The key can run only published documents.',
  ORIGIN_NOT_ALLOWED: 'The embed key, /mcp or /dashboard/graphql does not allow the origin of this request.',
  SERVICE_UNAVAILABLE:
    'The database does not respond, or the operation took too long; retry after the seconds in Retry-After.',
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  EXPECTATION_FAILED: 'The only supported value of Expect is 100-continue.',
  CURSOR_EXPIRED:
    'The cursor is too old, or the data was restored; read everything again, from the beginning.',
  CSRF_TOKEN_INVALID: 'The request uses a session instead of a key, and lacks the token of that session.',
  POLICY_NOT_ACCEPTED: 'The account of the session has not accepted the current acceptable-use policy.',
  IMPORT_RUNNING: 'Another import runs; retry after the seconds in Retry-After.',
  IDEMPOTENCY_KEY_REUSED: 'The Idempotency-Key was used with another body or other parameters.',
  SNAPSHOT_NOT_ALLOWED: 'The operator of this service has not allowed the key to download snapshots.',
  INSUFFICIENT_STORAGE: 'The disk on which uploads wait is full, or that of the database.',
  UNDO_CONFLICT:
    'The import is not the last one that can be undone, or startups were changed since; the message names them.',
  GONE: 'What was at this address was removed; the message says what replaces it.',
};

/** One invalid parameter: its value and the allowed values. */
export interface ErrorDetail {
  parameter: string;
  message: string;
}

/** An error whose message is shown to clients. All others are masked and logged. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];
  /** Seconds after which a retry may succeed, where the rate limit of the key does not say it. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, details: readonly ErrorDetail[] = [], retryAfter?: number) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  get status(): (typeof errorStatuses)[ErrorCode] {
    return errorStatuses[this.code];
  }
}

/** An error of a command or of the configuration: printed as one line, without a stack. */
export class OperatorError extends Error {
  readonly lines: readonly [string, ...string[]];

  constructor(...lines: [string, ...string[]]) {
    super(lines.join('\n'));
    this.name = 'OperatorError';
    this.lines = lines;
  }
}

/** @throws OperatorError with a line for each error, if there are any. */
export function throwIfAny(errors: readonly string[]): void {
  const [first, ...others] = errors;
  if (first !== undefined) {
    throw new OperatorError(first, ...others);
  }
}

/** A named thing does not exist, or belongs to another account. */
export class UnknownError extends OperatorError {}

/** What was found. @throws UnknownError with the message if it is null. */
export function found<T>(value: T | null, message: string): T {
  if (value === null) {
    throw new UnknownError(message);
  }
  return value;
}

/** Why a call of the system failed, such as `no such file or directory`. */
export function systemReason(error: unknown): string {
  const { errno = 0, code } = error as NodeJS.ErrnoException;
  return getSystemErrorMap().get(errno)?.[1] ?? code ?? String(error);
}

export function isDirectory(name: string): OperatorError {
  return new OperatorError(`${name} is a directory: specify a file in it.`);
}

/** The error for a file that cannot be read, with what to do. */
export function cannotRead(name: string, error: unknown): OperatorError {
  switch ((error as NodeJS.ErrnoException).code) {
    case 'ENOENT':
      return new OperatorError(`No such file: ${name}. Check its path and the current directory.`);
    case 'EISDIR':
      return isDirectory(name);
    case 'EACCES':
      return new OperatorError(
        `Cannot read ${name} (permission denied). Give this user the right to read it.`,
      );
    default:
      return new OperatorError(`Cannot read ${name} (${systemReason(error)}).`);
  }
}

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

/** A number with what it counts, such as `1 startup` or `1,200 startups`. */
export function amount(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}

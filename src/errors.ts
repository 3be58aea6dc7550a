/**
 * The error codes of every surface with their HTTP status. Append only: clients switch on them.
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
} as const;
export type ErrorCode = keyof typeof errorStatuses;

/** What each code means, in a sentence. */
export const errorMeanings: Readonly<Record<ErrorCode, string>> = {
  BAD_USER_INPUT: 'Faulty parameters or arguments; details names each, what it got and what it may be.',
  GRAPHQL_PARSE_FAILED: 'Not a GraphQL document.',
  GRAPHQL_VALIDATION_FAILED: 'Not a document of this schema.',
  OPERATION_TOO_COMPLEX:
    "Beyond a cap, or more reads than the key's limit; the message names measure and cap.",
  UNAUTHENTICATED: 'No key, or one that is malformed, unknown, revoked or expired.',
  ACCESS_DISABLED: 'Access is disabled under the acceptable-use policy.',
  NOT_FOUND: 'Nothing is there.',
  METHOD_NOT_ALLOWED: 'Another method is needed; see Allow.',
  PAYLOAD_TOO_LARGE: 'The body is too long.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is not JSON.',
  RATE_LIMITED: 'The budget does not hold the request; wait as long as Retry-After says.',
  INTERNAL_SERVER_ERROR: 'Our fault; tell us the request id.',
  DOCUMENT_NOT_FOUND: 'The key has published no document with this id.',
  DOCUMENT_NOT_TRUSTED: 'The key may ask for published documents only.',
  ORIGIN_NOT_ALLOWED: 'The key is for web pages of other origins.',
  SERVICE_UNAVAILABLE: 'The database does not answer at the moment; wait as long as Retry-After says.',
  REQUEST_TIMEOUT: 'The body did not arrive in time.',
  EXPECTATION_FAILED: 'The only expectation that can be met is 100-continue.',
};

/** One faulty parameter: what it got and what it may be. */
export interface ErrorDetail {
  parameter: string;
  message: string;
}

/** A fault that a client may see as it is. Everything else is masked and logged. */
export class ApiError extends Error {
  readonly code: ErrorCode;
  readonly details: readonly ErrorDetail[];

  constructor(code: ErrorCode, message: string, details: readonly ErrorDetail[] = []) {
    super(message);
    this.name = 'ApiError';
    this.code = code;
    this.details = details;
  }

  get status(): (typeof errorStatuses)[ErrorCode] {
    return errorStatuses[this.code];
  }
}

/** A fault of an operator's command or configuration: one clear line, no stack. */
export class OperatorError extends Error {
  /** Further lines of the same kind, when one run finds several faults. */
  readonly lines: readonly string[];

  constructor(...lines: [string, ...string[]]) {
    super(lines.join('\n'));
    this.name = 'OperatorError';
    this.lines = lines;
  }
}

/** What was asked for by its name does not exist, or not for the one who asked. */
export class UnknownError extends OperatorError {}

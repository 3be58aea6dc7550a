import type { ErrorCode, ErrorDetail } from '../../../lib/errors.ts';

/** Why a request failed and what it asked for, in names alone: no value of a client is in it. */
export interface FailedRequest {
  readonly code: ErrorCode;
  /** Its path, and its operation or tool. Empty for requests over the limit, which are one group. */
  readonly target: string;
  /** The names of its invalid parameters. Those that the client made up are only counted: `limit, 2 unknown`. */
  readonly parameters: string;
}

/** The most characters of a name that a client chose: of an operation or a variable. */
const NAME_LENGTH = 60;
/** The most names of parameters. */
const MOST_NAMES = 12;

const OVER_LIMIT: FailedRequest = { code: 'RATE_LIMITED', target: '', parameters: '' };

/**
 * Describes a failed request.
 *
 * @param target computed only where it is needed: a client over its limit sends many requests.
 * @param isKnown whether a name of a parameter is one of ours. A name that is not may hold anything, also a secret.
 */
export function describeFailure(
  { code, details }: { readonly code: ErrorCode; readonly details: readonly ErrorDetail[] },
  target: () => string,
  isKnown: (name: string) => boolean,
): FailedRequest {
  return code === 'RATE_LIMITED'
    ? OVER_LIMIT
    : { code, target: target(), parameters: details.length === 0 ? '' : namesOf(details, isKnown) };
}

function namesOf(details: readonly ErrorDetail[], isKnown: (name: string) => boolean): string {
  const names: string[] = [];
  let unknown = 0;
  for (const { parameter } of details) {
    if (!isKnown(parameter)) {
      unknown += 1;
    } else if (names.length < MOST_NAMES && !names.includes(parameter)) {
      names.push(parameter);
    }
  }
  // The same parameters are one group, in whichever order a client sends them.
  names.sort();
  if (unknown > 0) {
    names.push(`${unknown} unknown`);
  }
  return names.join(', ');
}

/** A name of GraphQL that a client chose, as it is kept; undefined for any other text. */
export function shortName(text: string | null | undefined): string | undefined {
  return text && /^\w+$/.test(text) ? text.slice(0, NAME_LENGTH) : undefined;
}

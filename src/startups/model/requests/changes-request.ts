import type { ErrorDetail } from '../../../lib/errors.ts';
import { type ChangeCursor, readChangeCursor } from './change-cursor.ts';
import { type QueryParameter, RECORDS_PER_READ } from './list-parameters.ts';
import { allowedValues, parameterError, readInteger } from './list-request.ts';

/** What the changes are. */
export const CHANGES_TEXT = 'The latest change of each startup, oldest first.';

/** The most changes in one response. */
const MAX_CHANGES = 100;

/** The parameters of changes, as REST names them. GraphQL has `first` for `limit`. */
export const changesParameters = {
  since: {
    kind: 'cursor',
    givenBy: 'changes',
    description:
      'Only changes after this cursor: the value of next in an earlier response. Without it, the latest change of every startup is returned.',
  },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: MAX_CHANGES,
    default: RECORDS_PER_READ,
    description: 'Maximum number of changes.',
  },
} as const satisfies Record<string, QueryParameter>;

/** The requested changes, from any surface. Null is the same as absent. */
export interface ChangesArguments {
  since?: string | null | undefined;
  first?: number | null | undefined;
}

/** A validated request for changes. */
export interface ChangesRequest {
  /** Only changes after this cursor; null for all changes. */
  readonly since: ChangeCursor | null;
  /** The most changes to return. */
  readonly first: number;
}

/**
 * Checks what types alone cannot: the range of `first`, and that `since` is a cursor. Whether it has expired depends on
 * the data.
 */
export function readChangesArguments(
  args: ChangesArguments,
): { request: ChangesRequest } | { details: ErrorDetail[] } {
  const details: ErrorDetail[] = [];
  const first = readInteger('first', args.first, changesParameters.limit, details);
  const text = args.since ?? undefined;
  const since = text === undefined ? null : readChangeCursor(text);
  if (since === undefined) {
    details.push(parameterError('since', text, allowedValues(changesParameters.since)));
  }
  return details.length > 0 || since === undefined ? { details } : { request: { since, first } };
}

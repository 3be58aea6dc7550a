import type { ErrorDetail } from '../../errors.ts';
import { type ChangeCursor, readChangeCursor } from './change-cursor.ts';
import { changesParameters } from './changes-parameters.ts';
import { allowedValues, parameterError, readInteger } from './list-request.ts';

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

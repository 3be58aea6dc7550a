import type { ErrorDetail } from '../../lib/errors.ts';
import { addDays, type Day } from '../../lib/text/days.ts';
import { parameterError, readInteger } from '../model/requests/list-request.ts';
import { historyParameters, MAX_DAYS } from './parameters.ts';

/** Days from one to another, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** The requested days, from any surface. Null is the same as absent. */
export interface RangeArguments {
  readonly from?: Day | null | undefined;
  readonly to?: Day | null | undefined;
}

/** The arguments of a startup's history. */
export interface HistoryArguments extends RangeArguments {
  readonly last?: number | null | undefined;
  readonly fill?: boolean | null | undefined;
}

/** A validated request for a history. */
export interface HistoryRequest extends DayRange {
  /** The most points to return, the last of the range. */
  readonly last: number;
  readonly fill: boolean;
}

/** The requested days, with defaults for those that are absent. */
export function dayRange({ from, to }: RangeArguments, today: Day): DayRange {
  const last = to ?? today;
  return { from: from ?? addDays(last, 1 - MAX_DAYS), to: last };
}

/** The errors in the requested days. */
export function rangeErrors(args: RangeArguments, today: Day): ErrorDetail[] {
  const future = (['from', 'to'] as const).flatMap((name) => {
    const day = args[name] ?? today;
    return day > today ? [parameterError(name, day, `a day until today, which is ${today} in UTC`)] : [];
  });
  if (future.length > 0) {
    return future;
  }
  const { from, to } = dayRange(args, today);
  if (from > to) {
    return [parameterError('from', from, `at most to (${to})`)];
  }
  const earliest = addDays(to, 1 - MAX_DAYS);
  return from < earliest
    ? [parameterError('from', from, `${earliest} or later: at most ${MAX_DAYS} days until to (${to})`)]
    : [];
}

/**
 * Checks what types alone cannot.
 *
 * @returns the request, or every error in it.
 */
export function readHistoryArguments(
  args: HistoryArguments,
  today: Day,
): { readonly request: HistoryRequest } | { readonly details: readonly ErrorDetail[] } {
  const details = rangeErrors(args, today);
  const last = readInteger('last', args.last, historyParameters.last, details);
  return details.length > 0
    ? { details }
    : { request: { ...dayRange(args, today), last, fill: args.fill ?? false } };
}

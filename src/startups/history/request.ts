import type { ErrorDetail } from '../../errors.ts';
import { addDays, type Day } from '../days.ts';
import { type NumberText, parameterError, readInteger } from '../list-request.ts';
import { historyParameters, MAX_DAYS } from './parameters.ts';

/** Days from one to another, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** Which days are asked for, of whichever surface. Null is the same as absent. */
export interface RangeArguments {
  readonly from?: Day | null | undefined;
  readonly to?: Day | null | undefined;
}

/** What the history of a startup is asked for. */
export interface HistoryArguments extends RangeArguments {
  readonly last?: number | null | undefined;
  readonly fill?: boolean | null | undefined;
}

/** A history that can be read: everything in range, everything decided. */
export interface HistoryRequest extends DayRange {
  /** At most so many points, the last of the range. */
  readonly last: number;
  readonly fill: boolean;
}

/** The days that are asked for, with the defaults of those that are not stated. */
export function dayRange({ from, to }: RangeArguments, today: Day): DayRange {
  const last = to ?? today;
  return { from: from ?? addDays(last, 1 - MAX_DAYS), to: last };
}

/** What is wrong with the days that are asked for. */
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
 * @param numberText how numbers were written, for messages.
 * @returns the request, or every error in it.
 */
export function readHistoryArguments(
  args: HistoryArguments,
  today: Day,
  numberText?: NumberText,
): { readonly request: HistoryRequest } | { readonly details: readonly ErrorDetail[] } {
  const details = rangeErrors(args, today);
  const last = readInteger('last', args.last, historyParameters.last, numberText, details);
  return details.length > 0
    ? { details }
    : { request: { ...dayRange(args, today), last, fill: args.fill ?? false } };
}

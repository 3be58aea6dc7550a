import type { ErrorDetail } from '../../lib/errors.ts';
import { addDays, type Day } from '../../lib/text/days.ts';
import {
  choice,
  integerParameter,
  type QueryParameter,
  type ValuesOf,
} from '../model/requests/list-parameters.ts';
import { parameterError, readInteger } from '../model/requests/list-request.ts';
import { categories } from '../model/vocabulary.ts';

/** What the history of a startup is. */
export const HISTORY_TEXT =
  'The figures over time, oldest first: a point for each day on which an import added or changed the ' +
  'startup. For about a second after an import, it can differ from the startup.';

/** What the market by day is. */
export const MARKET_TEXT =
  'Totals and medians of all startups, or of one category, for each day of a range, from the first day ' +
  'with data on. A day without an import has the figures of the day before.';

/** The most days of one response. */
export const MAX_DAYS = 90;

const range = {
  from: {
    kind: 'date',
    description: `First day, in UTC. Default: ${MAX_DAYS - 1} days before the last day.`,
  },
  to: {
    kind: 'date',
    description: `Last day, in UTC, not in the future. Default: today. From the first to the last day are at most ${MAX_DAYS} days.`,
  },
} as const satisfies Record<string, QueryParameter>;

/** The parameters of a startup's history. REST, GraphQL and OpenAPI derive from this. */
export const historyParameters = {
  ...range,
  last: integerParameter(MAX_DAYS, MAX_DAYS, 'At most this many points: the latest of these days.'),
  fill: {
    kind: 'boolean',
    description:
      'Whether a day without a point repeats the last point before it, even one from before the range; not a day on which the startup was not in the data. Default: false.',
  },
} as const satisfies Record<string, QueryParameter>;

/** The parameters of the market by day. */
export const marketParameters = {
  category: choice(categories, 'Only startups of this category. Default: all.'),
  ...range,
} as const satisfies Record<string, QueryParameter>;

/** Days from one to another, both included. */
export interface DayRange {
  readonly from: Day;
  readonly to: Day;
}

/** The requested days, from any surface. Null is the same as absent. */
export type RangeArguments = ValuesOf<typeof range, null>;
/** The arguments of a startup's history. */
export type HistoryArguments = ValuesOf<typeof historyParameters, null>;

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

import type { QueryParameter } from '../model/requests/list-parameters.ts';
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
  last: {
    kind: 'integer',
    minimum: 1,
    maximum: MAX_DAYS,
    default: MAX_DAYS,
    description: 'At most this many points: the latest of these days.',
  },
  fill: {
    kind: 'boolean',
    description:
      'Whether a day without a point repeats the last point before it, even one from before the range. Default: false.',
  },
} as const satisfies Record<string, QueryParameter>;

/** The parameters of the market by day. */
export const marketParameters = {
  category: {
    kind: 'choice',
    values: categories,
    description: 'Only startups of this category. Default: all.',
  },
  ...range,
} as const satisfies Record<string, QueryParameter>;

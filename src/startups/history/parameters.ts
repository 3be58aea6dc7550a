import type { QueryParameter } from '../model/requests/list-parameters.ts';
import { categories } from '../model/vocabulary.ts';

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

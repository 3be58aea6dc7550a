import { MAX_DAYS } from '../startups/history/parameters.ts';
import type { Schema } from './openapi-schemas.ts';

const day: Schema = { type: 'string', format: 'date', description: 'The day, in UTC.' };
const count = (description: string): Schema => ({ type: 'integer', minimum: 0, description });
const object = (properties: Readonly<Record<string, Schema>>, description?: string): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  ...(description === undefined ? {} : { description }),
});
const figures = (description: string): Schema =>
  object(
    {
      sum: { type: 'number', minimum: 0, description: 'All amounts added up; rounded beyond 2^53.' },
      median: {
        type: ['integer', 'null'],
        minimum: 0,
        description: 'The least that half of the amounts do not exceed. Null where there is no startup.',
      },
    },
    description,
  );

/** A point of a startup's history. */
export const startupPointSchema: Schema = object(
  {
    day,
    revenue: object(
      {
        last30Days: count('Revenue of the last 30 days.'),
        mrr: count('Monthly recurring revenue.'),
        total: count('Total revenue.'),
      },
      'Verified revenue, in US cents.',
    ),
    customers: count('Total number of customers.'),
    activeSubscriptions: count('Number of subscriptions that were active.'),
    askingPrice: {
      type: ['integer', 'null'],
      minimum: 0,
      description: 'Asking price, in US cents. Null when none was stated.',
    },
    onSale: { type: 'boolean', description: 'Whether the startup was listed for sale.' },
  },
  'Figures of a startup at the end of a UTC day on which an import changed them. They hold until its next point.',
);

/** The market on one day. */
export const marketDaySchema: Schema = object(
  {
    day,
    count: count('How many startups there were.'),
    onSale: count('How many of them were listed for sale.'),
    revenue: figures('Revenue of the last 30 days, in US cents.'),
    mrr: figures('Monthly recurring revenue, in US cents.'),
  },
  'All startups, or those of a category, at the end of a day.',
);

/** The body of a response that has items by day. */
export function daysSchema(items: Schema): Schema {
  return object({
    data: { type: 'array', maxItems: MAX_DAYS, items },
    meta: object({
      from: { ...day, description: 'First requested day, in UTC.' },
      to: { ...day, description: 'Last requested day, in UTC.' },
      count: { ...count('How many items there are.'), maximum: MAX_DAYS },
    }),
  });
}

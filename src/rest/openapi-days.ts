import { marketDayTexts, pointTexts } from '../startups/history/descriptions.ts';
import { MAX_DAYS } from '../startups/history/parameters.ts';
import type { Schema } from './openapi-schemas.ts';

const day: Schema = { type: 'string', format: 'date', description: pointTexts.day };
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
      sum: { type: 'number', minimum: 0, description: marketDayTexts.sum },
      median: {
        type: ['integer', 'null'],
        minimum: 0,
        description: marketDayTexts.median,
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
      pointTexts.revenue,
    ),
    customers: count(pointTexts.customers),
    activeSubscriptions: count(pointTexts.activeSubscriptions),
    askingPrice: {
      type: ['integer', 'null'],
      minimum: 0,
      description: pointTexts.askingPrice,
    },
    onSale: { type: 'boolean', description: pointTexts.onSale },
  },
  pointTexts.itself,
);

/** The market on one day. */
export const marketDaySchema: Schema = object(
  {
    day,
    count: count(marketDayTexts.count),
    onSale: count(marketDayTexts.onSale),
    revenue: figures(marketDayTexts.revenue),
    mrr: figures(marketDayTexts.mrr),
  },
  marketDayTexts.itself,
);

/** The body of a response that has items by day. */
export function daysSchema(items: Schema): Schema {
  return object({
    data: { type: 'array', maxItems: MAX_DAYS, items },
    meta: object({
      from: { ...day, description: 'First requested day, in UTC.' },
      to: { ...day, description: 'Last requested day, in UTC.' },
      count: { ...count('Number of items.'), maximum: MAX_DAYS },
    }),
  });
}

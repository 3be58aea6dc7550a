import { marketDayTexts, pointTexts } from '../../startups/history/descriptions.ts';
import { MAX_DAYS } from '../../startups/history/parameters.ts';
import { countSchema, objectSchema, type Schema } from './openapi-schemas.ts';

const day: Schema = { type: 'string', format: 'date', description: pointTexts.day };
const figures = (description: string): Schema =>
  objectSchema(
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
export const startupPointSchema: Schema = objectSchema(
  {
    day,
    revenue: objectSchema(
      {
        last30Days: countSchema('Revenue of the last 30 days.'),
        mrr: countSchema('Monthly recurring revenue.'),
        total: countSchema('Total revenue.'),
      },
      pointTexts.revenue,
    ),
    customers: countSchema(pointTexts.customers),
    activeSubscriptions: countSchema(pointTexts.activeSubscriptions),
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
export const marketDaySchema: Schema = objectSchema(
  {
    day,
    count: countSchema(marketDayTexts.count),
    onSale: countSchema(marketDayTexts.onSale),
    revenue: figures(marketDayTexts.revenue),
    mrr: figures(marketDayTexts.mrr),
  },
  marketDayTexts.itself,
);

/** The body of a response that has items by day. */
export function daysSchema(items: Schema): Schema {
  return objectSchema({
    data: { type: 'array', maxItems: MAX_DAYS, items },
    meta: objectSchema({
      from: { ...day, description: 'First requested day, in UTC.' },
      to: { ...day, description: 'Last requested day, in UTC.' },
      count: { ...countSchema('Number of items.'), maximum: MAX_DAYS },
    }),
  });
}

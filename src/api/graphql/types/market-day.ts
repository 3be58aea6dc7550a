import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { dayOf } from '../../../lib/text/days.ts';
import { findMarketDays } from '../../../startups/history/history.ts';
import {
  dayRange,
  MARKET_TEXT,
  marketParameters,
  type RangeArguments,
  rangeErrors,
} from '../../../startups/history/request.ts';
import type { ValuesOf } from '../../../startups/model/requests/list-parameters.ts';
import { builder } from '../builder.ts';
import { costs } from '../field-cost.ts';
import { fromParameters } from './values.ts';

/** An amount over all startups of a day. */
interface Amount {
  readonly sum: number;
  readonly median: number | null;
}

const MarketFigures = builder.objectRef<Amount>('MarketFigures').implement({
  description: 'Sum and median of an amount over all startups on a day, in US cents.',
  fields: (t) => ({
    sum: t.exposeFloat('sum', { description: 'Sum of the amounts; rounded above 2^53.' }),
    median: t.expose('median', {
      type: 'Cents',
      nullable: true,
      description: 'The median; of two middle amounts, the lower one. Null when there are no startups.',
    }),
  }),
});

builder.prismaObject('MarketDay', {
  description: 'Totals and medians of all startups, or of one category, at the end of a day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day, in UTC.' }),
    count: t.exposeInt('count', { description: 'Number of startups.' }),
    onSale: t.exposeInt('onSale', { description: 'Number of startups listed for sale.' }),
    revenue: t.field({
      type: MarketFigures,
      description: 'Revenue of the last 30 days, in US cents.',
      resolve: ({ revenueSum, revenueMedian }) => ({ sum: revenueSum, median: revenueMedian }),
    }),
    mrr: t.field({
      type: MarketFigures,
      description: 'Monthly recurring revenue, in US cents.',
      resolve: ({ mrrSum, mrrMedian }) => ({ sum: mrrSum, median: mrrMedian }),
    }),
  }),
});

builder.queryField('market', (t) =>
  t.prismaField({
    type: ['MarketDay'],
    nullable: true,
    description: `${MARKET_TEXT} Null with the error SERVICE_UNAVAILABLE while the database does not respond. Costs 1 read.`,
    args: fromParameters(marketParameters, t.arg),
    extensions: costs(
      (args, plannedAt) => ({ details: rangeErrors(args as RangeArguments, dayOf(plannedAt)) }),
      'database',
    ),
    resolve: async (_query, _root, given, context) => {
      const args = given as ValuesOf<typeof marketParameters, null>;
      const range = dayRange(args, dayOf(context.plan.plannedAt));
      const category = args.category ?? undefined;
      const days = await context.once(`market ${category} ${range.from} ${range.to}`, () =>
        context.read((source) => findMarketDays(source, category, range)),
      );
      await timeSlices.waitForTime(context);
      return days;
    },
  }),
);

import { findMarketDays } from '../../startups/history/market.ts';
import { marketParameters } from '../../startups/history/parameters.ts';
import { dayRange } from '../../startups/history/request.ts';
import { timeSlices } from '../../time-slices.ts';
import { builder } from '../builder.ts';
import { CategoryEnum } from './enums.ts';

/** An amount over all startups of a day. */
interface Amount {
  readonly sum: number;
  readonly median: bigint | null;
}

const MarketFigures = builder.objectRef<Amount>('MarketFigures').implement({
  description: 'Sum and median of an amount over all startups on a day, in US cents.',
  fields: (t) => ({
    sum: t.exposeFloat('sum', { description: 'Sum of the amounts; rounded above 2^53.' }),
    median: t.expose('median', {
      type: 'Cents',
      nullable: true,
      description:
        'The smallest amount that at least half of the amounts do not exceed. Null when there are no startups.',
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
      description: 'Revenue of the last 30 days.',
      resolve: ({ revenueSum, revenueMedian }) => ({ sum: revenueSum, median: revenueMedian }),
    }),
    mrr: t.field({
      type: MarketFigures,
      description: 'Monthly recurring revenue.',
      resolve: ({ mrrSum, mrrMedian }) => ({ sum: mrrSum, median: mrrMedian }),
    }),
  }),
});

builder.queryField('market', (t) =>
  t.prismaField({
    type: ['MarketDay'],
    nullable: true,
    description:
      'Totals and medians of all startups, or of one category, for each day since the first import. A day without an import has the figures of the day before. Null with the error SERVICE_UNAVAILABLE while the database does not respond. Costs 1 read.',
    args: {
      category: t.arg({ type: CategoryEnum, description: marketParameters.category.description }),
      from: t.arg({ type: 'Date', description: marketParameters.from.description }),
      to: t.arg({ type: 'Date', description: marketParameters.to.description }),
    },
    // The arguments were checked when the cost of the operation was computed.
    resolve: async (query, _root, { category, ...range }, context) => {
      const { today } = context;
      const days = await context.read((prisma) =>
        findMarketDays(prisma, category ?? undefined, dayRange(range, today), query),
      );
      await timeSlices.waitForTime(context);
      return days;
    },
  }),
);

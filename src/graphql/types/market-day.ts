import { findMarketDays } from '../../startups/history/market.ts';
import { marketParameters } from '../../startups/history/parameters.ts';
import { dayRange } from '../../startups/history/request.ts';
import { timeSlices } from '../../time-slices.ts';
import { builder } from '../builder.ts';
import { untilAborted } from '../point-loader.ts';
import { CategoryEnum } from './enums.ts';

/** An amount over all startups of a day. */
interface Amount {
  readonly sum: number;
  readonly median: bigint | null;
}

const MarketFigures = builder.objectRef<Amount>('MarketFigures').implement({
  description:
    'Figures of an amount over all startups of a day, in US cents. The median is a value that occurs.',
  fields: (t) => ({
    sum: t.exposeFloat('sum', { description: 'All amounts added up; rounded beyond 2^53.' }),
    median: t.expose('median', {
      type: 'Cents',
      nullable: true,
      description: 'The least that half of the amounts do not exceed. Null where there is no startup.',
    }),
  }),
});

builder.prismaObject('MarketDay', {
  description: 'All startups, or those of a category, at the end of a day.',
  fields: (t) => ({
    day: t.expose('day', { type: 'Date', description: 'The day, in UTC.' }),
    count: t.exposeInt('count', { description: 'How many startups there were.' }),
    onSale: t.exposeInt('onSale', { description: 'How many of them were listed for sale.' }),
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
      'All startups together on each day, from the first that is known: a day without an import is as the day before it. Read from the database; null with the error SERVICE_UNAVAILABLE while that does not answer. Costs 1 read.',
    args: {
      category: t.arg({ type: CategoryEnum, description: marketParameters.category.description }),
      from: t.arg({ type: 'Date', description: marketParameters.from.description }),
      to: t.arg({ type: 'Date', description: marketParameters.to.description }),
    },
    // The arguments were checked when the cost of the operation was computed.
    resolve: async (query, _root, { category, ...range }, context) => {
      const { prisma, today, signal } = context;
      const days = await untilAborted(
        findMarketDays(prisma, category ?? undefined, dayRange(range, today), query),
        signal,
      );
      await timeSlices.waitForTime(context);
      return days;
    },
  }),
);

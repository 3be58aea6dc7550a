import type { Figures, Stats } from '../../catalogue/query/summary.ts';
import { builder } from '../builder.ts';

const StartupFigures = builder.objectRef<Figures>('StartupFigures').implement({
  description:
    'Figures of one value over the startups that have it. The unit is that of the value. Median and p90 are values that occur.',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'How many of the startups have the value.' }),
    sum: t.exposeFloat('sum', { description: 'Sum of the values; rounded above 2^53.' }),
    min: t.exposeFloat('min', {
      nullable: true,
      description: 'Minimum. Null when no startup has the value.',
    }),
    median: t.exposeFloat('median', {
      nullable: true,
      description:
        'The smallest value that at least half of the values do not exceed. Null when no startup has the value.',
    }),
    p90: t.exposeFloat('p90', {
      nullable: true,
      description:
        'The smallest value that at least 90 % of the values do not exceed. Null when no startup has the value.',
    }),
    max: t.exposeFloat('max', {
      nullable: true,
      description: 'Maximum. Null when no startup has the value.',
    }),
  }),
});

export const StartupStats = builder.objectRef<Stats>('StartupStats').implement({
  description: 'Statistics of startups.',
  fields: (t) => ({
    revenue: t.expose('revenue', {
      type: StartupFigures,
      description: 'Revenue of the last 30 days, in US cents.',
    }),
    mrr: t.expose('mrr', { type: StartupFigures, description: 'Monthly recurring revenue, in US cents.' }),
    price: t.expose('price', {
      type: StartupFigures,
      description: 'Asking price, in US cents, of those that state one.',
    }),
    multiple: t.expose('multiple', {
      type: StartupFigures,
      description: 'Asking price divided by yearly revenue, a ratio.',
    }),
    growth: t.expose('growth', {
      type: StartupFigures,
      description: 'Growth of revenue over 30 days, a percentage: 24 means 24 %.',
    }),
  }),
});

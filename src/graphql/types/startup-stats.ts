import type { Figures, Stats } from '../../catalogue/query/summary.ts';
import { builder } from '../builder.ts';

const ifAny = (description: string) => ({
  nullable: true as const,
  description: `${description} Null when no startup has a value.`,
});

const StartupFigures = builder.objectRef<Figures>('StartupFigures').implement({
  description:
    'Statistics of one field over the startups that have a value, in the unit of the field. Median and p90 are not interpolated (nearest rank).',
  fields: (t) => ({
    count: t.exposeInt('count', { description: 'Number of startups that have a value.' }),
    sum: t.exposeFloat('sum', { description: 'Sum of the values; rounded above 2^53.' }),
    min: t.exposeFloat('min', ifAny('Minimum.')),
    median: t.exposeFloat('median', ifAny('The median; of two middle values, the lower one.')),
    p90: t.exposeFloat(
      'p90',
      ifAny('The 90th percentile: the smallest value that at least 90 % of the values do not exceed.'),
    ),
    max: t.exposeFloat('max', ifAny('Maximum.')),
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
      description: 'Asking price, in US cents.',
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

import type { FacetCount, Facets, Figures, Stats } from '../../catalogue/query/summary.ts';
import { builder } from '../builder.ts';
import {
  CategoryEnum,
  FundingStatusEnum,
  PaymentProviderEnum,
  TargetAudienceEnum,
  TeamSizeEnum,
  type VocabularyEnum,
} from './enums.ts';

const count = { description: 'How many startups have the value.' };

/** The type of the counts of a vocabulary's values. */
const countType = (name: string, type: VocabularyEnum, description: string) =>
  builder.objectRef<FacetCount<string | null>>(name).implement({
    description,
    fields: (t) => ({
      value: t.field({
        type,
        nullable: true,
        description: 'The value. Null for startups without one.',
        resolve: ({ value }, _args, context) => value && context.termOf(value),
      }),
      count: t.exposeInt('count', count),
    }),
  });

const CategoryCount = countType('CategoryCount', CategoryEnum, 'How many startups are in a category.');
const TargetAudienceCount = countType(
  'TargetAudienceCount',
  TargetAudienceEnum,
  'How many startups sell to an audience.',
);
const TeamSizeCount = countType('TeamSizeCount', TeamSizeEnum, 'How many startups have a team of this size.');
const FundingStatusCount = countType(
  'FundingStatusCount',
  FundingStatusEnum,
  'How many startups have this funding.',
);

const PaymentProviderCount = builder.objectRef<FacetCount<string | null>>('PaymentProviderCount').implement({
  description: 'How many startups are verified through a payment provider.',
  fields: (t) => ({
    value: t.field({
      type: PaymentProviderEnum,
      description: 'The value.',
      // Every startup has one.
      resolve: ({ value }, _args, context) => context.termOf(value as string),
    }),
    count: t.exposeInt('count', count),
  }),
});

const CountryCount = builder.objectRef<FacetCount<string | null>>('CountryCount').implement({
  description: 'How many startups are in a country.',
  fields: (t) => ({
    value: t.exposeString('value', {
      nullable: true,
      description: 'An ISO 3166-1 alpha-2 code. Null for startups whose country is unknown.',
    }),
    count: t.exposeInt('count', count),
  }),
});

const SaleStatusCount = builder.objectRef<FacetCount<boolean>>('SaleStatusCount').implement({
  description: 'How many startups are, or are not, for sale.',
  fields: (t) => ({
    value: t.exposeBoolean('value', { description: 'True: listed for sale.' }),
    count: t.exposeInt('count', count),
  }),
});

export const StartupFacets = builder.objectRef<Facets>('StartupFacets').implement({
  description:
    'How many startups have each value, most frequent value first. Values with equal counts are in the order of /openapi.json, countries in alphabetical order of their codes, and false before true. Startups without a value are counted last. Values that no startup has are left out.',
  fields: (t) => ({
    category: t.expose('category', { type: [CategoryCount], description: 'By primary category.' }),
    paymentProvider: t.expose('paymentProvider', {
      type: [PaymentProviderCount],
      description: 'By payment provider.',
    }),
    country: t.expose('country', { type: [CountryCount], description: 'By country.' }),
    targetAudience: t.expose('targetAudience', {
      type: [TargetAudienceCount],
      description: 'By target audience.',
    }),
    teamSize: t.expose('teamSize', { type: [TeamSizeCount], description: 'By team size.' }),
    fundingStatus: t.expose('fundingStatus', { type: [FundingStatusCount], description: 'By funding.' }),
    onSale: t.expose('onSale', {
      type: [SaleStatusCount],
      description: 'By whether they are listed for sale.',
    }),
  }),
});

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

import type { Facets } from '../../catalogue/query/summary.ts';
import { constantName } from '../../startups/vocabulary.ts';
import { builder } from '../builder.ts';
import {
  CategoryEnum,
  FundingStatusEnum,
  PaymentProviderEnum,
  TargetAudienceEnum,
  TeamSizeEnum,
} from './enums.ts';

interface Count<Value> {
  readonly value: Value;
  readonly count: number;
}

const count = { description: 'How many startups have the value.' };
const value = { description: 'The value. Null for startups without one.' };
const nameOf = ({ value }: Count<string | null>): string | null => value && constantName(value);

const CategoryCount = builder.objectRef<Count<string | null>>('CategoryCount').implement({
  description: 'How many startups are in a category.',
  fields: (t) => ({
    value: t.field({ type: CategoryEnum, nullable: true, ...value, resolve: nameOf }),
    count: t.exposeInt('count', count),
  }),
});

const PaymentProviderCount = builder.objectRef<Count<string>>('PaymentProviderCount').implement({
  description: 'How many startups are verified through a payment provider.',
  fields: (t) => ({
    value: t.field({
      type: PaymentProviderEnum,
      description: 'The value.',
      resolve: ({ value }) => constantName(value),
    }),
    count: t.exposeInt('count', count),
  }),
});

const CountryCount = builder.objectRef<Count<string | null>>('CountryCount').implement({
  description: 'How many startups are in a country.',
  fields: (t) => ({
    value: t.exposeString('value', {
      nullable: true,
      description: 'An ISO 3166-1 alpha-2 code. Null for startups whose country is unknown.',
    }),
    count: t.exposeInt('count', count),
  }),
});

const TargetAudienceCount = builder.objectRef<Count<string | null>>('TargetAudienceCount').implement({
  description: 'How many startups sell to an audience.',
  fields: (t) => ({
    value: t.field({ type: TargetAudienceEnum, nullable: true, ...value, resolve: nameOf }),
    count: t.exposeInt('count', count),
  }),
});

const TeamSizeCount = builder.objectRef<Count<string | null>>('TeamSizeCount').implement({
  description: 'How many startups have a team of this size.',
  fields: (t) => ({
    value: t.field({ type: TeamSizeEnum, nullable: true, ...value, resolve: nameOf }),
    count: t.exposeInt('count', count),
  }),
});

const FundingStatusCount = builder.objectRef<Count<string | null>>('FundingStatusCount').implement({
  description: 'How many startups have this funding.',
  fields: (t) => ({
    value: t.field({ type: FundingStatusEnum, nullable: true, ...value, resolve: nameOf }),
    count: t.exposeInt('count', count),
  }),
});

const SaleStatusCount = builder.objectRef<Count<boolean>>('SaleStatusCount').implement({
  description: 'How many startups are, or are not, for sale.',
  fields: (t) => ({
    value: t.exposeBoolean('value', { description: 'True: listed for sale.' }),
    count: t.exposeInt('count', count),
  }),
});

// Vocabulary values are text in the catalogue, which contains no others.
export const StartupFacets = builder.objectRef<Facets>('StartupFacets').implement({
  description:
    'How many startups have each value, most frequent value first. Values with equal counts are in the order of /openapi.json, countries in alphabetical order of their codes, and false before true. Startups without a value are counted last. Values that no startup has are left out.',
  fields: (t) => ({
    category: t.field({
      type: [CategoryCount],
      description: 'By primary category.',
      resolve: ({ category }) => [...category],
    }),
    paymentProvider: t.field({
      type: [PaymentProviderCount],
      description: 'By payment provider.',
      resolve: ({ paymentProvider }) => paymentProvider as Count<string>[],
    }),
    country: t.field({
      type: [CountryCount],
      description: 'By country.',
      resolve: ({ country }) => [...country],
    }),
    targetAudience: t.field({
      type: [TargetAudienceCount],
      description: 'By target audience.',
      resolve: ({ targetAudience }) => [...targetAudience],
    }),
    teamSize: t.field({
      type: [TeamSizeCount],
      description: 'By team size.',
      resolve: ({ teamSize }) => [...teamSize],
    }),
    fundingStatus: t.field({
      type: [FundingStatusCount],
      description: 'By funding.',
      resolve: ({ fundingStatus }) => [...fundingStatus],
    }),
    onSale: t.field({
      type: [SaleStatusCount],
      description: 'By whether they are listed for sale.',
      resolve: ({ onSale }) => [...onSale],
    }),
  }),
});

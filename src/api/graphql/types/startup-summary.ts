import { timeSlices } from '../../../lib/loop/time-slices.ts';
import { FACETS, type FacetCount, type Facets } from '../../../startups/catalogue/query/facets.ts';
import type { Group } from '../../../startups/catalogue/query/groups.ts';
import type { RangeCount } from '../../../startups/catalogue/query/ranges.ts';
import { type Figures, STATS, type StatName } from '../../../startups/catalogue/query/statistics.ts';
import { descriptionOf } from '../../../startups/model/vocabulary.ts';
import { builder } from '../builder.ts';
import { fieldEnums, type VocabularyEnum } from './values.ts';

/** What facets count: the type of their counts and what it is of, and what is said of its values where that differs. */
const counts = {
  category: ['CategoryCount', 'How many startups are in a category.'],
  paymentProvider: [
    'PaymentProviderCount',
    'How many startups are verified through a payment provider.',
    'The value.',
  ],
  country: [
    'CountryCount',
    'How many startups are in a country.',
    'An ISO 3166-1 alpha-2 code. Null for startups whose country is unknown.',
  ],
  targetAudience: ['TargetAudienceCount', 'How many startups sell to an audience.'],
  teamSize: ['TeamSizeCount', 'How many startups have a team of this size.'],
  fundingStatus: ['FundingStatusCount', 'How many startups have this funding.'],
  onSale: ['SaleStatusCount', 'How many startups are, or are not, for sale.', 'True: listed for sale.'],
  techStack: [
    'TechnologyCount',
    'How many startups are built with a technology.',
    'The technology, as the startup that was imported first writes it. Null for startups of which none is known.',
  ],
} as const satisfies { readonly [facet in (typeof FACETS)[number]]: readonly string[] };

/** The type of the counts of a facet's values. */
function countType(facet: keyof typeof counts) {
  const [name, description, value = 'The value. Null for startups without one.'] = counts[facet];
  const vocabulary = fieldEnums[facet];
  return builder.objectRef<FacetCount<string | boolean | null>>(name).implement({
    description,
    fields: (t) => ({
      value: t.field({
        type: (vocabulary ?? (facet === 'onSale' ? 'Boolean' : 'String')) as VocabularyEnum,
        nullable: value.includes('Null'),
        description: value,
        resolve: ({ value }, _args, context) =>
          (vocabulary === undefined || value === null ? value : context.termOf(value as string)) as string,
      }),
      count: t.exposeInt('count', { description: 'How many startups have the value.' }),
    }),
  });
}

const StartupRangeCount = builder.objectRef<RangeCount>('StartupRangeCount').implement({
  description: 'How many startups have a value in a range, in the unit of the statistics.',
  fields: (t) => ({
    from: t.exposeFloat('from', {
      nullable: true,
      description: 'The minimum of the range. Null: it has none.',
    }),
    to: t.exposeFloat('to', {
      nullable: true,
      description: 'The end of the range, which is not part of it. Null: it has none.',
    }),
    count: t.exposeInt('count', { description: 'How many startups have a value in the range.' }),
  }),
});

/** Counts by value, and those of ranges, which are computed once they are read. */
interface FacetsReader extends Facets {
  ranges(name: StatName): readonly RangeCount[] | Promise<readonly RangeCount[]>;
}

/** What the ranges are of. */
const rangeDescriptions: Readonly<Record<StatName, string>> = {
  revenue: 'By revenue of the last 30 days, in US cents.',
  mrr: 'By monthly recurring revenue, in US cents.',
  price: 'By asking price, in US cents. Startups without one are not counted.',
  multiple: 'By asking price divided by yearly revenue. Startups without a price or revenue are not counted.',
  growth:
    'By growth of revenue over 30 days, in percent: 24 means 24%. Startups whose growth is unknown are not counted.',
};

export const StartupFacets = builder.objectRef<FacetsReader>('StartupFacets').implement({
  description:
    'How many startups have each value, most frequent value first, and in ranges between round numbers (0, ' +
    'then 1, 2 and 5 times each of twelve powers of ten), which follow each other without gaps, the least ' +
    'first. Values with equal counts are in the order of /openapi.json, countries in alphabetical order of ' +
    'their codes, and false before true. Startups without a value are counted last. Values that no startup ' +
    'has are left out.',
  fields: (t) => ({
    ...Object.fromEntries(
      FACETS.map((facet) => [
        facet,
        facet === 'techStack'
          ? t.field({
              type: [countType(facet)],
              description:
                'By technology, whatever its case and accents: the 50 most frequent ones, equal ones in ' +
                'the order of their names. A startup counts for each of its technologies.',
              resolve: (facets, _args, context) => timeSlices.run(facets.techStack(), context),
            })
          : t.expose(facet, {
              type: [countType(facet)],
              description: facet === 'onSale' ? 'By whether they are listed for sale.' : descriptionOf(facet),
            } as never),
      ]),
    ),
    ...Object.fromEntries(
      STATS.map((name) => [
        name,
        t.field({
          type: [StartupRangeCount],
          description: rangeDescriptions[name],
          resolve: (facets) => facets.ranges(name),
        }),
      ]),
    ),
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
      ifAny('The 90th percentile: the smallest value that at least 90% of the values do not exceed.'),
    ),
    max: t.exposeFloat('max', ifAny('Maximum.')),
  }),
});

/** Statistics that are computed once they are read. */
interface StatsReader {
  read(name: StatName): Figures | Promise<Figures>;
}

export const StartupStats = builder.objectRef<StatsReader>('StartupStats').implement({
  description: 'Statistics of startups.',
  fields: (t) => {
    const figures = (name: StatName, description: string) =>
      t.field({ type: StartupFigures, description, resolve: (stats) => stats.read(name) });
    return {
      revenue: figures('revenue', 'Revenue of the last 30 days, in US cents.'),
      mrr: figures('mrr', 'Monthly recurring revenue, in US cents.'),
      price: figures('price', 'Asking price, in US cents.'),
      multiple: figures('multiple', 'Asking price divided by yearly revenue, a ratio.'),
      growth: figures('growth', 'Growth of revenue over 30 days, a percentage: 24 means 24%.'),
    };
  },
});

export const StartupGroup = builder
  .objectRef<Group & { readonly stats: StatsReader }>('StartupGroup')
  .implement({
    description: 'The startups of a list that have a value in common.',
    fields: (t) => ({
      value: t.exposeString('value', {
        nullable: true,
        description:
          'The value as a filter takes it: the name of a value of an enumeration, the code of a country, a ' +
          'handle, or a technology. Null for startups without one.',
      }),
      count: t.exposeInt('count', { description: 'Number of startups.' }),
      onSale: t.exposeInt('onSale', { description: 'Number of those that are listed for sale.' }),
      stats: t.expose('stats', { type: StartupStats, description: 'Their figures.' }),
    }),
  });

import type { NamedStartupField, StartupFieldPath } from '../../../startups/model/fields.ts';
import { detailFields } from './documents.ts';

const groups: Readonly<Record<string, readonly StartupFieldPath[]>> = {
  Revenue: [
    'revenue.last30Days',
    'revenue.mrr',
    'revenue.total',
    'growth30d',
    'growthMRR30d',
    'profitMarginLast30Days',
    'rank',
    'paymentProvider',
    'isMerchantOfRecord',
    'verifiedAt',
  ],
  Customers: [
    'customers',
    'activeSubscriptions',
    'targetAudience',
    'targetPersona',
    'pricingModel',
    'visitorsLast30Days',
    'revenuePerVisitor',
    'googleSearchImpressionsLast30Days',
  ],
  Sale: ['onSale', 'askingPrice', 'askingPriceChangedAt', 'multiple', 'firstListedForSaleAt'],
};

/** The longer texts about a startup, which stand below its facts. */
export const factTexts = ['valueProposition', 'problemSolved'] as const;

/** What says who a startup is, longer texts, and the price before, which stands beside the one that replaced it. */
const noFacts: readonly StartupFieldPath[] = [
  'name',
  'slug',
  'icon',
  'description',
  'website',
  'previousAskingPrice',
  'founderMessage',
  ...factTexts,
];

const named = new Set([...noFacts, ...Object.values(groups).flat()]);

/** All facts in their groups; those that no other group names are the last one. */
export const factGroups: readonly {
  readonly title: string;
  readonly fields: readonly NamedStartupField[];
}[] = [
  ...Object.entries(groups).map(([title, paths]) => ({
    title,
    fields: paths.flatMap((wanted) => detailFields.filter(({ path }) => path === wanted)),
  })),
  { title: 'Company', fields: detailFields.filter(({ path }) => !named.has(path)) },
];

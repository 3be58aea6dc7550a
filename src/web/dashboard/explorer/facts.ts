import type { NamedStartupField, StartupFieldPath } from '../../../startups/model/fields.ts';
import { detailFields } from './requests.ts';

/** Facts of a startup that belong together. */
export interface FactGroup {
  readonly title: string;
  readonly fields: readonly NamedStartupField[];
}

const titles: Readonly<Record<string, readonly StartupFieldPath[]>> = {
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

/** What says who a startup is, longer texts, and the price before, which stands beside the one that replaced it. */
const noFacts: readonly StartupFieldPath[] = [
  ...(['name', 'slug', 'icon', 'description', 'website', 'previousAskingPrice'] as const),
  ...(['founderMessage', 'valueProposition', 'problemSolved'] as const),
];

const fieldOf = new Map(detailFields.map((field) => [field.path, field]));
const named = new Set([...noFacts, ...Object.values(titles).flat()]);

/** All facts in their groups; those that no other group names are the last one. */
export const factGroups: readonly FactGroup[] = [
  ...Object.entries(titles).map(([title, paths]) => ({
    title,
    fields: paths.flatMap((path) => fieldOf.get(path) ?? []),
  })),
  { title: 'Company', fields: detailFields.filter(({ path }) => !named.has(path)) },
];

import type { NamedStartupField, StartupFieldPath } from '../../../startups/fields.ts';
import { wordsOf } from '../../shared/figures.tsx';
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

const labels: Readonly<Partial<Record<StartupFieldPath, string>>> = {
  'revenue.last30Days': 'Revenue, 30 days',
  'revenue.mrr': 'MRR',
  'revenue.total': 'Total revenue',
  growth30d: 'Revenue growth, 30 days',
  growthMRR30d: 'MRR growth, 30 days',
  profitMarginLast30Days: 'Profit margin, 30 days',
  paymentProvider: 'Verified by',
  isMerchantOfRecord: 'Merchant of record',
  verifiedAt: 'Last verified',
  visitorsLast30Days: 'Visitors, 30 days',
  googleSearchImpressionsLast30Days: 'Google impressions, 30 days',
  askingPriceChangedAt: 'Price changed',
  firstListedForSaleAt: 'First for sale',
  fundingStatus: 'Funding',
  foundedDate: 'Founded',
  xHandle: 'Founder on X',
  xFollowerCount: 'Followers on X',
  founderName: 'Founder',
};

/** What a field is called. */
export const labelOfField = (path: StartupFieldPath): string => labels[path] ?? wordsOf(path);

import type { StartupFieldKind } from './field-kinds.ts';
import { type StartupFieldPath, startupFields } from './fields.ts';

/**
 * How a value is written, where its kind does not say it: `change` is a percentage with a sign, `price` are cents per
 * something, of an `age` it counts how long ago it was.
 */
export type FieldUnit = StartupFieldKind | 'change' | 'price' | 'age';

interface FieldLabel {
  readonly label: string;
  /** In narrow places, such as headings of columns. */
  readonly short?: string;
  /** Its kind by default. */
  readonly unit?: FieldUnit;
  /** Whether more or less of it is better; missing where that cannot be said. */
  readonly better?: 'more' | 'less';
}

/** What people read of each field: on pages, in embedded elements and in texts for agents. */
const labels: Readonly<Record<StartupFieldPath, FieldLabel>> = {
  name: { label: 'Name', short: 'Startup' },
  slug: { label: 'Slug' },
  icon: { label: 'Icon' },
  description: { label: 'Description' },
  website: { label: 'Website' },
  country: { label: 'Country' },
  foundedDate: { label: 'Founded' },
  category: { label: 'Category' },
  paymentProvider: { label: 'Verified by' },
  targetAudience: { label: 'Target audience' },
  'revenue.last30Days': { label: 'Revenue, 30 days', short: 'Revenue 30d', better: 'more' },
  'revenue.mrr': { label: 'MRR', better: 'more' },
  'revenue.total': { label: 'Total revenue', better: 'more' },
  customers: { label: 'Customers', better: 'more' },
  activeSubscriptions: { label: 'Active subscriptions', better: 'more' },
  askingPrice: { label: 'Asking price', better: 'less' },
  profitMarginLast30Days: { label: 'Profit margin, 30 days', short: 'Margin', better: 'more' },
  growth30d: { label: 'Revenue growth, 30 days', short: 'Growth 30d', unit: 'change', better: 'more' },
  growthMRR30d: { label: 'MRR growth, 30 days', short: 'MRR growth 30d', unit: 'change', better: 'more' },
  multiple: { label: 'Multiple', better: 'less' },
  rank: { label: 'Rank', better: 'less' },
  visitorsLast30Days: { label: 'Visitors, 30 days', short: 'Visitors 30d', better: 'more' },
  googleSearchImpressionsLast30Days: {
    label: 'Google impressions, 30 days',
    short: 'Impressions 30d',
    better: 'more',
  },
  revenuePerVisitor: { label: 'Revenue per visitor', unit: 'price', better: 'more' },
  onSale: { label: 'For sale' },
  firstListedForSaleAt: { label: 'First for sale' },
  xHandle: { label: 'Founder on X' },
  teamSize: { label: 'Team size' },
  fundingStatus: { label: 'Funding' },
  verifiedAt: { label: 'Last verified', short: 'Verified', unit: 'age' },
  previousAskingPrice: { label: 'Previous asking price' },
  askingPriceChangedAt: { label: 'Price changed' },
  techStack: { label: 'Tech stack' },
  cofounders: { label: 'Cofounders' },
  founderName: { label: 'Founder' },
  founderMessage: { label: 'Founder message' },
  xFollowerCount: { label: 'Followers on X', better: 'more' },
  isMerchantOfRecord: { label: 'Merchant of record' },
  valueProposition: { label: 'Value proposition' },
  problemSolved: { label: 'Problem solved' },
  pricingModel: { label: 'Pricing model' },
  targetPersona: { label: 'Target persona' },
  active: { label: 'Active' },
};

/** What a field is called. */
export const labelOfField = (path: StartupFieldPath): string => labels[path].label;

/** The same where there is little room. */
export const shortLabelOf = (path: StartupFieldPath): string => labels[path].short ?? labels[path].label;

/** How a value of a field is written. */
export const unitOf = (path: StartupFieldPath): FieldUnit => labels[path].unit ?? startupFields[path].kind;

/** Whether more or less of a field is better; undefined where that cannot be said. */
export const betterOf = (path: StartupFieldPath): 'more' | 'less' | undefined => labels[path].better;

import { nameInWords } from '../../lib/text/figures.ts';
import type { StartupFieldKind } from './field-kinds.ts';
import { type StartupFieldPath, startupFields } from './fields.ts';
import type { OwnKind } from './own-fields.ts';

/**
 * How a value is written, where its kind does not say it: `change` is a percentage with a sign, `price` are cents per
 * something, of an `age` it counts how long ago it was.
 */
export type FieldUnit = StartupFieldKind | 'change' | 'price' | 'age' | 'number';

interface FieldLabel {
  /** The words of its path by default. */
  readonly label?: string;
  /** In narrow places, such as headings of columns. */
  readonly short?: string;
  /** Its kind by default. */
  readonly unit?: FieldUnit;
  /** Whether more or less of it is better; missing where that cannot be said. */
  readonly better?: 'more' | 'less';
}

/** What people read of fields: on pages, in embedded elements and in texts for agents. */
const labels: { readonly [Path in StartupFieldPath]?: FieldLabel } = {
  name: { short: 'Startup' },
  foundedDate: { label: 'Founded' },
  paymentProvider: { label: 'Verified by' },
  'revenue.last30Days': { label: 'Revenue, 30 days', short: 'Revenue 30d', better: 'more' },
  'revenue.mrr': { label: 'MRR', better: 'more' },
  'revenue.total': { label: 'Total revenue', better: 'more' },
  customers: { better: 'more' },
  activeSubscriptions: { better: 'more' },
  askingPrice: { better: 'less' },
  profitMarginLast30Days: { label: 'Profit margin, 30 days', short: 'Margin', better: 'more' },
  growth30d: { label: 'Revenue growth, 30 days', short: 'Growth 30d', unit: 'change', better: 'more' },
  growthMRR30d: { label: 'MRR growth, 30 days', short: 'MRR growth 30d', unit: 'change', better: 'more' },
  multiple: { better: 'less' },
  rank: { better: 'less' },
  visitorsLast30Days: { label: 'Visitors, 30 days', short: 'Visitors 30d', better: 'more' },
  googleSearchImpressionsLast30Days: {
    label: 'Google impressions, 30 days',
    short: 'Impressions 30d',
    better: 'more',
  },
  revenuePerVisitor: { unit: 'price', better: 'more' },
  onSale: { label: 'For sale' },
  firstListedForSaleAt: { label: 'First for sale' },
  xHandle: { label: 'Founder on X' },
  fundingStatus: { label: 'Funding' },
  verifiedAt: { label: 'Last verified', short: 'Verified', unit: 'age' },
  askingPriceChangedAt: { label: 'Price changed' },
  founderName: { label: 'Founder' },
  xFollowerCount: { label: 'Followers on X', better: 'more' },
  isMerchantOfRecord: { label: 'Merchant of record' },
};

/** What a field is called. */
export const labelOfField = (path: StartupFieldPath): string => labels[path]?.label ?? nameInWords(path);

/** The same where there is little room. */
export const shortLabelOf = (path: StartupFieldPath): string => labels[path]?.short ?? labelOfField(path);

/** How a value of a field is written. */
export const unitOf = (path: StartupFieldPath): FieldUnit => labels[path]?.unit ?? startupFields[path].kind;

/** How a value of each kind of declared fields is written. */
export const ownUnits: Readonly<Record<OwnKind, FieldUnit>> = {
  text: 'string',
  url: 'url',
  count: 'count',
  cents: 'cents',
  percent: 'percent',
  number: 'number',
  date: 'date',
  boolean: 'boolean',
  choice: 'string',
  texts: 'texts',
};

/** Whether more or less of a field is better; undefined where that cannot be said. */
export const betterOf = (path: StartupFieldPath): 'more' | 'less' | undefined => labels[path]?.better;

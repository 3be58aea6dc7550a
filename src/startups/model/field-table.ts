import type { StartupFieldKind } from './field-kinds.ts';
import {
  categories,
  fundingStatuses,
  MAX_CENTS,
  MAX_COUNT,
  paymentProviders,
  targetAudiences,
  teamSizes,
} from './vocabulary.ts';

/** The smallest record that contains a field: of the list, the detail record, or that of an import. */
export type Shape = 'list' | 'detail' | 'import';

/**
 * What a field is stored as. A `column` of the catalogue can be filtered and sorted by; a `detail` is packed with others, and
 * read when it is asked for. An import ignores what is `computed` from others or `recorded` by the database when others
 * change: a detail, too.
 */
export type Storage = 'column' | 'detail' | 'computed' | 'recorded';

/** What the table says of a field; the rest follows from its path. */
export interface FieldEntry {
  readonly kind: StartupFieldKind;
  /** False by default. */
  readonly nullable?: boolean;
  /** Complete sentences: meaning, unit, source, and what null means. */
  readonly description: string;
  /** `list` by default. */
  readonly shape?: Shape;
  /** `column` by default. */
  readonly stored?: Storage;
  /** True for a date that cannot be in the future. */
  readonly past?: true;
  /** The value of a field that an import leaves out, if that is not null. Of a list, none is also null in the database. */
  readonly default?: boolean | readonly [];
  /** The allowed values of a `choice`. */
  readonly values?: readonly string[];
  /** Smallest and largest allowed number, inclusive. */
  readonly minimum?: number;
  readonly maximum?: number;
  /** Smallest and largest allowed length in UTF-16 units, as stored; of a list, of each text in it. */
  readonly minLength?: number;
  readonly maxLength?: number;
  /** The regular expression that the whole text must match; of a list, each text in it. */
  readonly pattern?: string;
  /** The most texts of a list. */
  readonly maxItems?: number;
}

/**
 * A field whose value may be unknown or absent.
 *
 * @param absent what null means, as the end of its description: a sentence that begins with Null.
 */
const optional = <const Kind extends Omit<FieldEntry, 'description' | 'nullable'>>(
  kind: Kind,
  description: string,
  absent = 'when unknown.',
) => ({ ...kind, nullable: true as const, description: `${description} Null ${absent}` });

const cents = { kind: 'cents', minimum: 0, maximum: MAX_CENTS } as const;
const count = { kind: 'count', minimum: 0, maximum: MAX_COUNT } as const;
const url = { kind: 'url', maxLength: 2048 } as const;
const date = { kind: 'date' } as const;
const handle = { minLength: 1, maxLength: 30, pattern: '^[A-Za-z0-9_]{1,30}$' } as const;
/** A field that only the detail record has. */
const inDetail = { shape: 'detail' } as const;
const detail = { ...inDetail, stored: 'detail' } as const;
const detailText = { ...detail, kind: 'string', maxLength: 1000 } as const;
const list = { ...detail, default: [], maxItems: 50 } as const;

/** The fields by their dotted path. Stored and listed where an entry does not say otherwise, and never null. */
export const fieldTable = {
  name: { kind: 'string', minLength: 1, maxLength: 200, description: 'Name of the startup.' },
  slug: {
    kind: 'slug',
    maxLength: 100,
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    description:
      'URL-friendly identifier, unique among all startups, such as the last part of /startups/{slug}.',
  },
  icon: optional(url, 'Address of the icon or logo, http or https.', 'when none is known.'),
  description: optional(
    { kind: 'string', maxLength: 5000 },
    'Short description, cut to at most 200 UTF-16 units without splitting a character.',
    'when there is none.',
  ),
  website: optional(url, "Address of the startup's website, http or https."),
  country: optional(
    { kind: 'country', pattern: '^[A-Z]{2}$' },
    'Country as an ISO 3166-1 alpha-2 code, such as DE.',
  ),
  foundedDate: optional(date, 'Founding date, an ISO 8601 date-time in UTC.'),
  category: optional(
    { kind: 'choice', values: categories },
    'Primary category.',
    'when the startup has not been categorised.',
  ),
  paymentProvider: {
    kind: 'choice',
    values: paymentProviders,
    description: 'Payment provider through which the revenue is verified.',
  },
  targetAudience: optional(
    { kind: 'choice', values: targetAudiences },
    'The audience that the startup sells to: businesses, consumers or both.',
  ),
  'revenue.last30Days': { ...cents, description: 'Verified revenue of the last 30 days, in US cents.' },
  'revenue.mrr': { ...cents, description: 'Monthly recurring revenue, in US cents.' },
  'revenue.total': {
    ...cents,
    description:
      'All revenue known to the payment provider, in US cents. RevenueCat connections over its API have the ' +
      'whole history; its legacy connections begin about 30 days before the startup was connected.',
  },
  customers: { ...count, description: 'Total number of customers.' },
  activeSubscriptions: { ...count, description: 'Number of subscriptions that are active now.' },
  askingPrice: optional(
    cents,
    'Asking price, in US cents, of a startup listed for sale.',
    'when none is stated.',
  ),
  profitMarginLast30Days: optional(
    { kind: 'percent', minimum: 0, maximum: 100 },
    'Profit margin over the last 30 days, a percentage from 0 to 100.',
  ),
  growth30d: optional(
    { kind: 'percent' },
    'Growth of revenue over 30 days, a percentage: 24 means 24%, and it may be negative.',
    'when unknown. (The filters minGrowth and maxGrowth are fractions instead: write 0.24, not 24, for 24%.)',
  ),
  growthMRR30d: optional(
    { kind: 'percent' },
    'Growth of monthly recurring revenue over 30 days, a percentage: 24 means 24%, and it may be negative.',
  ),
  multiple: optional(
    { kind: 'ratio', minimum: 0, stored: 'computed' },
    'Asking price divided by twelve times the revenue of the last 30 days, unrounded: the price in years of revenue.',
    'without an asking price or without revenue.',
  ),
  rank: optional(
    { ...count, minimum: 1, stored: 'computed' },
    'Position by total revenue among all active startups; 1 is the highest, and equal totals share a rank.',
    'for an inactive startup.',
  ),
  visitorsLast30Days: optional(
    count,
    'Visitors of the website in the last 30 days, from a web-analytics provider or from search-console clicks.',
    'when neither is connected.',
  ),
  googleSearchImpressionsLast30Days: optional(
    count,
    'Times the website appeared in Google search results in the last 30 days.',
    'without a search-console connection.',
  ),
  revenuePerVisitor: optional(
    { kind: 'ratio', minimum: 0, stored: 'computed' },
    'Revenue of the last 30 days divided by the visitors of the last 30 days, in US cents per visitor, unrounded.',
    'when the visitors are unknown or none.',
  ),
  onSale: { kind: 'boolean', description: 'Whether the startup is listed for sale now.' },
  firstListedForSaleAt: optional(
    date,
    'When the startup was first listed for sale, an ISO 8601 date-time in UTC.',
    'when it never was.',
  ),
  xHandle: optional({ kind: 'handle', ...handle }, "The founder's handle on X, without the leading @."),
  teamSize: optional(
    { ...inDetail, kind: 'choice', values: teamSizes },
    'Number of people in the team, as a range.',
  ),
  fundingStatus: optional(
    { ...inDetail, kind: 'choice', values: fundingStatuses },
    'Whether the startup is bootstrapped or funded by venture capital.',
  ),
  verifiedAt: optional(
    { ...inDetail, ...date, past: true },
    'When the payment provider last confirmed the figures, an ISO 8601 date-time in UTC.',
  ),
  previousAskingPrice: optional(
    { ...inDetail, ...cents, stored: 'recorded' },
    'The last different asking price of an earlier day, in US cents.',
    'when there was none.',
  ),
  askingPriceChangedAt: optional(
    { ...inDetail, ...date, stored: 'recorded' },
    'When an import changed that price to the present one, an ISO 8601 date-time in UTC.',
    'when there was none.',
  ),
  techStack: {
    ...list,
    kind: 'texts',
    minLength: 1,
    maxLength: 100,
    // Commas separate the texts of a list in CSV and in REST.
    pattern: '^[^,\\s]([^,]*[^,\\s])?$',
    description:
      'Technologies that the startup is built with, such as Next.js; each without commas. Empty when unknown.',
  },
  cofounders: {
    ...list,
    ...handle,
    kind: 'handles',
    description: 'Handles on X of the other founders, each without the leading @. Empty when there is none.',
  },
  founderName: optional(detailText, 'Name of the founder.'),
  founderMessage: optional(detailText, 'A message of the founder to readers.', 'when there is none.'),
  xFollowerCount: optional({ ...detail, ...count }, 'Number of followers that the founder has on X.'),
  isMerchantOfRecord: optional(
    { ...detail, kind: 'boolean' },
    'Whether the payment provider sells to customers in its own name, as the merchant of record.',
  ),
  valueProposition: optional(detailText, 'What customers gain from the product.'),
  problemSolved: optional(detailText, 'The problem that the product solves.'),
  pricingModel: optional(detailText, 'How the product is priced, such as a monthly subscription.'),
  targetPersona: optional(detailText, 'Who the typical customer is.'),
  active: {
    shape: 'import',
    kind: 'boolean',
    default: true,
    description:
      'Whether the startup is ranked. An inactive startup is listed with a null rank. ' +
      'True when an import leaves it out.',
  },
} as const satisfies Record<string, FieldEntry>;

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

/** What the table says of a field; the rest follows from its path. */
export interface FieldEntry {
  readonly kind: StartupFieldKind;
  /** False by default. */
  readonly nullable?: boolean;
  /** Complete sentences: meaning, unit, source, and what null means. */
  readonly description: string;
  /** `list` by default. */
  readonly shape?: Shape;
  /** True if the value is computed from others; an import ignores it. */
  readonly computed?: true;
  /** True if the value is recorded by the database when others change; an import ignores it. */
  readonly recorded?: true;
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

const cents = { kind: 'cents', minimum: 0, maximum: MAX_CENTS } as const;
const count = { kind: 'count', minimum: 0, maximum: MAX_COUNT } as const;
const url = { kind: 'url', maxLength: 2048 } as const;
const handle = { minLength: 1, maxLength: 30, pattern: '^[A-Za-z0-9_]{1,30}$' } as const;
/** A text that only the detail record has. */
const detailText = { shape: 'detail', kind: 'string', nullable: true, maxLength: 1000 } as const;
const list = { shape: 'detail', default: [], maxItems: 50 } as const;

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
  icon: {
    ...url,
    nullable: true,
    description: 'Address of the icon or logo, http or https. Null when none is known.',
  },
  description: {
    kind: 'string',
    nullable: true,
    maxLength: 5000,
    description:
      'Short description, cut to at most 200 UTF-16 units without splitting a character. Null when there is none.',
  },
  website: {
    ...url,
    nullable: true,
    description: "Address of the startup's website, http or https. Null when unknown.",
  },
  country: {
    kind: 'country',
    nullable: true,
    pattern: '^[A-Z]{2}$',
    description: 'Country as an ISO 3166-1 alpha-2 code, such as DE. Null when unknown.',
  },
  foundedDate: {
    kind: 'date',
    nullable: true,
    description: 'Founding date, an ISO 8601 date-time in UTC. Null when unknown.',
  },
  category: {
    kind: 'choice',
    values: categories,
    nullable: true,
    description: 'Primary category. Null when the startup has not been categorised.',
  },
  paymentProvider: {
    kind: 'choice',
    values: paymentProviders,
    description: 'Payment provider through which the revenue is verified.',
  },
  targetAudience: {
    kind: 'choice',
    values: targetAudiences,
    nullable: true,
    description: 'The audience that the startup sells to: businesses, consumers or both. Null when unknown.',
  },
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
  askingPrice: {
    ...cents,
    nullable: true,
    description: 'Asking price, in US cents, of a startup listed for sale. Null when none is stated.',
  },
  profitMarginLast30Days: {
    kind: 'percent',
    minimum: 0,
    maximum: 100,
    nullable: true,
    description: 'Profit margin over the last 30 days, a percentage from 0 to 100. Null when unknown.',
  },
  growth30d: {
    kind: 'percent',
    nullable: true,
    description:
      'Growth of revenue over 30 days, a percentage: 24 means 24%, and it may be negative. ' +
      'Null when unknown. (The filters minGrowth and maxGrowth are fractions instead: write 0.24, not 24, for 24%.)',
  },
  growthMRR30d: {
    kind: 'percent',
    nullable: true,
    description:
      'Growth of monthly recurring revenue over 30 days, a percentage: 24 means 24%, and it may be negative. ' +
      'Null when unknown.',
  },
  multiple: {
    kind: 'ratio',
    minimum: 0,
    nullable: true,
    computed: true,
    description:
      'Asking price divided by twelve times the revenue of the last 30 days, unrounded: the price in years of ' +
      'revenue. Null without an asking price or without revenue.',
  },
  rank: {
    kind: 'count',
    minimum: 1,
    maximum: MAX_COUNT,
    nullable: true,
    computed: true,
    description:
      'Position by total revenue among all active startups; 1 is the highest, and equal totals share a rank. ' +
      'Null for an inactive startup.',
  },
  visitorsLast30Days: {
    ...count,
    nullable: true,
    description:
      'Visitors of the website in the last 30 days, from a web-analytics provider or from search-console clicks. ' +
      'Null when neither is connected.',
  },
  googleSearchImpressionsLast30Days: {
    ...count,
    nullable: true,
    description:
      'Times the website appeared in Google search results in the last 30 days. ' +
      'Null without a search-console connection.',
  },
  revenuePerVisitor: {
    kind: 'ratio',
    minimum: 0,
    nullable: true,
    computed: true,
    description:
      'Revenue of the last 30 days divided by the visitors of the last 30 days, in US cents per visitor, ' +
      'unrounded. Null when the visitors are unknown or none.',
  },
  onSale: { kind: 'boolean', description: 'Whether the startup is listed for sale now.' },
  firstListedForSaleAt: {
    kind: 'date',
    nullable: true,
    description:
      'When the startup was first listed for sale, an ISO 8601 date-time in UTC. Null when it never was.',
  },
  xHandle: {
    kind: 'handle',
    nullable: true,
    ...handle,
    description: "The founder's handle on X, without the leading @. Null when unknown.",
  },
  teamSize: {
    shape: 'detail',
    kind: 'choice',
    values: teamSizes,
    nullable: true,
    description: 'Number of people in the team, as a range. Null when unknown.',
  },
  fundingStatus: {
    shape: 'detail',
    kind: 'choice',
    values: fundingStatuses,
    nullable: true,
    description: 'Whether the startup is bootstrapped or funded by venture capital. Null when unknown.',
  },
  verifiedAt: {
    shape: 'detail',
    kind: 'date',
    nullable: true,
    past: true,
    description:
      'When the payment provider last confirmed the figures, an ISO 8601 date-time in UTC. Null when unknown.',
  },
  previousAskingPrice: {
    ...cents,
    shape: 'detail',
    nullable: true,
    recorded: true,
    description: 'Asking price before its last change to another one, in US cents. Null when there was none.',
  },
  askingPriceChangedAt: {
    shape: 'detail',
    kind: 'date',
    nullable: true,
    recorded: true,
    description:
      'When an import last changed the asking price to another one, an ISO 8601 date-time in UTC. Null when there was none.',
  },
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
  founderName: { ...detailText, description: 'Name of the founder. Null when unknown.' },
  founderMessage: {
    ...detailText,
    description: 'A message of the founder to readers. Null when there is none.',
  },
  xFollowerCount: {
    ...count,
    shape: 'detail',
    nullable: true,
    description: 'Number of followers that the founder has on X. Null when unknown.',
  },
  isMerchantOfRecord: {
    shape: 'detail',
    kind: 'boolean',
    nullable: true,
    description:
      'Whether the payment provider sells to customers in its own name, as the merchant of record. Null when unknown.',
  },
  valueProposition: {
    ...detailText,
    description: 'What customers gain from the product. Null when unknown.',
  },
  problemSolved: { ...detailText, description: 'The problem that the product solves. Null when unknown.' },
  pricingModel: {
    ...detailText,
    description: 'How the product is priced, such as a monthly subscription. Null when unknown.',
  },
  targetPersona: { ...detailText, description: 'Who the typical customer is. Null when unknown.' },
  active: {
    shape: 'import',
    kind: 'boolean',
    default: true,
    description:
      'Whether the startup is ranked. An inactive startup is listed with a null rank. ' +
      'True when an import leaves it out.',
  },
} as const satisfies Record<string, FieldEntry>;

/**
 * The closed value lists of the interface, in its order and spelling. REST, GraphQL, imports,
 * samples and documents derive from these.
 */

/** Values of `category`. */
export const categories = [
  'ai',
  'saas',
  'developer-tools',
  'fintech',
  'marketing',
  'ecommerce',
  'productivity',
  'design-tools',
  'no-code',
  'analytics',
  'crypto-web3',
  'education',
  'health-fitness',
  'social-media',
  'content-creation',
  'sales',
  'customer-support',
  'recruiting',
  'real-estate',
  'travel',
  'legal',
  'security',
  'iot-hardware',
  'green-tech',
  'entertainment',
  'games',
  'community',
  'news-magazines',
  'utilities',
  'marketplace',
  'mobile-apps',
] as const;
export type Category = (typeof categories)[number];

/** Values of `paymentProvider`: who verified the revenue. */
export const paymentProviders = [
  'stripe',
  'lemonsqueezy',
  'polar',
  'revenuecat',
  'dodopayment',
  'paddle',
  'superwall',
  'appstore',
  'creem',
  'whop',
  'shopify',
] as const;
export type PaymentProvider = (typeof paymentProviders)[number];

/** Values of `targetAudience`. */
export const targetAudiences = ['b2b', 'b2c', 'both'] as const;
export type TargetAudience = (typeof targetAudiences)[number];

/** Values of `teamSize`: people, as a range. */
export const teamSizes = ['1', '2-5', '6-10', '11-25', '26-50', '51+'] as const;
export type TeamSize = (typeof teamSizes)[number];

/** Values of `fundingStatus`. */
export const fundingStatuses = ['bootstrapped', 'vc-funded'] as const;
export type FundingStatus = (typeof fundingStatuses)[number];

/** Values of `sort`, with what each puts first. Nulls are last in every order, then the id decides. */
export const sortDescriptions = {
  'revenue-desc': 'Highest last-30-days revenue first.',
  'revenue-asc': 'Lowest last-30-days revenue first.',
  'price-desc': 'Highest asking price first.',
  'price-asc': 'Lowest asking price first.',
  'multiple-asc': 'Lowest revenue multiple first.',
  'multiple-desc': 'Highest revenue multiple first.',
  'growth-desc': 'Fastest growth first.',
  'growth-asc': 'Slowest growth first.',
  'listed-desc': 'Most recently listed first.',
  'listed-asc': 'Oldest listing first.',
  'best-deal':
    'Best acquisition deals first: startups on sale with a price and revenue by lowest payback, then all others by revenue.',
} as const;
export type StartupSort = keyof typeof sortDescriptions;
export const startupSorts = Object.keys(sortDescriptions) as StartupSort[];

const teamSizeNames: Record<TeamSize, string> = {
  '1': 'SIZE_1',
  '2-5': 'SIZE_2_5',
  '6-10': 'SIZE_6_10',
  '11-25': 'SIZE_11_25',
  '26-50': 'SIZE_26_50',
  '51+': 'SIZE_51_PLUS',
};

/** The name of a value where names are constants, as in GraphQL: upper case, dashes to underscores. */
export function constantName(value: string): string {
  return Object.hasOwn(teamSizeNames, value)
    ? teamSizeNames[value as TeamSize]
    : value.toUpperCase().replaceAll('-', '_');
}

/** Largest amount or count that a JSON number holds exactly. */
export const MAX_CENTS = Number.MAX_SAFE_INTEGER;

/** Largest count (customers, visitors, …): GraphQL's Int. */
export const MAX_COUNT = 2 ** 31 - 1;

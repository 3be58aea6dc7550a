/**
 * The closed value lists of the interface, in its order and spelling. REST, GraphQL, imports,
 * samples and documents derive from these.
 */

import type { OwnSort } from './own-fields.ts';

/**
 * A value of a vocabulary for people: its display name, as a spreadsheet may contain it, a sentence, and what comparable
 * services call it, which an import reads.
 */
type Term = readonly [label: string, description: string, ...otherNames: readonly string[]];

/** Values of `category`. */
const categoryTerms = {
  ai: [
    'Artificial Intelligence',
    'Products built on artificial intelligence.',
    'AI/ML',
    'AI & Machine Learning',
    'AI & ML',
    'Artificial Intelligence & Machine Learning',
    'AI Tools',
  ],
  saas: ['Software as a Service', 'Software as a service that fits no other category better.', 'SaaS Tools'],
  'developer-tools': [
    'Developer Tools',
    'Tools and services for software developers.',
    'Dev Tools',
    'Development Tools',
  ],
  fintech: ['Financial Technology', 'Payments, banking, accounting and other financial technology.'],
  marketing: [
    'Marketing',
    'Advertising, search optimisation, email campaigns and other marketing.',
    'Marketing Tools',
    'Marketing & Advertising',
  ],
  ecommerce: ['E-Commerce', 'Online shops and what they run on.', 'Online Shop'],
  productivity: [
    'Productivity',
    'Notes, tasks, calendars and other tools for getting work done.',
    'Productivity Tools',
    'Productivity Software',
  ],
  'design-tools': [
    'Design Tools',
    'Tools for designing interfaces, graphics and images.',
    'Design',
    'Design Software',
  ],
  'no-code': [
    'No-Code',
    'Building applications and automations without programming.',
    'No-Code Tools',
    'No-Code & Low-Code',
    'Low-Code & No-Code',
    'No-Code/Low-Code',
  ],
  analytics: [
    'Analytics',
    'Measuring and reporting on websites, products and businesses.',
    'Data & Analytics',
    'Analytics Tools',
  ],
  'crypto-web3': [
    'Crypto & Web3',
    'Cryptocurrencies, blockchains and applications on them.',
    'Crypto',
    'Web3',
    'Crypto/Web3',
    'Crypto & Blockchain',
    'Cryptocurrency',
  ],
  education: [
    'Education',
    'Courses, teaching and learning.',
    'EdTech',
    'Ed Tech',
    'Education & Learning',
    'E-Learning',
    'Education Technology',
  ],
  'health-fitness': [
    'Health & Fitness',
    'Health care, fitness and well-being.',
    'Health',
    'Fitness',
    'Health & Wellness',
  ],
  'social-media': [
    'Social Media',
    'Social networks and tools for them.',
    'Social Networks',
    'Social Network',
    'Social Media Tools',
  ],
  'content-creation': [
    'Content Creation',
    'Making text, images, audio and video.',
    'Content Creation Tools',
    'Content Creators',
    'Creator Tools',
  ],
  sales: [
    'Sales',
    'Leads, customer relationships and other tools for selling.',
    'Sales Tools',
    'Sales & CRM',
    'CRM & Sales',
  ],
  'customer-support': [
    'Customer Support',
    'Help desks, chats and other tools for supporting customers.',
    'Customer Service',
    'Customer Support Tools',
    'Helpdesk',
    'Help Desk',
  ],
  recruiting: [
    'Recruiting',
    'Hiring, job boards and other tools for finding staff.',
    'Recruiting & HR',
    'HR & Recruiting',
    'Recruitment',
    'Recruitment & HR',
    'HR & Recruitment',
    'Hiring',
    'Hiring & Recruiting',
  ],
  'real-estate': [
    'Real Estate',
    'Buying, letting and managing property.',
    'PropTech',
    'Real Estate & PropTech',
  ],
  travel: ['Travel', 'Planning, booking and going on trips.', 'Travel & Tourism', 'Travel & Hospitality'],
  legal: [
    'Legal',
    'Contracts, compliance and other legal services.',
    'LegalTech',
    'Legal Tech',
    'Legal & Compliance',
  ],
  security: [
    'Security',
    'Protecting systems, data and people.',
    'Cybersecurity',
    'Cyber Security',
    'Security & Privacy',
  ],
  'iot-hardware': [
    'IoT & Hardware',
    'Connected devices and other hardware.',
    'IoT',
    'Hardware',
    'Hardware & IoT',
    'Internet of Things',
  ],
  'green-tech': [
    'Green Technology',
    'Energy, climate and the environment.',
    'Green Tech',
    'Greentech',
    'Climate Tech',
    'Cleantech',
    'Clean Tech',
    'Climate & Sustainability',
    'Sustainability',
  ],
  entertainment: ['Entertainment', 'Film, music, events and other entertainment.', 'Entertainment & Media'],
  games: ['Games', 'Video games and other games.', 'Game', 'Gaming', 'Video Games', 'Games & Gaming'],
  community: ['Community', 'Forums, memberships and other communities.', 'Communities'],
  'news-magazines': [
    'News & Magazines',
    'News, newsletters and magazines.',
    'News',
    'Magazines',
    'News & Media',
  ],
  utilities: ['Utilities', 'Small tools for one purpose.', 'Utility', 'Utility Tools'],
  marketplace: ['Marketplace', 'Platforms on which others sell and buy.', 'Marketplaces'],
  'mobile-apps': [
    'Mobile Apps',
    'Applications for phones and tablets.',
    'Mobile',
    'Mobile App',
    'Mobile Applications',
  ],
} as const satisfies Record<string, Term>;
export type Category = keyof typeof categoryTerms;
export const categories = Object.keys(categoryTerms) as Category[];

/** Values of `paymentProvider`: who verified the revenue. */
const paymentProviderTerms = {
  stripe: ['Stripe', 'Revenue is verified through Stripe.'],
  lemonsqueezy: ['Lemon Squeezy', 'Revenue is verified through Lemon Squeezy.'],
  polar: ['Polar', 'Revenue is verified through Polar.'],
  revenuecat: ['RevenueCat', 'Revenue is verified through RevenueCat.'],
  dodopayment: ['Dodo Payments', 'Revenue is verified through Dodo Payments.'],
  paddle: ['Paddle', 'Revenue is verified through Paddle.'],
  superwall: ['Superwall', 'Revenue is verified through Superwall.'],
  appstore: ['App Store', "Revenue is verified through Apple's App Store."],
  creem: ['Creem', 'Revenue is verified through Creem.'],
  whop: ['Whop', 'Revenue is verified through Whop.'],
  shopify: ['Shopify', 'Revenue is verified through Shopify.'],
} as const satisfies Record<string, Term>;
export const paymentProviders = Object.keys(paymentProviderTerms) as (keyof typeof paymentProviderTerms)[];

/** Values of `targetAudience`. */
const targetAudienceTerms = {
  b2b: ['Businesses', 'Sells to businesses.'],
  b2c: ['Consumers', 'Sells to consumers.'],
  both: ['Businesses and consumers', 'Sells to businesses and to consumers.'],
} as const satisfies Record<string, Term>;
export const targetAudiences = Object.keys(targetAudienceTerms) as (keyof typeof targetAudienceTerms)[];

/** Values of `teamSize`: people, as a range. */
const teamSizeTerms = {
  '1': ['1 person', 'One person.'],
  '2-5': ['2 to 5 people', '2 to 5 people.'],
  '6-10': ['6 to 10 people', '6 to 10 people.'],
  '11-25': ['11 to 25 people', '11 to 25 people.'],
  '26-50': ['26 to 50 people', '26 to 50 people.'],
  '51+': ['51 or more people', '51 or more people.'],
} as const satisfies Record<string, Term>;
export type TeamSize = keyof typeof teamSizeTerms;
export const teamSizes = Object.keys(teamSizeTerms) as TeamSize[];

/** Values of `fundingStatus`. */
const fundingStatusTerms = {
  bootstrapped: ['Bootstrapped', 'Without outside capital.'],
  'vc-funded': ['Venture capital', 'With venture capital.'],
} as const satisfies Record<string, Term>;
export const fundingStatuses = Object.keys(fundingStatusTerms) as (keyof typeof fundingStatusTerms)[];

/**
 * Values of `sort`: the column that each sorts by, descending where its name ends so, and what it puts first. Records without
 * a value are last in every order, sorted by the column `otherwise`, highest first, if there is one; then the id decides.
 * GraphQL, REST, OpenAPI, the explorer and the catalogue derive from this.
 */
export const sorts = {
  'revenue-desc': { column: 'revenueLast30Days', description: 'Highest last-30-days revenue first.' },
  'revenue-asc': { column: 'revenueLast30Days', description: 'Lowest last-30-days revenue first.' },
  'price-desc': { column: 'askingPrice', description: 'Highest asking price first.' },
  'price-asc': { column: 'askingPrice', description: 'Lowest asking price first.' },
  'multiple-asc': { column: 'multiple', description: 'Lowest revenue multiple first.' },
  'multiple-desc': { column: 'multiple', description: 'Highest revenue multiple first.' },
  'growth-desc': { column: 'growth30d', description: 'Fastest growth first.' },
  'growth-asc': { column: 'growth30d', description: 'Slowest growth first.' },
  'listed-desc': { column: 'firstListedForSaleAt', description: 'Most recently listed first.' },
  'listed-asc': { column: 'firstListedForSaleAt', description: 'Oldest listing first.' },
  'best-deal': {
    column: 'dealScore',
    otherwise: 'revenueLast30Days',
    description:
      'Best acquisition deals first: startups on sale with a price and revenue by lowest deal score, then all others by revenue.',
  },
  'mrr-desc': { column: 'revenueMrr', description: 'Highest monthly recurring revenue first.' },
  'mrr-asc': { column: 'revenueMrr', description: 'Lowest monthly recurring revenue first.' },
  'total-desc': { column: 'revenueTotal', description: 'Highest total revenue first.' },
  'total-asc': { column: 'revenueTotal', description: 'Lowest total revenue first.' },
  'customers-desc': { column: 'customers', description: 'Most customers first.' },
  'customers-asc': { column: 'customers', description: 'Fewest customers first.' },
  'visitors-desc': { column: 'visitorsLast30Days', description: 'Most website visitors first.' },
  'visitors-asc': { column: 'visitorsLast30Days', description: 'Fewest website visitors first.' },
  'founded-desc': { column: 'foundedDate', description: 'Most recently founded first.' },
  'founded-asc': { column: 'foundedDate', description: 'Oldest first, by founding date.' },
  'created-desc': { column: 'createdAt', description: 'Most recently added to the data first.' },
  'created-asc': { column: 'createdAt', description: 'Earliest added to the data first.' },
  'updated-desc': { column: 'updatedAt', description: 'Most recently changed first.' },
  'updated-asc': { column: 'updatedAt', description: 'Longest unchanged first.' },
  'verified-desc': { column: 'verifiedAt', description: 'Most recently verified first.' },
  'verified-asc': { column: 'verifiedAt', description: 'Longest not verified first.' },
  'name-asc': { column: 'name', description: 'Names from A to Z, whatever their case and accents.' },
  'name-desc': { column: 'name', description: 'Names from Z to A, whatever their case and accents.' },
} as const satisfies Record<
  string,
  { readonly column: string; readonly otherwise?: string; readonly description: string }
>;
export const startupSorts = Object.keys(sorts) as (keyof typeof sorts)[];

/** The most groups by a field whose values are not ours: the largest. */
export const MOST_OPEN_GROUPS = 250;
/** The least startups of a founder's group. */
export const LEAST_OF_FOUNDER = 2;

/** Values of `by`, of a field with a known set of values: startups are also counted by these. */
const codedGroupingTerms = {
  category: { description: 'By primary category.' },
  paymentProvider: { description: 'By payment provider.' },
  country: { description: 'By country.' },
  targetAudience: { description: 'By target audience.' },
  teamSize: { description: 'By team size.' },
  fundingStatus: { description: 'By funding.' },
} as const satisfies Record<string, { readonly description: string }>;
export type CodedGrouping = keyof typeof codedGroupingTerms;
export const codedGroupings = Object.keys(codedGroupingTerms) as CodedGrouping[];

/** Those of a field with any texts: what of their groups is left out, too. */
const openGroupingTerms = {
  xHandle: {
    description: `By founder: the ${MOST_OPEN_GROUPS} with the most startups, at least ${LEAST_OF_FOUNDER}.`,
    leftOut: `founders of fewer than ${LEAST_OF_FOUNDER} startups`,
  },
  techStack: {
    description: `By technology: the ${MOST_OPEN_GROUPS} most frequent. A startup counts for each of its technologies.`,
    leftOut: null,
  },
} as const satisfies Record<string, { readonly description: string; readonly leftOut: string | null }>;
export type OpenGrouping = keyof typeof openGroupingTerms;

const groupingTerms = { ...codedGroupingTerms, ...openGroupingTerms };
/** Values of `by`: the fields by whose values startups are grouped. */
export type Grouping = CodedGrouping | OpenGrouping;
export const groupings = Object.keys(groupingTerms) as Grouping[];

export const isOpenGrouping = (by: Grouping): by is OpenGrouping => Object.hasOwn(openGroupingTerms, by);

/** What groups by a field leave out, if they are so many; null for nothing. */
export function leftOutOfGroups(by: Grouping, count: number): string | null {
  if (!isOpenGrouping(by)) {
    return null;
  }
  const { leftOut } = openGroupingTerms[by];
  const smaller = count < MOST_OPEN_GROUPS ? null : `all but the ${MOST_OPEN_GROUPS} largest groups`;
  return [leftOut, smaller].filter((text) => text !== null).join(' and ') || null;
}

/** The order of a search, by how well startups match. */
export const RELEVANCE = 'relevance';
const relevanceDescription =
  'Best matches first; only with a search. Names come before slugs, handles and websites, these before ' +
  'descriptions, whole words before beginnings of words, then higher revenue first.';

/** Our orders. Lists can also be sorted by declared fields. */
export type StartupSort = keyof typeof sorts | typeof RELEVANCE;
export type ListSort = StartupSort | OwnSort;
export const sortValues: readonly StartupSort[] = [...startupSorts, RELEVANCE];

/** What values that have no label mean. */
const meanings: ReadonlyMap<string, string> = new Map([
  ...Object.entries({ ...sorts, ...groupingTerms }).map(
    ([value, { description }]) => [value, description] as const,
  ),
  [RELEVANCE, relevanceDescription],
]);

/** The display name of a value, given as itself or by its name; undefined for a value that has none. */
export function labelOf(value: string): string | undefined {
  return terms.get(value)?.[0];
}

/** What else a value is called, given as itself. */
export function otherNamesOf(value: string): readonly string[] {
  return terms.get(value)?.slice(2) ?? [];
}

/** The meaning of any vocabulary value, in a sentence. */
export function descriptionOf(value: string): string {
  const described = terms.get(value)?.[1] ?? meanings.get(value);
  if (described === undefined) {
    throw new Error(`"${value}" has no description`);
  }
  return described;
}

const teamSizeNames: Record<TeamSize, string> = {
  '1': 'SIZE_1',
  '2-5': 'SIZE_2_5',
  '6-10': 'SIZE_6_10',
  '11-25': 'SIZE_11_25',
  '26-50': 'SIZE_26_50',
  '51+': 'SIZE_51_PLUS',
};

/** The name of a value where names are constants, as in GraphQL: upper case, words separated by underscores. */
export function constantName(value: string): string {
  return Object.hasOwn(teamSizeNames, value)
    ? teamSizeNames[value as TeamSize]
    : value.replace(/(?<=[a-z])(?=[A-Z])|[-.]/g, '_').toUpperCase();
}

/** Every value that has a label, by itself and by its name. No value is in two vocabularies. */
const terms: ReadonlyMap<string, Term> = new Map(
  [categoryTerms, paymentProviderTerms, targetAudienceTerms, teamSizeTerms, fundingStatusTerms]
    .flatMap((table) => Object.entries<Term>(table))
    .flatMap(([value, term]) => [[value, term] as const, [constantName(value), term] as const]),
);

/** How records that have no or the same sorted value are ordered, in sentences. */
export const ORDER_RULE =
  'Startups without the sorted value always come last; equal ones are in the order of their first import.';

/** Largest amount or count that a JSON number holds exactly. */
export const MAX_CENTS = Number.MAX_SAFE_INTEGER;

/** Largest count (customers, visitors, …): GraphQL's Int. */
export const MAX_COUNT = 2 ** 31 - 1;

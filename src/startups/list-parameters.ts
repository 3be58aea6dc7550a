import { countries } from './countries.ts';
import {
  categories,
  fundingStatuses,
  MAX_COUNT,
  paymentProviders,
  startupSorts,
  targetAudiences,
  teamSizes,
} from './vocabulary.ts';

/** The most records on one page. */
export const MAX_LIMIT = 10;

/** The type of a list parameter. `number` is any finite number; `boolean` is true or false. */
export type ListParameter = { readonly description: string } & (
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number; readonly default: number }
  | { readonly kind: 'number' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'handle' }
  | { readonly kind: 'choice'; readonly values: readonly string[] }
);

/**
 * The parameters of a list as the interface names them, in its order. `page`, `limit` and `sort` are
 * arguments; the others are the fields of a filter, which combine. REST, GraphQL and OpenAPI derive
 * from this.
 */
export const listParameters = {
  page: {
    kind: 'integer',
    minimum: 1,
    maximum: MAX_COUNT,
    default: 1,
    description: 'Number of the page, from 1. A page past the end is empty.',
  },
  limit: {
    kind: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: MAX_LIMIT,
    description: 'Records per page.',
  },
  sort: {
    kind: 'choice',
    values: startupSorts,
    description:
      'Order of the records. Records without the sorted value come last; equal ones are in the order of their first import. Default: best-deal when onSale is true, otherwise revenue-desc.',
  },
  onSale: {
    kind: 'boolean',
    description: 'True: only startups listed for sale. False: only those not for sale.',
  },
  category: { kind: 'choice', values: categories, description: 'Only startups of this primary category.' },
  xHandle: {
    kind: 'handle',
    description:
      "Only startups of the founder with this handle on X. Case does not matter; a leading '@' is ignored.",
  },
  teamSize: {
    kind: 'choice',
    values: teamSizes,
    description: 'Only startups with a team of this size. Excludes those whose team size is unknown.',
  },
  fundingStatus: {
    kind: 'choice',
    values: fundingStatuses,
    description: 'Only startups funded this way. Excludes those whose funding is unknown.',
  },
  minRevenue: { kind: 'number', description: 'Minimum revenue of the last 30 days, in US cents, inclusive.' },
  maxRevenue: { kind: 'number', description: 'Maximum revenue of the last 30 days, in US cents, inclusive.' },
  minMrr: { kind: 'number', description: 'Minimum monthly recurring revenue, in US cents, inclusive.' },
  maxMrr: { kind: 'number', description: 'Maximum monthly recurring revenue, in US cents, inclusive.' },
  minGrowth: {
    kind: 'number',
    description:
      'Minimum 30-day revenue growth, as a fraction (0.1 means 10 %, where growth30d says 10), inclusive. Excludes startups whose growth is unknown.',
  },
  maxGrowth: {
    kind: 'number',
    description:
      'Maximum 30-day revenue growth, as a fraction (0.1 means 10 %, where growth30d says 10), inclusive. Excludes startups whose growth is unknown.',
  },
  minPrice: {
    kind: 'number',
    description: 'Minimum asking price, in US cents, inclusive. Excludes startups without an asking price.',
  },
  maxPrice: {
    kind: 'number',
    description: 'Maximum asking price, in US cents, inclusive. Excludes startups without an asking price.',
  },
} as const satisfies Record<string, ListParameter>;

export type ListParameterName = keyof typeof listParameters;

/** The type of a parameter of any resource. A cursor must be of the resource named; a date is a day. */
export type QueryParameter =
  | ListParameter
  | ({ readonly description: string } & (
      | { readonly kind: 'cursor'; readonly givenBy: string }
      | { readonly kind: 'date' }
    ));

/** The type of a parameter that only GraphQL has. `choices` are some of the values; none match an empty list. */
export type GraphQLParameter = { readonly description: string } & (
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number; readonly default: number }
  | { readonly kind: 'cursor'; readonly givenBy: string }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'instant' }
  | { readonly kind: 'choices'; readonly values: readonly string[] }
  | { readonly kind: 'countries'; readonly values: readonly string[] }
);

/** What lists take beyond the interface, which REST keeps to. */
export const graphqlParameters = {
  first: {
    kind: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    default: MAX_LIMIT,
    description:
      'Maximum number of records, from the start or after a cursor. Not together with page or limit.',
  },
  after: {
    kind: 'cursor',
    givenBy: 'a list with the same filter and sort',
    description:
      'Only records after this cursor, which must be from a list with the same filter and sort; its record may have been removed. Without first, 10 records. Not together with page or limit.',
  },
  categories: {
    kind: 'choices',
    values: categories,
    description: 'Only startups of any of these primary categories; an empty list matches none.',
  },
  countries: {
    kind: 'countries',
    values: countries,
    description:
      'Only startups of any of these countries, ISO 3166-1 alpha-2 codes in capitals such as DE; an empty list matches none.',
  },
  paymentProviders: {
    kind: 'choices',
    values: paymentProviders,
    description: 'Only startups verified through any of these providers; an empty list matches none.',
  },
  targetAudiences: {
    kind: 'choices',
    values: targetAudiences,
    description:
      'Only startups that sell to any of these; an empty list matches none. B2B does not include BOTH.',
  },
  updatedSince: {
    kind: 'instant',
    description: 'Only startups that were created or changed at this time or later, see updatedAt.',
  },
  active: {
    kind: 'boolean',
    description: 'True: only startups that take part in the ranking. False: only those that do not.',
  },
} as const satisfies Record<string, GraphQLParameter>;

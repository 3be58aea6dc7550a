import { countries } from '../countries.ts';
import { boundParameters } from '../filter.ts';
import {
  categories,
  fundingStatuses,
  groupings,
  MAX_COUNT,
  paymentProviders,
  sortValues,
  targetAudiences,
  teamSizes,
} from '../vocabulary.ts';

/** The most records of one read, which costs 1: of a page, of a batch of slugs or ids, of a part of the changes. */
export const RECORDS_PER_READ = 10;

/** The limits of a search. */
export const SEARCH_LIMITS = { characters: 100, words: 8 };

/** The type of a list parameter. `number` is any finite number; `boolean` is true or false. */
export type ListParameter = { readonly description: string } & (
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number; readonly default: number }
  | { readonly kind: 'number' }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'handle' }
  | { readonly kind: 'website' }
  | { readonly kind: 'texts' }
  | { readonly kind: 'slugs'; readonly plural: 'slugs' }
  | { readonly kind: 'instant' }
  | { readonly kind: 'search' }
  | ({ readonly kind: 'choice' } & Choice)
  | ({ readonly kind: 'country' } & Choice)
);

/** What a parameter with certain values allows. */
interface Choice {
  readonly values: readonly string[];
  /** The parameter of GraphQL for several values, which REST separates by commas; undefined where one is allowed. */
  readonly plural?: string;
}

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
    maximum: RECORDS_PER_READ,
    default: RECORDS_PER_READ,
    description: 'Records per page.',
  },
  sort: {
    kind: 'choice',
    values: sortValues,
    description:
      'Order of the records. Records without the sorted value come last; equal ones are in the order of ' +
      'their first import. Default: relevance with a search, best-deal when onSale is true, otherwise ' +
      'revenue-desc.',
  },
  search: {
    kind: 'search',
    description:
      'Only startups that contain words beginning with each of these words, in any order, in their name, ' +
      'slug, handle, website (its host without the last label) or description. Case and accents do not ' +
      'matter, and letters such as ß and ø match ss and o. If no startup contains them, one typing error ' +
      'is corrected in each word of five or more letters without digits. At most ' +
      `${SEARCH_LIMITS.characters} characters and ${SEARCH_LIMITS.words} words, and at least one letter or ` +
      'digit.',
  },
  onSale: {
    kind: 'boolean',
    description: 'True: only startups listed for sale. False: only those not for sale.',
  },
  category: {
    kind: 'choice',
    values: categories,
    plural: 'categories',
    description: 'Only startups of this primary category.',
  },
  xHandle: {
    kind: 'handle',
    description:
      "Only startups of the founder with this handle on X. Case does not matter; a leading '@' is ignored.",
  },
  teamSize: {
    kind: 'choice',
    values: teamSizes,
    plural: 'teamSizes',
    description: 'Only startups with a team of this size. Excludes those whose team size is unknown.',
  },
  fundingStatus: {
    kind: 'choice',
    values: fundingStatuses,
    plural: 'fundingStatuses',
    description: 'Only startups funded this way. Excludes those whose funding is unknown.',
  },
  country: {
    kind: 'country',
    values: countries,
    plural: 'countries',
    description: 'Only startups of this country, an ISO 3166-1 alpha-2 code in capitals such as DE.',
  },
  paymentProvider: {
    kind: 'choice',
    values: paymentProviders,
    plural: 'paymentProviders',
    description: 'Only startups verified through this provider.',
  },
  targetAudience: {
    kind: 'choice',
    values: targetAudiences,
    plural: 'targetAudiences',
    description:
      'Only startups with exactly this audience. Those that sell to both audiences have a value of their own.',
  },
  website: {
    kind: 'website',
    description:
      'Only startups with this website, as a URL or a host such as acme.io. Scheme, www., port, query, ' +
      'fragment, case and a final slash are ignored. With a path, only startups whose website has the same ' +
      'path or one above it.',
  },
  techStack: {
    kind: 'texts',
    description:
      'Only startups built with any of these technologies, such as Next.js; an empty list matches none. ' +
      'Case and accents do not matter. Excludes startups of which none is known.',
  },
  slug: {
    kind: 'slugs',
    plural: 'slugs',
    description: 'Only startups with these slugs.',
  },
  active: {
    kind: 'boolean',
    description: 'True: only startups that take part in the ranking. False: only those that do not.',
  },
  ...boundParameters(),
} as const satisfies Record<string, ListParameter>;

export type ListParameterName = keyof typeof listParameters;

const { page: _page, limit: _limit, sort: _sort, ...filterParameters } = listParameters;

/** The parameters of a list that are filters. */
export { filterParameters };

/** The parameters of the summary of a list. */
export const summaryParameters = {
  ...filterParameters,
  by: {
    kind: 'choice',
    values: groupings,
    description: 'Adds groups: the figures of the startups that have a value of this field in common.',
  },
} as const satisfies Record<string, ListParameter>;

/** The type of a parameter of any resource. A cursor must be of the resource named; a date is a day, a slug any text. */
export type QueryParameter =
  | ListParameter
  | ({ readonly description: string } & (
      | { readonly kind: 'cursor'; readonly givenBy: string }
      | { readonly kind: 'date' }
      | { readonly kind: 'slug' }
    ));

/** The type of a parameter that only GraphQL has. `choices` are some of the values; none match an empty list. */
export type GraphQLParameter = { readonly description: string } & (
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number; readonly default: number }
  | { readonly kind: 'cursor'; readonly givenBy: string }
  | { readonly kind: 'choices'; readonly values: readonly string[] }
  | { readonly kind: 'countries'; readonly values: readonly string[] }
  | { readonly kind: 'slugs' }
);

const anyOf = <Kind extends 'choices' | 'countries'>(
  kind: Kind,
  values: readonly string[],
  which: string,
  note = '',
) => ({ kind, values, description: `Only startups ${which}; an empty list matches none.${note}` });

/** What only GraphQL takes. */
export const graphqlParameters = {
  first: {
    kind: 'integer',
    minimum: 1,
    maximum: RECORDS_PER_READ,
    default: RECORDS_PER_READ,
    description:
      'Maximum number of records, from the start or after a cursor. Cannot be combined with page or limit.',
  },
  after: {
    kind: 'cursor',
    givenBy: 'a list with the same filter and sort',
    description:
      'Only records after this cursor of a list with the same filter and sort, even if its record was removed. Cannot be combined with page or limit.',
  },
  categories: anyOf('choices', categories, 'of any of these primary categories'),
  teamSizes: anyOf('choices', teamSizes, 'with a team of any of these sizes'),
  fundingStatuses: anyOf('choices', fundingStatuses, 'funded in any of these ways'),
  countries: anyOf(
    'countries',
    countries,
    'of any of these countries, ISO 3166-1 alpha-2 codes in capitals such as DE',
  ),
  paymentProviders: anyOf('choices', paymentProviders, 'verified through any of these providers'),
  targetAudiences: anyOf(
    'choices',
    targetAudiences,
    'that sell to any of these',
    ' B2B does not include BOTH.',
  ),
  slugs: {
    kind: 'slugs',
    description: `Only startups with these slugs, at most ${RECORDS_PER_READ}; an empty list matches none.`,
  },
} as const satisfies Record<string, GraphQLParameter>;

import { boundParameters } from '../bounds.ts';
import { countries } from '../countries.ts';
import {
  categories,
  fundingStatuses,
  groupings,
  MAX_COUNT,
  ORDER_RULE,
  paymentProviders,
  sortValues,
  targetAudiences,
  teamSizes,
} from '../vocabulary.ts';

/** The most records of one read, which costs 1: of a page, of a batch of slugs or ids, of a part of the changes. */
export const RECORDS_PER_READ = 10;

/** The limits of a search. */
export const SEARCH_LIMITS = { characters: 100, words: 8 };

/** A parameter: its kind, which says what a value is, and what else limits that. */
export type Parameter = { readonly description: string } & (
  | { readonly kind: 'integer'; readonly minimum: number; readonly maximum: number; readonly default: number }
  // A finite number, true or false, a day, an instant, and texts: of a slug, any.
  | { readonly kind: 'number' | 'boolean' | 'date' | 'instant' | 'handle' | 'website' | 'search' | 'slug' }
  | { readonly kind: 'texts' }
  // Of a declared field: some of its values, or others, which match nothing.
  | { readonly kind: 'ownValues'; readonly choices: readonly string[] }
  // What gives the cursor.
  | { readonly kind: 'cursor'; readonly givenBy: string }
  // `plural` is the parameter of GraphQL for several values, which REST separates by commas; without it, one is allowed.
  // `anyOf` completes its description, which `note` follows: Only startups …
  | {
      readonly kind: 'choice' | 'country';
      readonly values: readonly string[];
      readonly plural?: string;
      readonly anyOf?: string;
      readonly note?: string;
    }
  | { readonly kind: 'slugs'; readonly plural?: string }
  // Of GraphQL alone: some of the values; none match an empty list.
  | { readonly kind: 'choices' | 'countries'; readonly values: readonly string[] }
);

/** A parameter of REST. */
export type QueryParameter = Exclude<Parameter, { kind: 'choices' | 'countries' }>;

/** Those of some kinds. */
type OfKind<Any extends Parameter, Kind> = Any extends { kind: infer Kinds }
  ? Kind extends Kinds
    ? Any
    : never
  : never;
/** What is done with a parameter of each kind. */
export type ByKind<Any extends Parameter, Rest extends unknown[], Result> = {
  readonly [Kind in Any['kind']]: (parameter: OfKind<Any, Kind>, ...rest: Rest) => Result;
};

type ValueOf<Given> = Given extends { kind: 'choice'; values: readonly (infer Value)[] }
  ? Value
  : Given extends { kind: 'choices'; values: readonly (infer Value)[] }
    ? readonly Value[]
    : Given extends { kind: 'countries' | 'ownValues' | 'slugs' | 'texts' }
      ? readonly string[]
      : Given extends { kind: 'integer' | 'number' }
        ? number
        : Given extends { kind: 'boolean' }
          ? boolean
          : Given extends { kind: 'instant' }
            ? Date
            : string;

/** The values of parameters, as the interface has them. */
export type ValuesOf<Parameters, Absent = undefined> = {
  readonly [Name in keyof Parameters]?: ValueOf<Parameters[Name]> | Absent | undefined;
};

/** An integer from 1. */
export const integerParameter = (maximum: number, byDefault: number, description: string) =>
  ({ kind: 'integer', minimum: 1, maximum, default: byDefault, description }) as const;

/** One of some values. */
export const choice = <Value extends string>(values: readonly Value[], description: string) =>
  ({ kind: 'choice', values, description }) as const;

/**
 * The parameters of a list as the interface names them, in its order. `page`, `limit` and `sort` are
 * arguments; the others are the fields of a filter, which combine. REST, GraphQL and OpenAPI derive
 * from this.
 */
export const listParameters = {
  page: integerParameter(MAX_COUNT, 1, 'Number of the page, from 1. A page past the end is empty.'),
  limit: integerParameter(RECORDS_PER_READ, RECORDS_PER_READ, 'Records per page.'),
  sort: choice(
    sortValues,
    `Order of records. ${ORDER_RULE} Default: relevance with a search, best-deal when onSale is true, ` +
      'otherwise revenue-desc.',
  ),
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
    ...choice(categories, 'Only startups of this primary category.'),
    plural: 'categories',
    anyOf: 'of any of these primary categories',
  },
  xHandle: {
    kind: 'handle',
    description:
      "Only startups of the founder with this handle on X. Case does not matter; a leading '@' is ignored.",
  },
  teamSize: {
    ...choice(
      teamSizes,
      'Only startups with a team of this size. Excludes those whose team size is unknown.',
    ),
    plural: 'teamSizes',
    anyOf: 'with a team of any of these sizes',
  },
  fundingStatus: {
    ...choice(fundingStatuses, 'Only startups funded this way. Excludes those whose funding is unknown.'),
    plural: 'fundingStatuses',
    anyOf: 'funded in any of these ways',
  },
  country: {
    kind: 'country',
    values: countries,
    plural: 'countries',
    anyOf: 'of any of these countries, ISO 3166-1 alpha-2 codes in capitals such as DE',
    description: 'Only startups of this country, an ISO 3166-1 alpha-2 code in capitals such as DE.',
  },
  paymentProvider: {
    ...choice(paymentProviders, 'Only startups verified through this provider.'),
    plural: 'paymentProviders',
    anyOf: 'verified through any of these providers',
  },
  targetAudience: {
    ...choice(
      targetAudiences,
      'Only startups with exactly this audience. Those that sell to both audiences have a value of their own.',
    ),
    plural: 'targetAudiences',
    anyOf: 'that sell to any of these',
    note: 'B2B does not include BOTH.',
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
      'Only startups built with any of these technologies, such as Next.js. Case and accents do not matter. ' +
      'Excludes startups of which none is known.',
  },
  slug: { kind: 'slugs', plural: 'slugs', description: 'Only startups with these slugs.' },
  active: {
    kind: 'boolean',
    description: 'True: only startups that take part in the ranking. False: only those that do not.',
  },
  ...boundParameters(),
} as const satisfies Record<string, QueryParameter>;

export type ListParameterName = keyof typeof listParameters;

const { page: _page, limit: _limit, sort: _sort, ...filterParameters } = listParameters;

/** The parameters of a list that are filters. */
export { filterParameters };

/** The parameters of the summary of a list. */
export const summaryParameters = {
  ...filterParameters,
  by: choice(
    groupings,
    'Adds groups: the figures of the startups that have a value of this field in common.',
  ),
} as const satisfies Record<string, QueryParameter>;

export type FilterParameters = typeof filterParameters;
type SeveralParameters = {
  readonly [Name in keyof FilterParameters as FilterParameters[Name] extends {
    anyOf: string;
    plural: infer Plural extends string;
  }
    ? Plural
    : never]: {
    readonly kind: FilterParameters[Name] extends { kind: 'choice' } ? 'choices' : 'countries';
    readonly values: FilterParameters[Name] extends { values: infer Values } ? Values : never;
    readonly description: string;
  };
};

/** The filters by several values of GraphQL. */
const severalParameters = {
  ...(Object.fromEntries(
    Object.values<QueryParameter>(filterParameters).flatMap((parameter) => {
      if (!('anyOf' in parameter)) {
        return [];
      }
      const { kind, values, plural, anyOf, note } = parameter;
      const description = `Only startups ${anyOf}; an empty list matches none.${note ? ` ${note}` : ''}`;
      return [[plural, { kind: kind === 'choice' ? 'choices' : 'countries', values, description }]];
    }),
  ) as SeveralParameters),
  slugs: {
    kind: 'slugs',
    description: `Only startups with these slugs, at most ${RECORDS_PER_READ}; an empty list matches none.`,
  },
} as const satisfies Record<string, Parameter>;

/** What only GraphQL takes. */
export const graphqlParameters = {
  first: integerParameter(
    RECORDS_PER_READ,
    RECORDS_PER_READ,
    'Maximum number of records, from the start or after a cursor. Cannot be combined with page or limit.',
  ),
  after: {
    kind: 'cursor',
    givenBy: 'a list with the same filter and sort',
    description:
      'Only records after this cursor of a list with the same filter and sort, even if its record was removed. Cannot be combined with page or limit.',
  },
  ...severalParameters,
} as const satisfies Record<string, Parameter>;

const { slug: _slug, ...ofBoth } = filterParameters;
/** The filters of GraphQL: REST's slug has several values, which are slugs here. */
export const graphqlFilters = {
  ...ofBoth,
  techStack: {
    ...ofBoth.techStack,
    description: `${ofBoth.techStack.description} An empty list matches none.`,
  },
  ...severalParameters,
};

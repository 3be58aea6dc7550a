import {
  type Category,
  type FundingStatus,
  type PaymentProvider,
  RELEVANCE,
  type StartupSort,
  type TargetAudience,
  type TeamSize,
} from './vocabulary.ts';

/** The units of bounds, each as the middle of a description. */
const units = {
  cents: ', in US cents',
  fraction: ', as a fraction (0.1 means 10 %, where growth30d says 10)',
  percent: ', in percent (24 means 24 %)',
  ratio: '',
  count: '',
  date: '',
} as const;

/**
 * The ranges of a filter: the names of the bounds, the column that they bound, its unit, the value in a sentence, and
 * which startups have none, as the end of a sentence. GraphQL, REST, OpenAPI, the explorer and the catalogue derive from
 * this.
 */
const ranges = [
  {
    name: 'revenue',
    min: 'minRevenue',
    max: 'maxRevenue',
    column: 'revenueLast30Days',
    unit: 'cents',
    value: 'revenue of the last 30 days',
  },
  {
    name: 'mrr',
    min: 'minMrr',
    max: 'maxMrr',
    column: 'revenueMrr',
    unit: 'cents',
    value: 'monthly recurring revenue',
  },
  {
    name: 'growth',
    min: 'minGrowth',
    max: 'maxGrowth',
    column: 'growth30d',
    unit: 'fraction',
    value: '30-day revenue growth',
    excluded: 'whose growth is unknown',
  },
  {
    name: 'price',
    min: 'minPrice',
    max: 'maxPrice',
    column: 'askingPrice',
    unit: 'cents',
    value: 'asking price',
    excluded: 'without an asking price',
  },
  {
    name: 'multiple',
    min: 'minMultiple',
    max: 'maxMultiple',
    column: 'multiple',
    unit: 'ratio',
    value: 'multiple: the asking price in years of revenue',
    excluded: 'without an asking price or revenue',
  },
  {
    name: 'customers',
    min: 'minCustomers',
    max: 'maxCustomers',
    column: 'customers',
    unit: 'count',
    value: 'number of customers',
  },
  {
    name: 'total',
    min: 'minTotal',
    max: 'maxTotal',
    column: 'revenueTotal',
    unit: 'cents',
    value: 'total revenue',
  },
  {
    name: 'visitors',
    min: 'minVisitors',
    max: 'maxVisitors',
    column: 'visitorsLast30Days',
    unit: 'count',
    value: 'number of website visitors in the last 30 days',
    excluded: 'whose visitors are unknown',
  },
  {
    name: 'margin',
    min: 'minMargin',
    max: 'maxMargin',
    column: 'profitMarginLast30Days',
    unit: 'percent',
    value: 'profit margin over the last 30 days',
    excluded: 'whose margin is unknown',
  },
  {
    name: 'founded',
    min: 'foundedAfter',
    max: 'foundedBefore',
    column: 'foundedDate',
    unit: 'date',
    value: 'founded',
    excluded: 'whose founding date is unknown',
  },
  { name: 'updated', min: 'updatedSince', column: 'updatedAt', unit: 'date', value: 'created or changed' },
] as const;
type Range = (typeof ranges)[number];
export type RangeName = Range['name'];

type BoundNames<R> = R extends { min: infer Min extends string }
  ? Min | (R extends { max: infer Max extends string } ? Max : never)
  : never;
type DateBoundName = BoundNames<Extract<Range, { unit: 'date' }>>;
type NumberBoundName = Exclude<BoundNames<Range>, DateBoundName>;

/** A range of a filter, see {@link bounds}. */
export interface Bound {
  readonly name: RangeName;
  readonly min: NumberBoundName | DateBoundName;
  readonly max?: NumberBoundName | DateBoundName;
  readonly column: Range['column'];
  readonly unit: keyof typeof units;
  readonly value: string;
  readonly excluded?: string;
}
export const bounds: readonly Bound[] = ranges;

/** The parameters of lists that the bounds are, in their order. */
export function describeBounds(): Record<NumberBoundName, { kind: 'number'; description: string }> &
  Record<DateBoundName, { kind: 'instant'; description: string }> {
  const described = bounds.flatMap(({ min, max, unit, value, excluded }) => {
    const note = `inclusive.${excluded === undefined ? '' : ` Excludes startups ${excluded}.`}`;
    const kind = unit === 'date' ? 'instant' : 'number';
    const describe = (side: 'Minimum' | 'Maximum', when: string): string =>
      unit === 'date'
        ? `Only startups ${value} at this time or ${when}, ${note}`
        : `${side} ${value}${units[unit]}, ${note}`;
    return [
      [min, { kind, description: describe('Minimum', 'later') }],
      ...(max === undefined ? [] : [[max, { kind, description: describe('Maximum', 'earlier') }]]),
    ];
  });
  return Object.fromEntries(described) as ReturnType<typeof describeBounds>;
}

/**
 * Which startups to list. All given conditions must hold; undefined means no condition. Bounds are
 * inclusive, in the units of {@link bounds}; a record whose value is unknown passes none.
 */
export interface StartupFilter
  extends Readonly<Partial<Record<NumberBoundName, number | undefined>>>,
    Readonly<Partial<Record<DateBoundName, Date | undefined>>> {
  /** Words to search, folded and separated by spaces. */
  readonly search?: string | undefined;
  readonly onSale?: boolean | undefined;
  readonly category?: Category | undefined;
  /** Case does not matter, a leading @ is tolerated. */
  readonly xHandle?: string | undefined;
  readonly teamSize?: TeamSize | undefined;
  readonly fundingStatus?: FundingStatus | undefined;
  /** An ISO 3166-1 alpha-2 code. */
  readonly country?: string | undefined;
  readonly paymentProvider?: PaymentProvider | undefined;
  readonly targetAudience?: TargetAudience | undefined;
  /** Any of these; an empty list matches none. The same applies to the other lists. */
  readonly categories?: readonly Category[] | undefined;
  readonly teamSizes?: readonly TeamSize[] | undefined;
  readonly fundingStatuses?: readonly FundingStatus[] | undefined;
  readonly countries?: readonly string[] | undefined;
  readonly paymentProviders?: readonly PaymentProvider[] | undefined;
  readonly targetAudiences?: readonly TargetAudience[] | undefined;
  readonly active?: boolean | undefined;
}

/** A handle in the form in which it is compared: without a leading @, in lower case (handles are ASCII). */
export function normalizeHandle(handle: string): string {
  return handle.replace(/^@/, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The default order of a list. */
export function defaultSort(filter: StartupFilter): StartupSort {
  return filter.search !== undefined ? RELEVANCE : filter.onSale === true ? 'best-deal' : 'revenue-desc';
}

/** A cache key: two filters have the same one exactly when they are equivalent. */
export function filterKey(filter: StartupFilter): string {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]: [string, unknown]) => {
      if (Array.isArray(value)) {
        return [name, [...new Set(value)].sort()];
      }
      return [name, name === 'xHandle' ? normalizeHandle(value as string) : value];
    })
    .sort(([a], [b]) => ((a as string) < (b as string) ? -1 : 1));
  return JSON.stringify(parts);
}

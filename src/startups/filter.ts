import type {
  Category,
  FundingStatus,
  PaymentProvider,
  StartupSort,
  TargetAudience,
  TeamSize,
} from './vocabulary.ts';

/**
 * The ranges of a filter: the two bounds' names, the field they bound, and what that field's value is
 * divided by before it is compared. Growth is stored as a percentage and bounded as a fraction.
 */
export const bounds = [
  { name: 'revenue', min: 'minRevenue', max: 'maxRevenue', column: 'revenueLast30Days', divisor: 1 },
  { name: 'mrr', min: 'minMrr', max: 'maxMrr', column: 'revenueMrr', divisor: 1 },
  { name: 'growth', min: 'minGrowth', max: 'maxGrowth', column: 'growth30d', divisor: 100 },
  { name: 'price', min: 'minPrice', max: 'maxPrice', column: 'askingPrice', divisor: 1 },
] as const;
type BoundName = (typeof bounds)[number]['min' | 'max'];

/**
 * Which startups to list. All given conditions must hold; undefined means no condition. Bounds are
 * inclusive, in US cents or (growth) as a fraction; a record whose value is unknown passes none.
 */
export interface StartupFilter extends Readonly<Partial<Record<BoundName, number | undefined>>> {
  readonly onSale?: boolean | undefined;
  readonly category?: Category | undefined;
  /** Case does not matter, a leading @ is tolerated. */
  readonly xHandle?: string | undefined;
  readonly teamSize?: TeamSize | undefined;
  readonly fundingStatus?: FundingStatus | undefined;
  /** Any of these; an empty list matches none. The same applies to the other lists. */
  readonly categories?: readonly Category[] | undefined;
  /** ISO 3166-1 alpha-2 codes. */
  readonly countries?: readonly string[] | undefined;
  readonly paymentProviders?: readonly PaymentProvider[] | undefined;
  readonly targetAudiences?: readonly TargetAudience[] | undefined;
  /** Inclusive. */
  readonly updatedSince?: Date | undefined;
  readonly active?: boolean | undefined;
}

/** A handle in the form in which it is compared: without a leading @, in lower case (handles are ASCII). */
export function normalizeHandle(handle: string): string {
  return handle.replace(/^@/, '').replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** The default order of a list. */
export function defaultSort(filter: StartupFilter): StartupSort {
  return filter.onSale === true ? 'best-deal' : 'revenue-desc';
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

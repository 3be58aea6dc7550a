import type { Steps } from '../../event-loop/time-slices.ts';
import type { CatalogueData } from '../edition-data.ts';
import { ascendingOrder, type OrderName } from '../order/orders.ts';
import { type CodeArray, type CodeColumn, codeLimits, values } from '../store/codes.ts';
import type { NumberColumn } from '../store/columns.ts';
import { STEP } from './scan.ts';

/** How many startups have a value; null counts those without a value. */
export interface FacetCount<T> {
  readonly value: T;
  readonly count: number;
}

const FACET_COLUMNS = [
  'category',
  'paymentProvider',
  'country',
  'targetAudience',
  'teamSize',
  'fundingStatus',
] as const satisfies readonly CodeColumn[];
type FacetColumn = (typeof FACET_COLUMNS)[number];

/** The names of all facets. */
export const FACETS = [...FACET_COLUMNS, 'onSale'] as const;

/** Counts by value, without zeros: most frequent first, then in the order of the vocabulary, null last. */
export type Facets = { readonly [column in FacetColumn]: readonly FacetCount<string | null>[] } & {
  readonly onSale: readonly FacetCount<boolean>[];
};

/**
 * Statistics of one column over the startups that have a value. Median and p90 are existing values
 * (nearest rank: the smallest that at least half, or 90 %, do not exceed).
 */
export interface Figures {
  /** How many have a value. */
  readonly count: number;
  /** Rounded beyond 2^53. */
  readonly sum: number;
  /** This and the others: null if no startup has a value. */
  readonly min: number | null;
  readonly median: number | null;
  readonly p90: number | null;
  readonly max: number | null;
}

/** The columns of statistics, and the names of their figures. */
export const STATS = ['revenue', 'mrr', 'price', 'multiple', 'growth'] as const;
export const FIGURES = ['count', 'sum', 'min', 'median', 'p90', 'max'] as const satisfies (keyof Figures)[];

/** Statistics by name: cents, except multiple (a ratio) and growth (a percentage). */
export type Stats = Readonly<Record<(typeof STATS)[number], Figures>>;

/** Counts of the startups at these positions, by value. */
export function* facetsOf({ columns }: CatalogueData, positions: Uint32Array): Steps<Facets> {
  const texts = (column: FacetColumn): FacetCount<string | null>[] =>
    countCodes(columns[column], positions, codeLimits[column])
      .map(({ value: code, count }) => ({ value: values[column][code] ?? null, count }))
      .sort((a, b) => (a.value === null ? 1 : b.value === null ? -1 : 0));
  const counts: { [column in FacetColumn]?: readonly FacetCount<string | null>[] } = {};
  for (const column of FACET_COLUMNS) {
    counts[column] = texts(column);
    yield;
  }
  const onSale = countCodes(columns.onSale, positions, codeLimits.onSale).map(({ value, count }) => ({
    value: value === 1,
    count,
  }));
  return { ...(counts as Omit<Facets, 'onSale'>), onSale };
}

function countCodes(column: CodeArray, positions: Uint32Array, limit: number): FacetCount<number>[] {
  const counts = new Uint32Array(limit);
  for (let at = 0; at < positions.length; at += 1) {
    const code = column[positions[at] as number] as number;
    counts[code] = (counts[code] as number) + 1;
  }
  return Array.from(counts, (count, value) => ({ value, count }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count);
}

/**
 * Statistics of some startups.
 *
 * @param positions their positions, ascending.
 * @param sorted the same positions in an order.
 */
export function* statsOf(
  { columns }: CatalogueData,
  positions: Uint32Array,
  sorted: (order: OrderName) => Steps<Uint32Array>,
): Steps<Stats> {
  function* figures(column: NumberColumn): Steps<Figures> {
    const inOrder = yield* sorted(ascendingOrder(column));
    yield;
    return yield* figuresOf(columns[column], positions, inOrder);
  }
  return {
    revenue: yield* figures('revenueLast30Days'),
    mrr: yield* figures('revenueMrr'),
    price: yield* figures('askingPrice'),
    multiple: yield* figures('multiple'),
    growth: yield* figures('growth30d'),
  };
}

function* figuresOf(column: Float64Array, positions: Uint32Array, sorted: Uint32Array): Steps<Figures> {
  let sum = 0;
  let count = 0;
  for (let start = 0; start < positions.length; start += STEP) {
    const end = Math.min(start + STEP, positions.length);
    for (let at = start; at < end; at += 1) {
      const value = column[positions[at] as number] as number;
      if (!Number.isNaN(value)) {
        sum += value;
        count += 1;
      }
    }
    yield;
  }
  // The positions without a value are last.
  const value = (rank: number): number | null =>
    count === 0 ? null : (column[sorted[rank - 1] as number] as number);
  return {
    count,
    sum,
    min: value(1),
    median: value(Math.ceil(0.5 * count)),
    p90: value(Math.ceil(0.9 * count)),
    max: value(count),
  };
}

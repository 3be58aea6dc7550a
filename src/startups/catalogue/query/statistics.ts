import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { CatalogueData } from '../edition-data.ts';
import { ascendingOrder, type OrderName } from '../order/orders.ts';
import type { NumberColumn } from '../store/columns.ts';
import { countRanges, type RangeCount } from './ranges.ts';
import { STEP } from './scan.ts';
import { Sums } from './sums.ts';

/**
 * Statistics of one column over the startups that have a value. Median and p90 are existing values
 * (nearest rank: the smallest that at least half, or 90%, do not exceed).
 */
export interface Figures {
  /** How many have a value. */
  readonly count: number;
  /** Exact up to 2^53, and rounded to the nearest number beyond. */
  readonly sum: number;
  /** This and the others: null if no startup has a value. */
  readonly min: number | null;
  readonly median: number | null;
  readonly p90: number | null;
  readonly max: number | null;
}

/** The columns of statistics, and the names of their figures. */
export const STATS = ['revenue', 'mrr', 'price', 'multiple', 'growth'] as const;
export const STAT_FIGURES = [
  'count',
  'sum',
  'min',
  'median',
  'p90',
  'max',
] as const satisfies (keyof Figures)[];

/** Statistics by name: cents, except multiple (a ratio) and growth (a percentage). */
export type StatName = (typeof STATS)[number];
export type Stats = Readonly<Record<StatName, ListFigures>>;

/** The figures of a whole list, with what its histograms show. */
interface ListFigures extends Figures {
  readonly ranges: readonly RangeCount[];
}

/** The power of ten that bounds the ranges next to 0: 100 dollars in cents, 0.1 years of revenue, and 1 percent. */
const rangePowers: Readonly<Record<StatName, number>> = {
  revenue: 4,
  mrr: 4,
  price: 4,
  multiple: -1,
  growth: 0,
};

/** The column of each statistic. */
export const statColumns = {
  revenue: 'revenueLast30Days',
  mrr: 'revenueMrr',
  price: 'askingPrice',
  multiple: 'multiple',
  growth: 'growth30d',
} as const satisfies Record<StatName, NumberColumn>;

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
  const stats: Partial<Record<StatName, ListFigures>> = {};
  for (const name of STATS) {
    const column = statColumns[name];
    const inOrder = yield* sorted(ascendingOrder(column));
    yield;
    const figures = yield* figuresOf(columns[column], positions, inOrder);
    const valueAt = (index: number): number => columns[column][inOrder[index] as number] as number;
    stats[name] = { ...figures, ranges: countRanges(rangePowers[name], figures.count, valueAt) };
  }
  return stats as Stats;
}

function* figuresOf(column: Float64Array, positions: Uint32Array, sorted: Uint32Array): Steps<Figures> {
  const sums = new Sums(1);
  let count = 0;
  for (let start = 0; start < positions.length; start += STEP) {
    const end = Math.min(start + STEP, positions.length);
    for (let at = start; at < end; at += 1) {
      const value = column[positions[at] as number] as number;
      if (!Number.isNaN(value)) {
        sums.add(0, value);
        count += 1;
      }
    }
    yield;
  }
  // The positions without a value are last.
  return figuresFrom(sums.of(0), count, (index) => column[sorted[index] as number] as number);
}

/** @param valueAt the values in ascending order. */
export function figuresFrom(sum: number, count: number, valueAt: (index: number) => number): Figures {
  /** The smallest value that this part of the values does not exceed. */
  const covering = (part: number): number | null =>
    count === 0 ? null : valueAt(Math.max(0, Math.ceil(part * count) - 1));
  return {
    count,
    sum,
    min: covering(0),
    median: covering(0.5),
    p90: covering(0.9),
    max: covering(1),
  };
}

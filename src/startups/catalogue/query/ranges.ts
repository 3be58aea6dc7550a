import { firstReached } from '../order/orders.ts';

/** How many startups have a value in a range. */
export interface RangeCount {
  /** The least value that belongs to the range; null: it has no lower end. */
  readonly from: number | null;
  /** The least value above the range; null: it has no upper end. */
  readonly to: number | null;
  readonly count: number;
}

/** The steps of round numbers: 1, 2, 5, 10, 20, 50, … */
const STEPS = [1, 2, 5];
/** Over how many powers of ten they go: up to the greatest amount. Values beyond are in one range. */
const POWERS = 12;

/**
 * Counts values between round numbers: 0, and from a power of ten on 1, 2 and 5 times each power, above and below 0.
 * Ranges follow each other without gaps, from that of the least value to that of the greatest, empty ones between included.
 *
 * @param power the power of ten that bounds the ranges next to 0.
 * @param count how many values there are.
 * @param valueAt the values in ascending order. Few of them are read: each bound is searched by halving.
 */
export function countRanges(
  power: number,
  count: number,
  valueAt: (index: number) => number,
): readonly RangeCount[] {
  if (count === 0) {
    return [];
  }
  const bounds = boundsAround(power, valueAt(0), valueAt(count - 1));
  const starts = bounds.map((bound) => firstReached(0, count, (index) => valueAt(index) >= bound));
  const finite = (bound: number): number | null => (Number.isFinite(bound) ? bound : null);
  return bounds.slice(0, -1).map((from, index) => ({
    from: finite(from),
    to: finite(bounds[index + 1] as number),
    count: (starts[index + 1] as number) - (starts[index] as number),
  }));
}

/** The round numbers from the last one that is at most `least` to the first one above `most`. */
function boundsAround(power: number, least: number, most: number): number[] {
  const above = Array.from({ length: POWERS * STEPS.length + 1 }, (_, index) => roundNumber(power, index));
  const below = above.map((bound) => -bound).reverse();
  const all = [Number.NEGATIVE_INFINITY, ...below, 0, ...above, Number.POSITIVE_INFINITY];
  const first = all.findLastIndex((bound) => bound <= least);
  return all.slice(first, all.findIndex((bound) => bound > most) + 1);
}

/** Read as text, so that it is the number that people write: 3 * 0.1 is not 0.3. */
function roundNumber(power: number, index: number): number {
  return Number(`${STEPS[index % STEPS.length]}e${power + Math.floor(index / STEPS.length)}`);
}

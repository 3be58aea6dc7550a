import { copyOf, isSame, sharedArray } from '../store/memory.ts';
import { orders, placeIn } from './orders.ts';
import type { ArrangedData } from './sorted-orders.ts';

/** If more than one row in this many changed, ranking all again costs less than finding the places of these. */
const CHANGED_PART = 50;

/**
 * Ranks by total among active startups: 1 for the highest; ties share a rank and the next ones are skipped.
 * 0 for others.
 *
 * @param capacity the number of startups to allocate memory for.
 */
export function rankAll(data: ArrangedData, capacity: number): Int32Array {
  const ranks = sharedArray(Int32Array, capacity).subarray(0, data.columns.id.length);
  rankFrom(0, data, ranks, Number.POSITIVE_INFINITY);
  return ranks;
}

/**
 * Updates the ranks; returns the earlier ones themselves if no value that they depend on changed.
 *
 * @param changed the positions that changed or are new, ascending.
 */
export function rankAgain(
  data: ArrangedData,
  earlier: ArrangedData & { readonly ranks: Int32Array },
  changed: Uint32Array,
  capacity: number,
): Int32Array {
  if (
    isSame(earlier.columns.active, data.columns.active) &&
    isSame(earlier.columns.revenueTotal, data.columns.revenueTotal)
  ) {
    return earlier.ranks;
  }
  if (changed.length * CHANGED_PART > data.columns.id.length) {
    return rankAll(data, capacity);
  }
  const copy = copyOf(earlier.ranks, capacity).subarray(0, data.columns.id.length);
  let first = Number.POSITIVE_INFINITY;
  let last = 0;
  for (const position of changed) {
    const places = [placeByTotal(data, position)];
    if (position < earlier.columns.id.length) {
      places.push(placeByTotal(earlier, position));
    }
    first = Math.min(first, ...places);
    last = Math.max(last, ...places);
  }
  // Among the startups that did not change, a place moves by at most the number of changed ones.
  rankFrom(first, data, copy, last + changed.length);
  return copy;
}

/** Where a position is among all, by total. */
function placeByTotal(data: ArrangedData, position: number): number {
  return placeIn(data, orders['total-desc'], data.orders['total-desc'], position);
}

/** Ranks the startups from one place at least to another, and from there until ranks no longer change. */
function rankFrom(first: number, data: ArrangedData, ranks: Int32Array, last: number): void {
  const { revenueTotal: total, active } = data.columns;
  const list = data.orders['total-desc'];
  // All startups with equal totals share a rank: start at the first of them.
  let start = Math.min(first, list.length);
  while (start > 0 && total[list[start] as number] === total[list[start - 1] as number]) {
    start -= 1;
  }
  let { counted, current, above } = standingAt(start, list, total, active, ranks);
  /** The place of the first startup, active or not, with the current total. */
  let begins = start;
  for (let place = start; place < list.length; place += 1) {
    const position = list[place] as number;
    if (total[position] !== total[list[begins] as number]) {
      begins = place;
    }
    if (active[position] !== 1) {
      ranks[position] = 0;
      continue;
    }
    counted += 1;
    if (total[position] !== above) {
      current = counted;
      above = total[position] as number;
      if (begins > last && ranks[position] === current) {
        return;
      }
    }
    ranks[position] = current;
  }
}

/** How many active startups precede a place where another total begins; these have been ranked. */
function standingAt(
  start: number,
  list: Uint32Array,
  total: Float64Array,
  active: Uint8Array,
  ranks: Int32Array,
): { counted: number; current: number; above: number } {
  let tied = 0;
  let above = Number.NaN;
  let current = 0;
  for (let place = start - 1; place >= 0; place -= 1) {
    const position = list[place] as number;
    if (tied > 0 && total[position] !== above) {
      break;
    }
    if (active[position] === 1) {
      tied += 1;
      above = total[position] as number;
      current = ranks[position] as number;
    }
  }
  return { counted: tied === 0 ? 0 : current - 1 + tied, current, above };
}

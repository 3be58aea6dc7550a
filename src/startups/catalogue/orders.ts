import type { Place } from '../cursor.ts';
import type { StartupSort } from '../vocabulary.ts';
import type { Columns, NumberColumn } from './columns.ts';
import { type SortScratch, sortPositions } from './radix.ts';

/** The column and the direction of an order. Records without the value follow, in the order of their ids. */
export interface Order {
  readonly column: NumberColumn;
  readonly descending: boolean;
  /** The column, descending, by which records without the value are sorted, if not by id alone. */
  readonly rest?: NumberColumn;
}

/** The orders of the interface, and two that serve only bounds and statistics: of MRR, and of changes. */
export const orders = {
  'revenue-desc': { column: 'revenueLast30Days', descending: true },
  'revenue-asc': { column: 'revenueLast30Days', descending: false },
  'price-desc': { column: 'askingPrice', descending: true },
  'price-asc': { column: 'askingPrice', descending: false },
  'multiple-asc': { column: 'multiple', descending: false },
  'multiple-desc': { column: 'multiple', descending: true },
  'growth-desc': { column: 'growth30d', descending: true },
  'growth-asc': { column: 'growth30d', descending: false },
  'listed-desc': { column: 'firstListedForSaleAt', descending: true },
  'listed-asc': { column: 'firstListedForSaleAt', descending: false },
  'best-deal': { column: 'payback', descending: false, rest: 'revenueLast30Days' },
  'mrr-asc': { column: 'revenueMrr', descending: false },
  'updated-asc': { column: 'updatedAt', descending: false },
} as const satisfies Record<StartupSort | 'mrr-asc' | 'updated-asc', Order>;
export type OrderName = keyof typeof orders;

/** Columns that have an ascending order, and its name. */
export const ascending = {
  revenueLast30Days: 'revenue-asc',
  revenueMrr: 'mrr-asc',
  growth30d: 'growth-asc',
  askingPrice: 'price-asc',
  multiple: 'multiple-asc',
  updatedAt: 'updated-asc',
} as const satisfies Partial<Record<NumberColumn, OrderName>>;

/** The data from which orders are built. */
export type SortedColumns = Pick<Columns, 'id' | NumberColumn>;

/** The place of the record at a position. */
export function placeAt(columns: SortedColumns, { column, rest }: Order, position: number): Place {
  const id = columns.id[position] as number;
  const value = columns[column][position] as number;
  if (!Number.isNaN(value)) {
    return { known: true, value, id };
  }
  return { known: false, value: rest === undefined ? 0 : (columns[rest][position] as number), id };
}

/** Negative where `a` comes before `b`. */
function comparePlaces({ descending }: Order, a: Place, b: Place): number {
  if (a.known !== b.known) {
    return a.known ? -1 : 1;
  }
  // Records without the value are sorted by another column, highest first, or all hold 0.
  const difference = !a.known || descending ? b.value - a.value : a.value - b.value;
  return difference === 0 ? a.id - b.id : difference;
}

/** The positions of this many startups, ascending. */
export function allPositions(size: number): Uint32Array {
  return new Uint32Array(size).map((_, position) => position);
}

/**
 * Sorts positions into an order.
 *
 * @param positions ascending; they are not modified.
 * @param arranged the target array, of the same length.
 */
export function arrange(
  columns: SortedColumns,
  { column, descending, rest }: Order,
  positions: Uint32Array,
  arranged: Uint32Array,
  scratch?: SortScratch,
): void {
  const known = knownFirst(positions, columns[column], arranged);
  sortPositions(arranged.subarray(0, known), columns[column], descending, scratch);
  if (rest !== undefined) {
    sortPositions(arranged.subarray(known), columns[rest], true, scratch);
  }
}

/**
 * Updates an arranged list after changes.
 *
 * @param places the indexes of the changed positions in the list, ascending.
 * @param inserted the changed or new positions that belong to the list, ascending.
 * @param target the array for the new list, at least as long as the old list and the inserted positions together.
 * @returns how many positions the new list has.
 */
export function rearrange(
  columns: SortedColumns,
  order: Order,
  list: Uint32Array,
  places: Uint32Array,
  inserted: Uint32Array,
  target: Uint32Array,
): number {
  let kept = 0;
  let from = 0;
  for (let at = 0; at <= places.length; at += 1) {
    const place = places[at] ?? list.length;
    target.set(list.subarray(from, place), kept);
    kept += place - from;
    from = place + 1;
  }
  const arranged = new Uint32Array(inserted.length);
  arrange(columns, order, inserted, arranged);
  // From the last to the first: each part of the list moves once.
  let end = kept;
  for (let at = arranged.length - 1; at >= 0; at -= 1) {
    const position = arranged[at] as number;
    const place = placeAt(columns, order, position);
    const before = countUpTo(columns, order, target.subarray(0, end), place);
    target.copyWithin(before + at + 1, before, end);
    target[before + at] = position;
    end = before;
  }
  return kept + arranged.length;
}

/** Copies positions, those with a value before those without; returns how many have a value. */
function knownFirst(positions: Uint32Array, column: Float64Array, target: Uint32Array): number {
  let known = 0;
  for (let at = 0; at < positions.length; at += 1) {
    known += Number.isNaN(column[positions[at] as number]) ? 0 : 1;
  }
  let [next, nextUnknown] = [0, known];
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at] as number;
    if (Number.isNaN(column[position])) {
      target[nextUnknown] = position;
      nextUnknown += 1;
    } else {
      target[next] = position;
      next += 1;
    }
  }
  return known;
}

/**
 * The indexes of the given positions that a list contains, ascending.
 *
 * @param marks scratch memory: one element for each position, with any content.
 */
export function placesOf(list: Uint32Array, positions: Uint32Array, marks: Uint8Array): Uint32Array {
  marks.fill(0);
  for (const position of positions) {
    marks[position] = 1;
  }
  // One extra element, so that the write after the last one has no effect.
  const places = new Uint32Array(positions.length + 1);
  let found = 0;
  for (let place = 0; place < list.length; place += 1) {
    // Written without a branch, which would be mispredicted.
    places[found] = place;
    found += marks[list[place] as number] as number;
  }
  return places.subarray(0, found);
}

/** The index of a position in an arranged list that contains it. */
export function placeIn(columns: SortedColumns, order: Order, list: Uint32Array, position: number): number {
  return countUpTo(columns, order, list, placeAt(columns, order, position)) - 1;
}

/** How many positions of an arranged list are at or before a place. */
export function countUpTo(columns: SortedColumns, order: Order, list: Uint32Array, place: Place): number {
  return countBefore(list, (position) => comparePlaces(order, placeAt(columns, order, position), place) > 0);
}

/** How many leading positions of an arranged list precede the first for which `reached` returns true. */
export function countBefore(list: Uint32Array, reached: (position: number) => boolean): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (reached(list[middle] as number)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

import type { Place } from '../cursor.ts';
import type { StartupSort } from '../vocabulary.ts';
import type { Columns, NumberColumn } from './columns.ts';
import { type SortScratch, sortPositions } from './radix.ts';

/** What an order sorts by, and which way. Records without the value follow, in the order of their ids. */
export interface Order {
  readonly column: NumberColumn;
  readonly descending: boolean;
  /** How records without the value are sorted, where it is not by id alone: this column, descending. */
  readonly rest?: NumberColumn;
}

/** The orders of the interface, and two that only serve bounds and statistics: of MRR, and of changes. */
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

/** Columns by which an ascending order exists, and its name. */
export const ascending = {
  revenueLast30Days: 'revenue-asc',
  revenueMrr: 'mrr-asc',
  growth30d: 'growth-asc',
  askingPrice: 'price-asc',
  multiple: 'multiple-asc',
  updatedAt: 'updated-asc',
} as const satisfies Partial<Record<NumberColumn, OrderName>>;

/** What orders are made of. */
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
  // Those without the value are sorted by another one, highest first, or all hold 0.
  const difference = !a.known || descending ? b.value - a.value : a.value - b.value;
  return difference === 0 ? a.id - b.id : difference;
}

/** The positions of so many startups, ascending. */
export function allPositions(size: number): Uint32Array {
  return new Uint32Array(size).map((_, position) => position);
}

/**
 * Puts positions as an order arranges them.
 *
 * @param positions ascending; they stay as they are.
 * @param arranged where to put them; as long.
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
 * Brings an arranged list up to date with what changed.
 *
 * @param places where in the list those are that changed, ascending.
 * @param inserted those that changed or are new and belong to the list, ascending.
 * @param target where to put the new list; with room for those of the old one and the inserted.
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

/** Copies positions, those with a value before those without; returns how many have one. */
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
 * Where some positions are in a list, ascending; whichever it has.
 *
 * @param marks one for each position, which may hold anything.
 */
export function placesOf(list: Uint32Array, positions: Uint32Array, marks: Uint8Array): Uint32Array {
  marks.fill(0);
  for (const position of positions) {
    marks[position] = 1;
  }
  // One more, which is written to without effect past the last.
  const places = new Uint32Array(positions.length + 1);
  let found = 0;
  for (let place = 0; place < list.length; place += 1) {
    // Written without a branch, which would be mispredicted.
    places[found] = place;
    found += marks[list[place] as number] as number;
  }
  return places.subarray(0, found);
}

/** Where a position is in an arranged list that has it. */
export function placeIn(columns: SortedColumns, order: Order, list: Uint32Array, position: number): number {
  return countUpTo(columns, order, list, placeAt(columns, order, position)) - 1;
}

/** How many of an arranged list come no later than a place. */
export function countUpTo(columns: SortedColumns, order: Order, list: Uint32Array, place: Place): number {
  return countBefore(list, (position) => comparePlaces(order, placeAt(columns, order, position), place) > 0);
}

/** How many leading positions of an arranged list come before the one for which `reached` turns true. */
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

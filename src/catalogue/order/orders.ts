import type { Place } from '../../startups/requests/cursor.ts';
import { type RELEVANCE, type StartupSort, sorts } from '../../startups/vocabulary.ts';
import type { Columns, NumberColumn } from '../store/columns.ts';
import type { PackedTexts } from '../store/texts.ts';
import { type SortScratch, sortPositions, sortRuns } from './radix-sort.ts';

/** The column and the direction of an order. Records without the value follow, in the order of their ids. */
export interface Order {
  readonly column: NumberColumn;
  readonly descending: boolean;
  /** The column, descending, by which records without the value are sorted, if not by id alone. */
  readonly otherwise?: NumberColumn;
  /** Whether records with equal values are sorted by their names: the column has only the beginning. */
  readonly byName?: true;
}

export type OrderName =
  | Exclude<StartupSort, typeof RELEVANCE>
  | 'margin-asc'
  | 'slug-asc'
  | 'handle-asc'
  | 'website-asc'
  | 'revision-asc';

/** The orders of the interface, one that serves only bounds, those that slugs, handles and websites are looked up in, and that of changes. */
export const orders = {
  ...Object.fromEntries(
    Object.entries(sorts).map(([name, { column }]): [string, Order] => [
      name,
      {
        column,
        descending: name.endsWith('-desc'),
        ...(name === 'best-deal' && { otherwise: 'revenueLast30Days' }),
        ...(column === 'name' && { byName: true }),
      },
    ]),
  ),
  'margin-asc': { column: 'profitMarginLast30Days', descending: false },
  'slug-asc': { column: 'slugHash', descending: false },
  'handle-asc': { column: 'handleHash', descending: false },
  'website-asc': { column: 'websiteKey', descending: false },
  'revision-asc': { column: 'revision', descending: false },
} as Readonly<Record<OrderName, Order>>;

const ascending: ReadonlyMap<NumberColumn, OrderName> = new Map(
  Object.entries(orders).flatMap(([name, { column, descending }]) =>
    descending ? [] : [[column, name as OrderName]],
  ),
);

/** The order that a column is sorted by in ascending order. */
export function ascendingOrder(column: NumberColumn): OrderName {
  const name = ascending.get(column);
  if (name === undefined) {
    throw new Error(`There is no order by ${column}`);
  }
  return name;
}

/** The data from which orders are built. */
export interface SortedData {
  readonly columns: Pick<Columns, 'id' | 'texts' | NumberColumn>;
  readonly texts: PackedTexts;
}

/** The place of the record at a position. */
export function placeAt(data: SortedData, order: Order, position: number): Place {
  const place = valueAt(data, order, position);
  return order.byName ? { ...place, name: nameAt(data, position) } : place;
}

/** The same without its name. */
function valueAt({ columns }: SortedData, { column, otherwise }: Order, position: number): Place {
  const id = columns.id[position] as number;
  const value = columns[column][position] as number;
  if (!Number.isNaN(value)) {
    return { known: true, value, id };
  }
  return { known: false, value: otherwise === undefined ? 0 : (columns[otherwise][position] as number), id };
}

function nameAt({ columns, texts }: SortedData, position: number): string {
  return texts.foldedName(columns.texts[position] as number);
}

/** Negative where the record at a position comes before a place. */
function compareToPlace(data: SortedData, order: Order, position: number, place: Place): number {
  const { known, value, id } = valueAt(data, order, position);
  if (known !== place.known) {
    return known ? -1 : 1;
  }
  // Records without the value are sorted by another column, highest first, or all hold 0.
  const difference = !known || order.descending ? place.value - value : value - place.value;
  return (
    difference ||
    (order.byName ? compareNames(order, nameAt(data, position), place.name ?? '') : 0) ||
    id - place.id
  );
}

function compareNames({ descending }: Order, a: string, b: string): number {
  return a === b ? 0 : a < b !== descending ? -1 : 1;
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
  data: SortedData,
  order: Order,
  positions: Uint32Array,
  arranged: Uint32Array,
  scratch?: SortScratch,
): void {
  const { columns } = data;
  const { column, descending, otherwise } = order;
  const known = knownFirst(positions, columns[column], arranged);
  sortPositions(arranged.subarray(0, known), columns[column], descending, scratch);
  if (otherwise !== undefined) {
    sortPositions(arranged.subarray(known), columns[otherwise], true, scratch);
  }
  if (order.byName) {
    sortRuns(arranged, columns[column], (run) => {
      const names = new Map(Array.from(run, (position) => [position, nameAt(data, position)]));
      run.sort((a, b) => compareNames(order, names.get(a) as string, names.get(b) as string));
    });
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
  data: SortedData,
  order: Order,
  list: Uint32Array,
  places: Uint32Array,
  inserted: Uint32Array,
  target: Uint32Array,
): number {
  // Loops, since V8 copies parts of shared memory byte by byte.
  const kept = new Uint32Array(list.length - places.length);
  let next = 0;
  for (let at = 0, from = 0; at <= places.length; at += 1) {
    const place = places[at] ?? list.length;
    for (; from < place; from += 1) {
      kept[next] = list[from] as number;
      next += 1;
    }
    from = place + 1;
  }
  const arranged = new Uint32Array(inserted.length);
  arrange(data, order, inserted, arranged);
  for (let at = 0, from = 0; at <= arranged.length; at += 1) {
    const position = arranged[at];
    const before = position === undefined ? kept.length : placeAfter(data, order, kept, from, position);
    for (; from < before; from += 1) {
      target[from + at] = kept[from] as number;
    }
    if (position !== undefined) {
      target[from + at] = position;
    }
  }
  return kept.length + arranged.length;
}

/** The index in an arranged list that a position belongs at, which is not before another, and mostly near it. */
function placeAfter(
  data: SortedData,
  order: Order,
  list: Uint32Array,
  from: number,
  position: number,
): number {
  const place = placeAt(data, order, position);
  let reach = 8;
  while (from + reach < list.length && compareToPlace(data, order, list[from + reach] as number, place) < 0) {
    reach *= 8;
  }
  return from + countUpTo(data, order, list.subarray(from, from + reach + 1), place);
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
export function placeIn(data: SortedData, order: Order, list: Uint32Array, position: number): number {
  return countUpTo(data, order, list, placeAt(data, order, position)) - 1;
}

/** How many positions of an arranged list are at or before a place. */
export function countUpTo(data: SortedData, order: Order, list: Uint32Array, place: Place): number {
  return countBefore(list, (position) => compareToPlace(data, order, position, place) > 0);
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

/**
 * The first index from `first` on for which `reached` returns true, as it does for all after it; else `end`. Apart from
 * {@link countBefore}, whose many callers would make the correction of typing errors a third slower.
 */
export function firstReached(first: number, end: number, reached: (at: number) => boolean): number {
  let low = first;
  for (let high = end; low < high; ) {
    const middle = (low + high) >>> 1;
    if (reached(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

import { type Bound, bounds } from '../../model/bounds.ts';
import { isSortedBy, type OwnField, type OwnSort, ownSortsOf } from '../../model/own-fields.ts';
import type { Place } from '../../model/requests/cursor.ts';
import { type RELEVANCE, type StartupSort, sorts } from '../../model/vocabulary.ts';
import { type Columns, type NumberColumn, numbersOf } from '../store/columns.ts';
import { isSame, sharedArray } from '../store/memory.ts';
import type { OwnNumberColumn } from '../store/own-columns.ts';
import { SortScratch, sortPositions } from '../store/radix-sort.ts';
import type { PackedTexts } from '../store/texts.ts';
import { allPositions, compareNames } from './names.ts';

/** The column and the direction of an order. Records without the value follow, in the order of their ids. */
export interface Order {
  readonly column: NumberColumn;
  readonly descending: boolean;
  /** The column, descending, by which records without the value are sorted, if not by id alone. */
  readonly otherwise?: NumberColumn;
}

type SortName = Exclude<StartupSort, typeof RELEVANCE>;
type LookUpName = 'slug-asc' | 'handle-asc' | 'website-asc' | 'revision-asc';
/** Those of bounds, and of the interface. */
type OurOrderName = SortName | `${Bound['name']}-asc` | LookUpName;
/** Also those of declared fields. */
export type OrderName = OurOrderName | OwnSort;

/** The orders of the interface: of each sort. */
const ofSorts: readonly [SortName, Order][] = Object.entries<{
  column: NumberColumn;
  otherwise?: NumberColumn;
}>(sorts).map(([name, { column, otherwise }]) => [
  name as SortName,
  { column, descending: name.endsWith('-desc'), ...(otherwise && { otherwise }) },
]);
/** In which slugs, handles and websites are looked up, and that of changes. */
const ofLookUps = {
  'slug-asc': { column: 'slugHash', descending: false },
  'handle-asc': { column: 'handleHash', descending: false },
  'website-asc': { column: 'websiteKey', descending: false },
  'revision-asc': { column: 'revision', descending: false },
} as const satisfies Record<LookUpName, Order>;

const ascending = new Map<NumberColumn, OurOrderName>(
  ofSorts.flatMap(([name, { column, descending }]) => (descending ? [] : [[column, name]])),
);
/** Those of bounds by which nothing is sorted. */
const ofBounds = bounds.flatMap(({ name, column }): [OurOrderName, Order][] => {
  const order: OurOrderName = `${name}-asc`;
  if (ascending.has(column)) {
    return [];
  }
  if (Object.hasOwn(sorts, order)) {
    throw new Error(`The bounds of ${name} and the sort ${order} are of different columns.`);
  }
  ascending.set(column, order);
  return [[order, { column, descending: false }]];
});

/** All orders but those of declared fields. */
const orders = Object.fromEntries([...ofSorts, ...ofBounds, ...Object.entries(ofLookUps)]) as Readonly<
  Record<OurOrderName, Order>
>;

/** The order of a name. */
export function orderOf(name: OrderName): Order {
  return orders[name as OurOrderName] ?? ownOrder(name as OwnSort);
}

function ownOrder(name: OwnSort): Order {
  return {
    column: name.slice(0, name.lastIndexOf('-')) as OwnNumberColumn,
    descending: name.endsWith('-desc'),
  };
}

/** The order that a column is sorted by in ascending order. */
export function ascendingOrder(column: NumberColumn): OrderName {
  const name = column.startsWith('own.') ? (`${column}-asc` as OwnSort) : ascending.get(column);
  if (name === undefined) {
    throw new Error(`There is no order by ${column}`);
  }
  return name;
}

/** The data from which orders are built. */
interface SortedData {
  readonly columns: Columns;
  readonly texts: PackedTexts;
}

/** All positions in every order. */
export type Arrangement = Readonly<Record<OrderName, Uint32Array>>;

/** The same data with its orders. */
export interface ArrangedData extends SortedData {
  readonly orders: Arrangement;
}

/** All positions in an order. */
export const positionsIn = ({ orders }: Pick<ArrangedData, 'orders'>, name: OrderName): Uint32Array =>
  orders[name] as Uint32Array;

/** The place of the record at a position. Numbers of names differ between editions, so that a place has the name itself. */
export function placeAt({ columns, texts }: SortedData, order: Order, position: number): Place {
  const { column, otherwise } = order;
  const id = columns.id[position] as number;
  if (column === 'name') {
    return { known: true, value: 0, id, name: texts.foldedName(columns.texts[position] as number) };
  }
  const value = numbersOf(columns, column)[position] as number;
  if (!Number.isNaN(value)) {
    return { known: true, value, id };
  }
  return {
    known: false,
    value: otherwise === undefined ? 0 : (numbersOf(columns, otherwise)[position] as number),
    id,
  };
}

/** Negative where the record at a position comes before a place. */
function compareToPlace(data: SortedData, order: Order, position: number, place: Place): number {
  const { known, value, id, name } = placeAt(data, order, position);
  if (known !== place.known) {
    return known ? -1 : 1;
  }
  if (name !== undefined) {
    return compareNames(name, place.name ?? '') * (order.descending ? -1 : 1) || id - place.id;
  }
  // Records without the value are sorted by another column, highest first, or all hold 0.
  return (!known || order.descending ? place.value - value : value - place.value) || id - place.id;
}

/**
 * Sorts positions into an order.
 *
 * @param positions ascending; they are not modified.
 * @param arranged the target array, of the same length.
 */
export function arrange(
  { columns }: SortedData,
  { column, descending, otherwise }: Order,
  positions: Uint32Array,
  arranged: Uint32Array,
  scratch?: SortScratch,
): void {
  const known = knownFirst(positions, numbersOf(columns, column), arranged);
  sortPositions(arranged.subarray(0, known), numbersOf(columns, column), descending, scratch);
  if (otherwise !== undefined) {
    sortPositions(arranged.subarray(known), numbersOf(columns, otherwise), true, scratch);
  }
}

/**
 * Sorts every order.
 *
 * @param own the declared fields.
 * @param earlier an order by the same columns is the same.
 */
export function arrangeAll(data: SortedData, own: readonly OwnField[], earlier?: ArrangedData): Arrangement {
  const { columns } = data;
  const { length } = columns.id;
  const scratch = new SortScratch(length);
  const positions = allPositions(length);
  const isUnchanged = (column: NumberColumn): boolean =>
    earlier?.columns[column] !== undefined && isSame(earlier.columns[column], numbersOf(columns, column));
  const listOf = ([name, order]: [string, Order]): [string, Uint32Array] => {
    const { column, otherwise = column } = order;
    if (earlier !== undefined && isUnchanged(column) && isUnchanged(otherwise)) {
      return [name, positionsIn(earlier, name as OrderName)];
    }
    const list = sharedArray(Uint32Array, length);
    arrange(data, order, positions, list, scratch);
    return [name, list];
  };
  const ofOwn = own
    .filter(isSortedBy)
    .flatMap(({ name }) => ownSortsOf(name))
    .map((name): [string, Order] => [name, ownOrder(name)]);
  return Object.fromEntries([...Object.entries(orders), ...ofOwn].map(listOf)) as Arrangement;
}

/**
 * Ranks by total among active startups: 1 for the highest; ties share a rank and the next ones are skipped.
 * 0 for others.
 */
export function rank({ columns: { revenueTotal, active }, orders }: ArrangedData): Int32Array {
  const ranks = sharedArray(Int32Array, active.length);
  let counted = 0;
  let current = 0;
  let above = Number.NaN;
  for (const position of orders['total-desc']) {
    if (active[position] !== 1) {
      continue;
    }
    counted += 1;
    const total = revenueTotal[position] as number;
    if (total !== above) {
      current = counted;
      above = total;
    }
    ranks[position] = current;
  }
  return ranks;
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

/** How many positions of an arranged list are at or before a place. */
export function countUpTo(data: SortedData, order: Order, list: Uint32Array, place: Place): number {
  return countBefore(list, (position) => compareToPlace(data, order, position, place) > 0);
}

/**
 * How many leading positions of a list that is sorted by a column, nulls last, have a value before a bound.
 *
 * @param isIncluded whether the bound itself counts too.
 */
export function countBeforeBound(
  list: Uint32Array,
  column: Float64Array,
  bound: number,
  isIncluded = false,
  descending = false,
): number {
  let low = 0;
  for (let high = list.length; low < high; ) {
    const middle = (low + high) >>> 1;
    // NaN is before nothing.
    const value = column[list[middle] as number] as number;
    if ((descending ? value > bound : value < bound) || (isIncluded && value === bound)) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
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

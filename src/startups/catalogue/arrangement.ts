import type { NumberColumn } from './columns.ts';
import { arrayIn, isSame, type Memory } from './memory.ts';
import {
  allPositions,
  arrange,
  type Order,
  orders,
  placeIn,
  placesOf,
  rearrange,
  type SortedColumns,
} from './orders.ts';
import { SortScratch } from './radix.ts';

/** The orders of a catalogue, the order of changes, and the orders that ranks and the index of handles need. */
export const built = {
  ...orders,
  'total-desc': { column: 'revenueTotal', descending: true },
  'handle-asc': { column: 'handleHash', descending: false },
  'revision-asc': { column: 'revision', descending: false },
} as const satisfies Record<string, Order>;

/** All positions in every order. */
export type Arrangement = Readonly<Record<keyof typeof built, Uint32Array>>;

/** If more than one row in this many changed, sorting everything again costs no more. */
export const CHANGED_PART = 50;
/** If at most one row in this many changed, each changed row is looked up by binary search. */
const SEARCHED_PART = 1_000;

/** Sorts every order. */
export function arrangeAll(columns: SortedColumns, capacity: number, memory: Memory): Arrangement {
  const { length } = columns.id;
  const scratch = new SortScratch(length);
  const positions = allPositions(length);
  return eachOrder((order) => {
    const list = arrayIn(memory, Uint32Array, capacity).subarray(0, length);
    arrange(columns, order, positions, list, scratch);
    return list;
  });
}

/**
 * Updates every order; returns the earlier order itself if none of its sort values changed.
 *
 * @param changed the positions whose values changed or that are new, ascending.
 */
export function rearrangeAll(
  columns: SortedColumns,
  earlier: { readonly columns: SortedColumns; readonly arrangement: Arrangement },
  changed: Uint32Array,
  capacity: number,
  memory: Memory,
): Arrangement {
  const { length } = columns.id;
  const placesIn = finderOf(changed, earlier.columns);
  const hasChanged = (column: NumberColumn): boolean => !isSame(columns[column], earlier.columns[column]);
  return eachOrder((order, name) => {
    const before = earlier.arrangement[name];
    if (!hasChanged(order.column) && (order.rest === undefined || !hasChanged(order.rest))) {
      return before;
    }
    const list = arrayIn(memory, Uint32Array, capacity).subarray(0, length);
    rearrange(columns, order, before, placesIn(order, before), changed, list);
    return list;
  });
}

/** Finds the places of the changed positions in an arranged list. */
function finderOf(
  changed: Uint32Array,
  earlier: SortedColumns,
): (order: Order, list: Uint32Array) => Uint32Array {
  const { length } = earlier.id;
  // The other positions are new.
  const known = changed.filter((position) => position < length);
  if (known.length * SEARCHED_PART <= length) {
    return (order, list) => known.map((position) => placeIn(earlier, order, list, position)).sort();
  }
  const marks = new Uint8Array(length);
  return (_order, list) => placesOf(list, known, marks);
}

function eachOrder(make: (order: Order, name: keyof typeof built) => Uint32Array): Arrangement {
  return Object.fromEntries(
    Object.entries(built).map(([name, order]) => [name, make(order, name as keyof typeof built)]),
  ) as unknown as Arrangement;
}

import type { Columns, NumberColumn } from '../store/columns.ts';
import { isSame, sharedArray } from '../store/memory.ts';
import {
  allPositions,
  arrange,
  type Order,
  type OrderName,
  orders,
  placeIn,
  placesOf,
  rearrange,
  type SortedData,
} from './orders.ts';
import { SortScratch } from './radix-sort.ts';

/** All positions in every order. */
export type Arrangement = Readonly<Record<OrderName, Uint32Array>>;

/** Columns and texts with their orders. */
export interface ArrangedData extends SortedData {
  readonly columns: Columns;
  readonly orders: Arrangement;
}

/** If more than one row in this many changed, sorting everything again costs no more. */
export const CHANGED_PART = 16;
/** If at most one row in this many changed, each changed row is looked up by binary search. */
const SEARCHED_PART = 1_000;

/** Sorts every order. */
export function arrangeAll(data: SortedData): Arrangement {
  const { length } = data.columns.id;
  const scratch = new SortScratch(length);
  const positions = allPositions(length);
  return eachOrder((order) => {
    const list = sharedArray(Uint32Array, length);
    arrange(data, order, positions, list, scratch);
    return list;
  });
}

/**
 * Updates every order; returns the earlier order itself if none of its sort values changed.
 *
 * @param changed the positions whose values changed or that are new, ascending.
 */
export function rearrangeAll(data: SortedData, earlier: ArrangedData, changed: Uint32Array): Arrangement {
  const { columns } = data;
  const { length } = columns.id;
  const placesIn = finderOf(changed, earlier);
  const hasChanged = (column: NumberColumn): boolean => !isSame(columns[column], earlier.columns[column]);
  return eachOrder((order, name) => {
    const before = earlier.orders[name];
    if (!hasChanged(order.column) && (order.otherwise === undefined || !hasChanged(order.otherwise))) {
      return before;
    }
    const list = sharedArray(Uint32Array, length);
    rearrange(data, order, before, placesIn(order, before), changed, list);
    return list;
  });
}

/** Finds the places of the changed positions in an arranged list. */
function finderOf(
  changed: Uint32Array,
  earlier: SortedData,
): (order: Order, list: Uint32Array) => Uint32Array {
  const { length } = earlier.columns.id;
  // The other positions are new.
  const known = changed.filter((position) => position < length);
  if (known.length * SEARCHED_PART <= length) {
    return (order, list) => known.map((position) => placeIn(earlier, order, list, position)).sort();
  }
  const marks = new Uint8Array(length);
  return (_order, list) => placesOf(list, known, marks);
}

function eachOrder(make: (order: Order, name: OrderName) => Uint32Array): Arrangement {
  return Object.fromEntries(
    Object.entries(orders).map(([name, order]) => [name, make(order, name as OrderName)]),
  ) as Arrangement;
}

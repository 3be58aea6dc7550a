import type { BuildColumn } from './columns.ts';
import { arrayIn, isSame, type Memory } from './memory.ts';
import {
  allPositions,
  arrange,
  type Order,
  orders,
  placeIn,
  placesOf,
  rearrange,
  type Sortable,
} from './orders.ts';
import { SortScratch } from './radix.ts';

/** The orders of a catalogue, and those from which ranks and the index of handles are made. */
export const built = {
  ...orders,
  'total-desc': { column: 'total', descending: true },
  'handle-asc': { column: 'handleHash', descending: false },
} as const satisfies Record<string, Order<BuildColumn>>;

/** All positions in every order. */
export type Arrangement = Readonly<Record<keyof typeof built, Uint32Array>>;

/** Where more than one in so many rows changed, sorting all anew costs no more. */
export const CHANGED_PART = 50;
/** Where no more than one in so many did, each is searched for. */
const SEARCHED_PART = 1_000;

/** Sorts every order. */
export function arrangeAll(
  { ids, numbers }: Sortable<BuildColumn>,
  capacity: number,
  memory: Memory,
): Arrangement {
  const scratch = new SortScratch(ids.length);
  const positions = allPositions(ids.length);
  return eachOrder((order) => {
    const list = arrayIn(memory, Uint32Array, capacity).subarray(0, ids.length);
    arrange(numbers, order, positions, list, scratch);
    return list;
  });
}

/**
 * Every order brought up to date: an earlier one itself where nothing that it sorts by changed.
 *
 * @param changed the positions whose values changed or are new, ascending.
 */
export function rearrangeAll(
  sortable: Sortable<BuildColumn>,
  earlier: { readonly sortable: Sortable<BuildColumn>; readonly arrangement: Arrangement },
  changed: Uint32Array,
  capacity: number,
  memory: Memory,
): Arrangement {
  const { ids, numbers } = sortable;
  const placesIn = finderOf(changed, earlier.sortable);
  const hasChanged = (column: BuildColumn): boolean =>
    !isSame(numbers[column], earlier.sortable.numbers[column]);
  return eachOrder((order, name) => {
    const before = earlier.arrangement[name];
    if (!hasChanged(order.column) && (order.rest === undefined || !hasChanged(order.rest))) {
      return before;
    }
    const list = arrayIn(memory, Uint32Array, capacity).subarray(0, ids.length);
    rearrange(sortable, order, before, placesIn(order, before), changed, list);
    return list;
  });
}

/** Finds where in an arranged list those are that changed since. */
function finderOf(
  changed: Uint32Array,
  earlier: Sortable<BuildColumn>,
): (order: Order<BuildColumn>, list: Uint32Array) => Uint32Array {
  const { length } = earlier.ids;
  // Others are new.
  const known = changed.filter((position) => position < length);
  if (known.length * SEARCHED_PART <= length) {
    return (order, list) => known.map((position) => placeIn(earlier, order, list, position)).sort();
  }
  const marks = new Uint8Array(length);
  return (_order, list) => placesOf(list, known, marks);
}

function eachOrder(make: (order: Order<BuildColumn>, name: keyof typeof built) => Uint32Array): Arrangement {
  return Object.fromEntries(
    Object.entries(built).map(([name, order]) => [name, make(order, name as keyof typeof built)]),
  ) as unknown as Arrangement;
}

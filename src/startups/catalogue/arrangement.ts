import type { NumberColumn } from './data.ts';
import {
  allPositions,
  arrange,
  countUpTo,
  type Order,
  type OrderName,
  orders,
  placeAt,
  type Sortable,
} from './orders.ts';
import { SortScratch } from './radix.ts';

/** The columns that building sorts by: two of them only while it builds. */
export type BuildColumn = NumberColumn | 'total' | 'handleHash';

/** The orders of a catalogue, and those from which ranks and the index of handles are made. */
const built = {
  ...orders,
  'total-desc': { column: 'total', descending: true },
  'handle-asc': { column: 'handleHash', descending: false },
} as const satisfies Record<string, Order<BuildColumn>>;

/** All positions in every order. */
export type Arrangement = Readonly<Record<keyof typeof built, Uint32Array>>;

/** Where more than one in so many rows changed, sorting all anew costs no more. */
const FEW = 50;

/** Sorts every order. */
export function arrangeAll({ ids, numbers }: Sortable<BuildColumn>): Arrangement {
  const scratch = new SortScratch(ids.length);
  const positions = allPositions(ids.length);
  return eachOrder((order) => arrange(numbers, order, positions, scratch));
}

/**
 * Brings every order up to date: takes out what changed and puts it in where it belongs now.
 *
 * @param previous taken over: not to be used again.
 * @param changed the positions whose values changed or are new, ascending.
 */
export function rearrange(
  sortable: Sortable<BuildColumn>,
  previous: Arrangement,
  changed: Uint32Array,
): Arrangement {
  const { ids, numbers } = sortable;
  if (changed.length * FEW > ids.length) {
    return arrangeAll(sortable);
  }
  const isUnchanged = new Uint8Array(ids.length).fill(1);
  for (const position of changed) {
    isUnchanged[position] = 0;
  }
  const unchanged = new Uint32Array(ids.length);
  return eachOrder((order, name) => {
    const before = previous[name];
    let kept = 0;
    for (let at = 0; at < before.length; at += 1) {
      const position = before[at] as number;
      unchanged[kept] = position;
      kept += isUnchanged[position] as number;
    }
    const target = before.length === ids.length ? before : new Uint32Array(ids.length);
    mergeInto(target, sortable, order, unchanged.subarray(0, kept), arrange(numbers, order, changed));
    return target;
  });
}

/** Makes one list of two that are in an order. The second is expected to be short. */
function mergeInto(
  target: Uint32Array,
  sortable: Sortable<BuildColumn>,
  order: Order<BuildColumn>,
  list: Uint32Array,
  inserted: Uint32Array,
): void {
  let taken = 0;
  for (let at = 0; at < inserted.length; at += 1) {
    const position = inserted[at] as number;
    const rest = list.subarray(taken);
    const before = rest.subarray(0, countUpTo(sortable, order, rest, placeAt(sortable, order, position)));
    target.set(before, taken + at);
    taken += before.length;
    target[taken + at] = position;
  }
  target.set(list.subarray(taken), taken + inserted.length);
}

function eachOrder(make: (order: Order<BuildColumn>, name: keyof typeof built) => Uint32Array): Arrangement {
  return Object.fromEntries(
    Object.entries(built).map(([name, order]) => [name, make(order, name as keyof typeof built)]),
  ) as unknown as Arrangement;
}

/** The orders that a catalogue keeps, in arrays of their own. */
export function copyOrders(arrangement: Arrangement): Record<OrderName, Uint32Array> {
  return Object.fromEntries(
    Object.keys(orders).map((name) => [name, arrangement[name as OrderName].slice()]),
  ) as Record<OrderName, Uint32Array>;
}

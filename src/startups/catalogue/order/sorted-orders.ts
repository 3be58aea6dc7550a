import type { Columns } from '../store/columns.ts';
import { isSame, sharedArray } from '../store/memory.ts';
import { SortScratch } from '../store/radix-sort.ts';
import { allPositions } from './names.ts';
import { arrange, ascendingOrder, type OrderName, orders, type SortedData, turn } from './orders.ts';

/** All positions in every order. */
export type Arrangement = Readonly<Record<OrderName, Uint32Array>>;

/** Columns and texts with their orders. */
export interface ArrangedData extends SortedData {
  readonly columns: Columns;
  readonly orders: Arrangement;
}

/**
 * Sorts every order.
 *
 * @param earlier an order by the same columns is the same.
 */
export function arrangeAll(data: SortedData, earlier?: ArrangedData): Arrangement {
  const { columns } = data;
  const { length } = columns.id;
  const scratch = new SortScratch(length);
  const positions = allPositions(length);
  const arranged = new Map<OrderName, Uint32Array>();
  const listOf = (name: OrderName): Uint32Array => {
    const list = arranged.get(name) ?? earlierList(name) ?? sort(name);
    arranged.set(name, list);
    return list;
  };
  const earlierList = (name: OrderName): Uint32Array | undefined => {
    const { column, otherwise = column } = orders[name];
    const isUnchanged =
      earlier !== undefined &&
      isSame(earlier.columns[column], columns[column]) &&
      isSame(earlier.columns[otherwise], columns[otherwise]);
    return isUnchanged ? earlier.orders[name] : undefined;
  };
  const sort = (name: OrderName): Uint32Array => {
    const order = orders[name];
    const list = sharedArray(Uint32Array, length);
    if (order.descending) {
      turn(listOf(ascendingOrder(order.column)), columns[order.column], list);
    } else {
      arrange(data, order, positions, list, scratch);
    }
    return list;
  };
  const names = Object.keys(orders) as OrderName[];
  return Object.fromEntries(names.map((name) => [name, listOf(name)])) as Arrangement;
}

import type { CodeArray, CodeColumn } from './codes.ts';
import type { IndexedHandles } from './handles.ts';
import type { OrderName } from './orders.ts';

/**
 * The numbers that bounds, orders and statistics read: cents, percentages (growth), ms since 1970
 * (listedAt) and ratios. `payback` is the measure of best-deal. NaN is null; -0 never occurs.
 */
export type NumberColumn = 'revenue' | 'mrr' | 'price' | 'growth' | 'multiple' | 'payback' | 'listedAt';

/**
 * A built catalogue as plain data: everything is indexed by position, which counts startups in ascending
 * order of ids. It crosses threads by transfer, without a copy.
 */
export interface CatalogueData {
  /** The dataset revision that this is a picture of. */
  readonly revision: number;
  /** When its rows were read, in ms since 1970. */
  readonly builtAt: number;
  /** When the last import had finished, in ms since 1970; null where there was none. */
  readonly importedAt: number | null;
  readonly ids: Int32Array;
  /** The dataset revision that last changed each row. */
  readonly revisions: Float64Array;
  readonly numbers: Readonly<Record<NumberColumn, Float64Array>>;
  readonly codes: Readonly<Record<CodeColumn, CodeArray>>;
  readonly handles: IndexedHandles;
  /** Ranks by total revenue among active startups; 0 is null. */
  readonly ranks: Int32Array;
  /** All positions in each order. */
  readonly orders: Readonly<Record<OrderName, Uint32Array>>;
}

/** Every buffer of a catalogue, once, for a transfer list. */
export function buffersOf({
  ids,
  revisions,
  numbers,
  codes,
  handles,
  ranks,
  orders,
}: CatalogueData): ArrayBuffer[] {
  const groups = [{ ids, revisions, ranks }, numbers, codes, handles, orders];
  const arrays = groups.flatMap((group): ArrayBufferView[] => Object.values(group));
  return [...new Set(arrays.map((array) => array.buffer as ArrayBuffer))];
}

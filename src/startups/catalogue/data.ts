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
 * order of ids. Threads share it: it never changes as long as somebody uses it.
 */
export interface CatalogueData {
  /** The dataset revision that this is a picture of. */
  readonly revision: number;
  /** When its rows were read, in ms since 1970. */
  readonly builtAt: number;
  /** When the last import had finished, in ms since 1970; null where there was none. */
  readonly importedAt: number | null;
  /**
   * Which positions are new or changed since the catalogue before this one, ascending; undefined where they
   * are many, or positions moved.
   */
  readonly changed: Uint32Array | undefined;
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

import type { Columns } from './columns.ts';
import type { OrderName } from './orders.ts';
import type { RemovalData } from './removals.ts';
import type { PackedTexts, TextData } from './texts.ts';

/**
 * An edition as plain data, which one thread makes and another reads: everything is indexed by position. It never
 * changes as long as somebody uses it.
 */
export interface EditionData {
  /** The dataset revision that it shows. */
  readonly revision: number;
  /** When its rows were read, in ms since 1970. */
  readonly builtAt: number;
  /** When the last import had finished, in ms since 1970; null where there was none. */
  readonly importedAt: number | null;
  /**
   * Which positions are new or changed since the edition before, ascending; undefined where they are many, or
   * positions moved.
   */
  readonly changed: Uint32Array | undefined;
  readonly columns: Columns;
  readonly texts: TextData;
  /** Positions by slug, see `slugs.ts`. */
  readonly slugs: Uint32Array;
  /** The positions that have a handle, in the order of `handleHash`. */
  readonly handles: Uint32Array;
  /** Ranks by total revenue among active startups; 0 is null. */
  readonly ranks: Int32Array;
  /** All positions in each order. */
  readonly orders: Readonly<Record<OrderName, Uint32Array>>;
  /** All positions in the order in which the startups last changed: by revision, then by id. */
  readonly changes: Uint32Array;
  /** The removals that are recorded, of slugs that no startup has again. */
  readonly removals: RemovalData;
  /** Removals up to this revision may be missing. */
  readonly unrecordedRemovals: number;
  /** A digest of which server, and which life of the data: revisions mean the same only where this is the same. */
  readonly identity: string;
}

/** The same with its texts to be read. */
export interface CatalogueData extends Omit<EditionData, 'texts'> {
  readonly texts: PackedTexts;
}

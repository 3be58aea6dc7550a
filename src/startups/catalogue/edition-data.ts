import type { OwnField, OwnValues } from '../model/own-fields.ts';
import type { RemovalData } from './changes/removed-startups.ts';
import type { Arrangement } from './order/orders.ts';
import type { Columns } from './store/columns.ts';
import type { PackedTexts, TextData } from './store/texts.ts';
import type { WordIndex } from './store/word-index.ts';

/**
 * An edition as plain data, which one thread creates and another reads: everything is indexed by position. It never
 * changes.
 */
export interface EditionData {
  /** The dataset revision that it shows. */
  readonly revision: number;
  /** When its rows were read, in ms since 1970. */
  readonly readAt: number;
  /** When the last import finished, in ms since 1970; null if there was none. */
  readonly importedAt: number | null;
  readonly columns: Columns;
  readonly texts: TextData;
  readonly details: TextData;
  /** Ranks by total revenue among active startups; 0 is null. */
  readonly ranks: Int32Array;
  /** All positions in each order. */
  readonly orders: Arrangement;
  /** The recorded removals, except of slugs that are in use again. */
  readonly removals: RemovalData;
  /** Removals up to this revision may be missing. */
  readonly unrecordedRemovals: number;
  /** Digest of the identity of the server and the database history: revisions are comparable only if it is equal. */
  readonly identity: string;
  /** The declared fields, whose values its records have. */
  readonly own: readonly OwnField[];
  /** The words of the texts. */
  readonly search: WordIndex;
  /** The technologies of the startups, folded, each as one word. */
  readonly technologies: WordIndex;
  /** The shared memory that it uses. */
  readonly bytes: number;
  /** The shared memory that the previous edition used and this one does not. */
  readonly replacedBytes: number;
}

/** The same with readable texts. */
export interface CatalogueData extends Omit<EditionData, 'texts' | 'details'> {
  readonly texts: PackedTexts;
  readonly details: PackedTexts;
  /** The values of declared fields of the record at a position. */
  readOwn(at: number): OwnValues;
}

import { digestOfIdentity } from '../../startups/requests/change-cursor.ts';
import { packRemovals } from '../changes/removed-startups.ts';
import type { EditionData } from '../edition-data.ts';
import { numberNames } from '../order/names.ts';
import { rank } from '../order/ranks.ts';
import { type ArrangedData, arrangeAll } from '../order/sorted-orders.ts';
import type { Columns, StoredColumns } from '../store/columns.ts';
import { isSame, type NumberArray } from '../store/memory.ts';
import type { StoredRows } from '../store/row-writer.ts';
import { PackedTexts } from '../store/texts.ts';
import { indexWords, type WordIndex } from '../store/word-index.ts';

interface Edition extends ArrangedData {
  readonly search: WordIndex;
  readonly buffers: ReadonlySet<ArrayBufferLike>;
}

/**
 * Builds successive editions from stored rows. What depends on several records is made anew, unless the columns that it is
 * made of are those of the previous edition.
 */
export class EditionMaker {
  #latest: Edition | undefined;

  /**
   * @param readAt when the rows were read, in ms since 1970.
   * @param onProgress called after each step.
   */
  make(rows: StoredRows, readAt: number, onProgress = () => {}): EditionData {
    const before = this.#latest;
    const stored = cut(rows.columns, rows.length);
    const texts = new PackedTexts(rows.texts);
    const hasSameTexts = before !== undefined && isSame(before.columns.texts, stored.texts);
    const name = hasSameTexts ? before.columns.name : numberNames(texts, stored.texts);
    onProgress();
    const columns: Columns = { ...stored, name };
    const sorted = { columns, texts };
    const arranged = { ...sorted, orders: arrangeAll(sorted, before) };
    onProgress();
    const ranks = rank(arranged);
    const search = hasSameTexts ? before.search : indexWords(texts, columns.texts);
    const { chunks, chunkBytes } = rows.texts;
    const arrays = [ranks, ...[columns, arranged.orders, search].flatMap<NumberArray>(Object.values)];
    const buffers = new Set([
      ...arrays.map(({ buffer }) => buffer),
      ...chunks.filter((chunk) => chunk !== undefined),
    ]);
    const replaced = [...(before?.buffers ?? [])].filter((buffer) => !buffers.has(buffer));
    this.#latest = { ...arranged, search, buffers };
    return {
      revision: rows.revision,
      readAt,
      importedAt: rows.importedAt,
      columns,
      texts: { chunks, chunkBytes },
      ranks,
      orders: arranged.orders,
      removals: packRemovals(rows.removals, arranged),
      search,
      unrecordedRemovals: rows.unrecordedRemovals,
      identity: digestOfIdentity(rows.identity),
      bytes: bytesOf([...buffers]),
      replacedBytes: bytesOf(replaced),
    };
  }
}

function bytesOf(buffers: readonly ArrayBufferLike[]): number {
  return buffers.reduce((sum, { byteLength }) => sum + byteLength, 0);
}

/** The columns as far as they are filled. */
function cut(columns: StoredColumns, length: number): StoredColumns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.subarray(0, length)]),
  ) as unknown as StoredColumns;
}

import { digestOfIdentity } from '../../startups/requests/change-cursor.ts';
import { packRemovals, type RemovalData } from '../changes/removed-startups.ts';
import type { EditionData } from '../edition-data.ts';
import { rank } from '../order/ranks.ts';
import { type ArrangedData, arrangeAll, CHANGED_PART, rearrangeAll } from '../order/sorted-orders.ts';
import type { Columns } from '../store/columns.ts';
import { isSame } from '../store/memory.ts';
import type { Removal, StoredRows } from '../store/row-writer.ts';
import { arraysOf, indexAll, indexChanges, type SearchData } from '../store/search-data.ts';
import { PackedTexts } from '../store/texts.ts';

interface Edition extends ArrangedData {
  readonly ranks: Int32Array;
  readonly search: SearchData;
  readonly buffers: ReadonlySet<ArrayBufferLike>;
  readonly recorded: readonly Removal[];
  /** Those of `recorded` that are reported. */
  readonly removals: RemovalData;
}

/** Builds successive editions from stored rows. Editions share the data that did not change. */
export class EditionMaker {
  #latest: Edition | undefined;

  /**
   * @param changed the positions that changed since the previous edition; undefined if all rows are new.
   * @param readAt when the rows were read, in ms since 1970.
   */
  make(rows: StoredRows, changed: Uint32Array | undefined, readAt: number): EditionData {
    const { length, texts } = rows;
    const columns = cut(rows.columns, length);
    const before = this.#latest;
    const few = changed !== undefined && changed.length * CHANGED_PART <= length ? changed : undefined;
    const sorted = { columns, texts: new PackedTexts(texts) };
    const orders =
      before === undefined || few === undefined ? arrangeAll(sorted) : rearrangeAll(sorted, before, few);
    const arranged = { ...sorted, orders };
    const ranks = rank(arranged, before);
    const search =
      changed === undefined || before === undefined
        ? indexAll(sorted.texts, columns.texts)
        : indexChanges(sorted.texts, columns.texts, before, changed);
    // A slug that comes back into use has new texts.
    const removals =
      before?.recorded === rows.removals && isSame(before.columns.texts, columns.texts)
        ? before.removals
        : packRemovals(rows.removals, arranged);
    const arrays = [...Object.values(rows.columns), ...Object.values(orders), ...arraysOf(search), ranks];
    const buffers = new Set(arrays.map(({ buffer }) => buffer));
    for (const chunk of texts.chunks) {
      if (chunk !== undefined) {
        buffers.add(chunk);
      }
    }
    const replaced = [...(before?.buffers ?? [])].filter((buffer) => !buffers.has(buffer));
    this.#latest = { ...arranged, ranks, search, buffers, recorded: rows.removals, removals };
    return {
      revision: rows.revision,
      readAt,
      importedAt: rows.importedAt,
      changed: before && few,
      columns,
      texts: { chunks: texts.chunks, chunkBytes: texts.chunkBytes },
      ranks,
      orders,
      removals,
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
function cut(columns: Columns, length: number): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.subarray(0, length)]),
  ) as unknown as Columns;
}

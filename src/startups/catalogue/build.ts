import { digestOfIdentity } from '../change-cursor.ts';
import { type Arrangement, arrangeAll, CHANGED_PART, rearrangeAll } from './arrangement.ts';
import type { Columns } from './columns.ts';
import type { EditionData } from './data.ts';
import { isSame, type Memory } from './memory.ts';
import { countBefore, type OrderName, orders } from './orders.ts';
import { type Ranked, rankAgain, rankAll } from './ranks.ts';
import { packRemovals, type RemovalData } from './removals.ts';
import type { Removal, StoredRows } from './row-writer.ts';

/** An edition, and the memory that it no longer needs. */
export interface Made {
  readonly data: EditionData;
  /** The memory that the previous edition used and this one does not. */
  readonly replaced: ArrayBufferLike[];
}

interface Edition extends Ranked {
  readonly ranks: Int32Array;
  readonly buffers: ReadonlySet<ArrayBufferLike>;
  readonly recorded: readonly Removal[];
  /** Those of `recorded` that are reported. */
  readonly removals: RemovalData;
}

/** Builds successive editions from stored rows. Editions share the data that did not change. */
export class EditionMaker {
  readonly #memory: Memory;
  #latest: Edition | undefined;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** The size of the latest edition, in bytes. */
  get bytes(): number {
    return [...(this.#latest?.buffers ?? [])].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * @param changed the positions that changed since the previous edition; undefined if all rows are new.
   * @param builtAt when the rows were read, in ms since 1970.
   */
  make(rows: StoredRows, changed: Uint32Array | undefined, builtAt: number): Made {
    const { length, texts, slugs } = rows;
    const capacity = rows.columns.id.length;
    const columns = cut(rows.columns, length);
    const update =
      changed !== undefined && changed.length * CHANGED_PART <= length && this.#latest !== undefined
        ? { earlier: this.#latest, changed }
        : undefined;
    const arrangement =
      update === undefined
        ? arrangeAll(columns, capacity, this.#memory)
        : rearrangeAll(columns, update.earlier, update.changed, capacity, this.#memory);
    const ranked = { columns, arrangement };
    const ranks =
      update === undefined
        ? rankAll(ranked, capacity, this.#memory)
        : rankAgain(ranked, update.earlier, update.changed, capacity, this.#memory);
    const before = this.#latest;
    // A slug that comes back into use has new texts.
    const removals =
      before?.recorded === rows.removals && isSame(before.columns.texts, columns.texts)
        ? before.removals
        : packRemovals(rows);
    const data: EditionData = {
      revision: rows.revision,
      builtAt,
      importedAt: rows.importedAt,
      changed: update?.changed,
      columns,
      texts: { chunks: texts.chunks, chunkBytes: texts.chunkBytes },
      slugs: slugs.slots,
      handles: withValue(arrangement['handle-asc'], columns.handleHash),
      ranks,
      orders: listsOf(arrangement),
      changes: arrangement['revision-asc'],
      removals,
      unrecordedRemovals: rows.unrecordedRemovals,
      identity: digestOfIdentity(rows.identity),
    };
    const arrays = [...Object.values(rows.columns), ...Object.values(arrangement), ranks, slugs.slots];
    const buffers = new Set(arrays.map(({ buffer }) => buffer));
    for (const chunk of texts.chunks) {
      if (chunk !== undefined) {
        buffers.add(chunk);
      }
    }
    const replaced = [...(this.#latest?.buffers ?? [])].filter((buffer) => !buffers.has(buffer));
    this.#latest = { ...ranked, ranks, buffers, recorded: rows.removals, removals };
    return { data, replaced };
  }
}

/** The columns as far as they are filled. */
function cut(columns: Columns, length: number): Columns {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [name, column.subarray(0, length)]),
  ) as unknown as Columns;
}

/** The part of a sorted list whose startups have a value in that column. */
function withValue(list: Uint32Array, column: Float64Array): Uint32Array {
  return list.subarray(
    0,
    countBefore(list, (position) => Number.isNaN(column[position])),
  );
}

function listsOf(arrangement: Arrangement): Record<OrderName, Uint32Array> {
  return Object.fromEntries(
    Object.keys(orders).map((name) => [name, arrangement[name as OrderName]]),
  ) as Record<OrderName, Uint32Array>;
}

import { arrangeAll, CHANGED_PART, rearrangeAll } from './arrangement.ts';
import type { CatalogueColumns } from './columns.ts';
import type { CatalogueData } from './data.ts';
import { type Memory, ownMemory } from './memory.ts';
import { countBefore, type OrderName, orders } from './orders.ts';
import { type Ranked, rankAgain, rankAll } from './ranks.ts';

/**
 * Builds a catalogue once.
 *
 * @param builtAt when the rows were read, in ms since 1970.
 */
export function buildCatalogue(columns: CatalogueColumns, builtAt: number): CatalogueData {
  return new CatalogueMaker(ownMemory).make(columns, undefined, builtAt).data;
}

/** A catalogue, and what it no longer needs. */
export interface Made {
  readonly data: CatalogueData;
  /** The memory that the catalogue before this one used and this one does not. */
  readonly replaced: ArrayBufferLike[];
}

interface Edition extends Ranked {
  readonly ranks: Int32Array;
  readonly buffers: ReadonlySet<ArrayBufferLike>;
}

/** Builds one catalogue after another. What did not change they share. */
export class CatalogueMaker {
  readonly #memory: Memory;
  #latest: Edition | undefined;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** How large the latest one is, in bytes. */
  get bytes(): number {
    return [...(this.#latest?.buffers ?? [])].reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * @param columns what the catalogue shares; see {@link CatalogueColumns}.
   * @param changed which positions changed since the columns were last built from; undefined for others.
   * @param builtAt when the rows were read, in ms since 1970.
   */
  make(columns: CatalogueColumns, changed: Uint32Array | undefined, builtAt: number): Made {
    const { length, handles } = columns;
    const sortable = { ids: columns.ids.subarray(0, length), numbers: cut(columns.numbers, length) };
    const active = columns.active.subarray(0, length);
    const update =
      changed !== undefined && changed.length * CHANGED_PART <= length && this.#latest !== undefined
        ? { earlier: this.#latest, changed }
        : undefined;
    const arrangement =
      update === undefined
        ? arrangeAll(sortable, columns.capacity, this.#memory)
        : rearrangeAll(sortable, update.earlier, update.changed, columns.capacity, this.#memory);
    const ranked = { sortable, active, arrangement };
    const ranks =
      update === undefined
        ? rankAll(ranked, columns.capacity, this.#memory)
        : rankAgain(ranked, update.earlier, update.changed, columns.capacity, this.#memory);
    const { total: _total, handleHash, ...numbers } = sortable.numbers;
    const data: CatalogueData = {
      revision: columns.revision,
      builtAt,
      importedAt: columns.importedAt,
      changed: update?.changed,
      ids: sortable.ids,
      revisions: columns.revisions.subarray(0, length),
      numbers,
      codes: cut(columns.codes, length),
      handles: {
        bytes: handles.bytes.subarray(0, columns.handleBytes),
        starts: handles.starts.subarray(0, length),
        lengths: handles.lengths.subarray(0, length),
        byHash: withValue(arrangement['handle-asc'], handleHash),
      },
      ranks,
      orders: Object.fromEntries(
        Object.keys(orders).map((name) => [name, arrangement[name as OrderName]]),
      ) as Record<OrderName, Uint32Array>,
    };
    const arrays = [...columns.arrays(), ...Object.values(arrangement), ranks];
    const buffers = new Set(arrays.map(({ buffer }) => buffer));
    const replaced = [...(this.#latest?.buffers ?? [])].filter((buffer) => !buffers.has(buffer));
    this.#latest = { ...ranked, ranks, buffers };
    return { data, replaced };
  }
}

/** The columns as far as they are filled. */
function cut<Name extends string, T extends { subarray(start: number, end: number): T }>(
  columns: Readonly<Record<Name, T>>,
  length: number,
): Record<Name, T> {
  return Object.fromEntries(
    Object.entries<T>(columns).map(([name, column]) => [name, column.subarray(0, length)]),
  ) as Record<Name, T>;
}

/** Those of a list, sorted by a column, that have a value there. */
function withValue(list: Uint32Array, column: Float64Array): Uint32Array {
  return list.subarray(
    0,
    countBefore(list, (position) => Number.isNaN(column[position])),
  );
}

import type { DatabaseIdentity } from '../../../db/revisions.ts';
import { dealScoreOf } from '../../model/deal-score.ts';
import type { OwnField } from '../../model/own-fields.ts';
import { priceMultiple } from '../../model/record.ts';
import {
  type ColumnName,
  columnArrays,
  detailColumns,
  findId,
  type OurColumnName,
  placeOf,
  plainColumns,
  type StoredColumns,
} from './columns.ts';
import type { CopyRow } from './copy-row.ts';
import { copyOf, type NumberArray, sharedArray, withGaps, without } from './memory.ts';
import { ownColumnsOf } from './own-columns.ts';
import { CHUNK_BYTES, noTexts, TextWriter, type WrittenTexts } from './text-writer.ts';

/** The last removal of a slug. */
export interface Removal {
  readonly slug: string;
  /** The id of the startup that had the slug. */
  readonly startupId: number;
  /** The dataset revision at which it happened. */
  readonly revision: number;
  /** In ms since 1970. */
  readonly removedAt: number;
}

/** The state of the database that the rows were read from. */
export interface RowsState extends DatabaseIdentity {
  /** The dataset revision that they were read at. */
  readonly revision: number;
  /** When the last import before that finished, in ms since 1970; null if there was none. */
  readonly importedAt: number | null;
  /** Removals up to this revision may be missing from `removals`. */
  readonly unrecordedRemovals: number;
  /** The last removal of each slug, in the order of changes. A startup may use the slug again. */
  readonly removals: readonly Removal[];
  /** The declared fields. */
  readonly own: readonly OwnField[];
}

/** The rows of one edition. They never change; a {@link RowWriter} creates the next ones. */
export interface StoredRows extends RowsState {
  readonly length: number;
  /** Arrays longer than `length`: the rest is capacity for more rows. */
  readonly columns: StoredColumns;
  readonly texts: WrittenTexts;
  readonly details: WrittenTexts;
}

/** What is packed, by the name of the column that holds where it is. */
const PACKED = ['texts', 'details'] as const;
type Packed = (typeof PACKED)[number];

/** What is written on top of: the rows of an edition, to change them, or none. */
interface Start {
  readonly base?: StoredRows | undefined;
  /** Without a base: an earlier edition, whose texts stay where they are if they are equal. */
  readonly known?: StoredRows | undefined;
  /** Without a base: for how many rows memory is allocated; it grows if there are more. */
  readonly capacity?: number | undefined;
  readonly chunkBytes?: number | undefined;
  /** The declared fields of the rows; with a base, those that it has, and new ones, of which its rows have no value. */
  readonly own: readonly OwnField[];
}

/** Thrown if a row belongs between others, and there is no room for it. */
export class RowBetweenOthers extends Error {}

const slots = Object.fromEntries(columnArrays.map(({ name }, slot) => [name, slot])) as Record<
  OurColumnName,
  number
>;
/** Where the columns after the id are in a row. */
const readSlots = plainColumns.slice(1).map(({ name, read }) => ({ slot: slots[name], read }));

/**
 * Writes rows straight into the columns of the next edition, in ascending order of ids. An array that an earlier
 * edition uses is copied before the first value in it changes; the capacity behind that edition's rows is shared.
 */
export class RowWriter {
  readonly #arrays: NumberArray[];
  /** How many rows of each array an earlier edition uses: they may not be overwritten. 0 once it was copied. */
  readonly #shared: Uint32Array;
  readonly #packed: Readonly<Record<Packed, TextWriter>>;
  readonly #known: StoredRows | undefined;
  /** Ids for whose rows there is room, which are not written yet. */
  readonly #room = new Set<number>();
  /** Where the columns of declared fields are, behind ours. */
  readonly #ownSlots: readonly { readonly slot: number; read(row: CopyRow): number }[];
  readonly #names: readonly ColumnName[];
  #length: number;

  constructor({ base, known, capacity = 0, chunkBytes = CHUNK_BYTES, own }: Start) {
    const ownColumns = ownColumnsOf(own);
    const all = [...columnArrays, ...ownColumns];
    this.#names = all.map(({ name }) => name);
    this.#ownSlots = ownColumns.map(({ read }, index) => ({ slot: columnArrays.length + index, read }));
    this.#arrays = all.map(({ name, array }) =>
      base === undefined
        ? sharedArray(array, capacity)
        : (base.columns[name] ?? sharedArray(array, base.columns.id.length).fill(Number.NaN)),
    );
    this.#shared = Uint32Array.from(all, ({ name }) => (base?.columns[name] === undefined ? 0 : base.length));
    this.#known = known;
    const earlier = base ?? known;
    this.#packed = {
      texts: new TextWriter(earlier?.texts ?? noTexts(chunkBytes)),
      details: new TextWriter(earlier?.details ?? noTexts(chunkBytes), detailColumns),
    };
    this.#length = base?.length ?? 0;
    if (base === undefined) {
      for (const name of PACKED) {
        this.#packed[name].forgetAll();
      }
    }
  }

  /** The number of rows. */
  get length(): number {
    return this.#length;
  }

  get lastId(): number | undefined {
    return this.#length === 0 ? undefined : this.#value('id', this.#length - 1);
  }

  /**
   * Writes a row in place of the one with its id, or after the last.
   *
   * @param row provides the selected columns of `columns.ts`, all of which are read.
   * @returns its id.
   * @throws RowBetweenOthers
   */
  write(row: CopyRow): number {
    const id = row.integer();
    const position = this.#positionOf(id);
    const isLast = position === this.#length;
    if (isLast) {
      this.#reserve();
      this.#length += 1;
    }
    const isNew = isLast || this.#room.delete(id);
    this.#set(slots.id, position, id);
    for (const { slot, read } of readSlots) {
      this.#set(slot, position, read(row));
    }
    for (const { slot, read } of this.#ownSlots) {
      this.#set(slot, position, read(row));
    }
    this.#derive(position);
    for (const name of PACKED) {
      this.#pack(name, position, row, isNew ? undefined : this.#value(name, position), id);
    }
    return id;
  }

  /**
   * Makes room for rows between others, of startups that return. Those behind them move. All are to be written then.
   *
   * @param ids ascending, not after the last row.
   */
  makeRoom(ids: readonly number[]): void {
    const known = this.#arrays[slots.id] as Int32Array;
    const added = ids.filter((id) => findId(known, this.#length, id) === undefined);
    const positions = added.map((id) => placeOf(known, this.#length, id));
    for (const [slot, array] of this.#arrays.entries()) {
      this.#arrays[slot] = withGaps(array, this.#length, positions);
    }
    this.#shared.fill(0);
    this.#length += added.length;
    for (const [index, id] of added.entries()) {
      this.#set(slots.id, (positions[index] as number) + index, id);
      this.#room.add(id);
    }
  }

  /** Removes the rows with these ids, as far as there are any. Those behind them move. */
  remove(ids: ReadonlySet<number>): void {
    const positions = [...ids]
      .map((id) => findId(this.#arrays[slots.id] as Int32Array, this.#length, id))
      .filter((position) => position !== undefined)
      .sort((a, b) => a - b);
    if (positions.length === 0) {
      return;
    }
    for (const name of PACKED) {
      for (const position of positions) {
        this.#packed[name].forget(this.#value(name, position));
      }
    }
    for (const [slot, array] of this.#arrays.entries()) {
      this.#arrays[slot] = without(array, this.#length, positions);
    }
    this.#shared.fill(0);
    this.#length -= positions.length;
  }

  /** Finishes writing. */
  finish(state: RowsState): StoredRows {
    PACKED.forEach((name) => {
      this.#movePacked(name);
    });
    const columns = Object.fromEntries(this.#names.map((name, slot) => [name, this.#arrays[slot]]));
    return {
      ...state,
      length: this.#length,
      columns: columns as unknown as StoredColumns,
      texts: this.#packed.texts.finish(),
      details: this.#packed.details.finish(),
    };
  }

  #value(name: OurColumnName, position: number): number {
    return this.#arrays[slots[name]]?.[position] as number;
  }

  #positionOf(id: number): number {
    const last = this.lastId;
    if (last === undefined || id > last) {
      return this.#length;
    }
    const position = findId(this.#arrays[slots.id] as Int32Array, this.#length, id);
    if (position === undefined) {
      throw new RowBetweenOthers(`The startup ${id} is new and not the last.`);
    }
    return position;
  }

  /** @param before where it is packed; undefined for a new row. */
  #pack(name: Packed, position: number, row: CopyRow, before: number | undefined, id: number): void {
    const writer = this.#packed[name];
    const unit = writer.write(row, before ?? this.#knownUnit(name, id));
    if (unit === before) {
      return;
    }
    if (before !== undefined) {
      writer.forget(before);
    }
    writer.use(unit);
    this.#set(slots[name], position, unit);
    if (name === 'texts') {
      this.#set(slots.handleHash, position, writer.handleHash(unit));
      this.#set(slots.websiteKey, position, writer.websiteKey(unit));
      this.#set(slots.slugHash, position, writer.slugHash(unit));
      this.#set(slots.descriptionCut, position, writer.descriptionCut(unit));
    }
  }

  #knownUnit(name: Packed, id: number): number | undefined {
    const known = this.#known;
    const position = known && findId(known.columns.id, known.length, id);
    return position === undefined ? undefined : known?.columns[name][position];
  }

  #set(slot: number, position: number, value: number): void {
    let array = this.#arrays[slot] as NumberArray;
    if (position < (this.#shared[slot] as number)) {
      if (Object.is(array[position], value)) {
        return;
      }
      array = copyOf(array);
      this.#arrays[slot] = array;
      this.#shared[slot] = 0;
    }
    array[position] = value;
  }

  #derive(position: number): void {
    const value = (name: OurColumnName): number => this.#value(name, position);
    const price = value('askingPrice');
    const multiple = priceMultiple(price, value('revenueLast30Days'));
    const isDeal = value('onSale') === 1 && price > 0;
    const dealScore = dealScoreOf(multiple, value('profitMarginLast30Days'), value('growth30d'));
    this.#set(slots.multiple, position, multiple);
    this.#set(slots.dealScore, position, isDeal ? dealScore : Number.NaN);
  }

  /** Moves what is packed in chunks that consist mostly of gaps. */
  #movePacked(name: Packed): void {
    const writer = this.#packed[name];
    const sparse = writer.sparseChunks();
    if (sparse.size > 0) {
      for (let position = 0; position < this.#length; position += 1) {
        const unit = this.#value(name, position);
        if (sparse.has(writer.numberOfChunk(unit))) {
          this.#set(slots[name], position, writer.move(unit));
        }
      }
      writer.remove(sparse);
    }
  }

  /** Ensures capacity for a row after the last. */
  #reserve(): void {
    const capacity = this.#arrays[slots.id]?.length ?? 0;
    if (this.#length === capacity) {
      for (const [slot, array] of this.#arrays.entries()) {
        this.#arrays[slot] = copyOf(array, capacity + (capacity >> 2) + 16);
      }
      this.#shared.fill(0);
    }
  }
}

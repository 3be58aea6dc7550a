import { type CodeArray, type CodeColumn, codeArrayKind } from './codes.ts';
import type { NumberColumn } from './data.ts';
import { multipleOf, paybackOf } from './deal.ts';
import { type HandleColumn, handleAt, hashBytes } from './handles.ts';
import { arrayIn, copyIn, type Memory, type NumberArray, ownMemory } from './memory.ts';

const numberNames = [
  'revenue',
  'mrr',
  'total',
  'price',
  'growth',
  'listedAt',
  'multiple',
  'payback',
  'handleHash',
] as const;
/**
 * The numbers of a catalogue, and two that only building it needs: `total` (cents), by which ranks are
 * given, and the hash by which handles are found.
 */
export type BuildColumn = NumberColumn | 'total' | 'handleHash';

export const codeNames = [
  'category',
  'paymentProvider',
  'targetAudience',
  'teamSize',
  'fundingStatus',
  'country',
  'onSale',
] as const satisfies readonly CodeColumn[];

/**
 * The columns a catalogue is built from, filled row by row in ascending order of ids. Whoever was given an
 * array as far as it was filled may go on reading it: what changes there later, changes in a copy.
 */
export class CatalogueColumns {
  /** The dataset revision that the rows were read at. */
  revision = 0;
  /** When the last import before that had finished, in ms since 1970; null where there was none. */
  importedAt: number | null = null;
  /** How many rows are filled. */
  length = 0;
  ids: Int32Array;
  /** The dataset revision that last changed each row. */
  revisions: Float64Array;
  active: Uint8Array;
  readonly numbers = {} as Record<BuildColumn, Float64Array>;
  readonly codes = {} as Record<CodeColumn, CodeArray>;
  readonly handles: HandleColumn;
  readonly #memory: Memory;
  #handleBytes = 0;
  /** Bytes of handles that rows no longer have. */
  #wastedBytes = 0;

  /** @param capacity how many rows to leave room for; more find room when they come. */
  constructor(capacity = 16, memory: Memory = ownMemory) {
    this.#memory = memory;
    this.ids = arrayIn(memory, Int32Array, capacity);
    this.revisions = arrayIn(memory, Float64Array, capacity);
    this.active = arrayIn(memory, Uint8Array, capacity);
    for (const name of numberNames) {
      this.numbers[name] = arrayIn(memory, Float64Array, capacity);
    }
    for (const name of codeNames) {
      this.codes[name] = arrayIn<CodeArray>(memory, codeArrayKind(name), capacity);
    }
    this.handles = {
      bytes: arrayIn(memory, Uint8Array, capacity * 8),
      starts: arrayIn(memory, Uint32Array, capacity),
      lengths: arrayIn(memory, Uint8Array, capacity),
    };
  }

  /** How many rows there is room for. */
  get capacity(): number {
    return this.ids.length;
  }

  /** How many bytes of handles are filled. */
  get handleBytes(): number {
    return this.#handleBytes;
  }

  /** Every array. */
  arrays(): NumberArray[] {
    const { ids, revisions, active, numbers, codes, handles } = this;
    return [{ ids, revisions, active }, numbers, codes, handles].flatMap((group): NumberArray[] =>
      Object.values(group),
    );
  }

  /** Room for one more row, at the position returned. The caller fills every column there. */
  add(): number {
    if (this.length === this.capacity) {
      this.#reserve(this.length + (this.length >> 2) + 16);
    }
    this.length += 1;
    return this.length - 1;
  }

  /** Works out what follows from a row's price, revenue, growth and margin. The last two are percentages. */
  derive(position: number, margin: number): void {
    const { revenue, price, growth, multiple, payback } = this.numbers;
    const asked = price[position] as number;
    const times = multipleOf(asked, revenue[position] as number);
    multiple[position] = times;
    payback[position] =
      this.codes.onSale[position] === 1 && asked > 0
        ? paybackOf(times, margin, growth[position] as number)
        : Number.NaN;
  }

  /** Sets a row's handle, and its hash, from ASCII bytes of any case; an empty range is null. */
  setHandle(position: number, source: Uint8Array, start: number, end: number): void {
    const { handles } = this;
    if (this.#handleBytes + end - start > handles.bytes.length) {
      handles.bytes = copyIn(this.#memory, handles.bytes, 2 * handles.bytes.length + 64);
    }
    handles.starts[position] = this.#handleBytes;
    handles.lengths[position] = end - start;
    for (let at = start; at < end; at += 1) {
      const byte = source[at] as number;
      handles.bytes[this.#handleBytes] = byte >= 65 && byte <= 90 ? byte + 32 : byte;
      this.#handleBytes += 1;
    }
    this.numbers.handleHash[position] =
      end === start ? Number.NaN : hashBytes(handles.bytes, handles.starts[position], this.#handleBytes);
  }

  /**
   * Takes over the rows of other columns, each in the place of the one of its id or after the last.
   *
   * @returns where, in ascending order; undefined where that cannot be done (a row belongs between others)
   * or too much waste has gathered from such changes. The columns are of no use then.
   */
  merge(changes: CatalogueColumns): Uint32Array | undefined {
    const known = this.length;
    const positions = new Uint32Array(changes.length);
    for (let row = 0; row < changes.length; row += 1) {
      const id = changes.ids[row] as number;
      const last = this.ids[this.length - 1];
      const position = last === undefined || id > last ? this.add() : findId(this.ids, this.length, id);
      if (position === undefined) {
        return undefined;
      }
      if (position >= known) {
        this.ids[position] = id;
      }
      positions[row] = position;
    }
    this.#mergeHandles(changes, positions, known);
    this.#replaceEach((array, changed) => this.#merged(array, changed, positions, known), changes);
    return this.#wastedBytes <= this.#handleBytes / 2 ? positions : undefined;
  }

  /** An array with the changes at their positions: another one where some of the first `known` change. */
  #merged<T extends NumberArray>(array: T, changed: T, positions: Uint32Array, known: number): T {
    let merged = array;
    for (let row = 0; row < positions.length; row += 1) {
      const position = positions[row] as number;
      const value = changed[row] as number;
      if (position < known && merged === array && !Object.is(array[position], value)) {
        merged = copyIn(this.#memory, array);
      }
      merged[position] = value;
    }
    return merged;
  }

  /** To be called while their hashes still are those of before. */
  #mergeHandles({ handles }: CatalogueColumns, positions: Uint32Array, known: number): void {
    let isCopied = false;
    for (let row = 0; row < positions.length; row += 1) {
      const position = positions[row] as number;
      const start = handles.starts[row] as number;
      const end = start + (handles.lengths[row] as number);
      if (position < known) {
        if (Buffer.compare(handleAt(this.handles, position), handleAt(handles, row)) === 0) {
          continue;
        }
        if (!isCopied) {
          isCopied = true;
          this.handles.starts = copyIn(this.#memory, this.handles.starts);
          this.handles.lengths = copyIn(this.#memory, this.handles.lengths);
          this.numbers.handleHash = copyIn(this.#memory, this.numbers.handleHash);
        }
        this.#wastedBytes += this.handles.lengths[position] as number;
      }
      this.setHandle(position, handles.bytes, start, end);
    }
  }

  #reserve(capacity: number): void {
    this.#replaceEach((array) => copyIn(this.#memory, array, capacity));
    this.handles.starts = copyIn(this.#memory, this.handles.starts, capacity);
    this.handles.lengths = copyIn(this.#memory, this.handles.lengths, capacity);
  }

  /** Puts another array in the place of each but those of handles, given it and that of other columns. */
  #replaceEach(
    make: <T extends NumberArray>(array: T, other: T) => T,
    { ids, revisions, active, numbers, codes }: CatalogueColumns = this,
  ): void {
    this.ids = make(this.ids, ids);
    this.revisions = make(this.revisions, revisions);
    this.active = make(this.active, active);
    for (const name of numberNames) {
      this.numbers[name] = make(this.numbers[name], numbers[name]);
    }
    for (const name of codeNames) {
      this.codes[name] = make(this.codes[name], codes[name]);
    }
  }
}

/** The position of an id among the first `length` ones, which ascend; undefined where it is not there. */
export function findId(ids: Int32Array, length: number, id: number): number | undefined {
  if (length === 0) {
    return undefined;
  }
  // No two ids are the same, which leaves few positions: one, where there are no gaps.
  let low = Math.max(0, length - 1 - ((ids[length - 1] as number) - id));
  for (let high = Math.min(length, id - (ids[0] as number) + 1); low < high; ) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < length && ids[low] === id ? low : undefined;
}

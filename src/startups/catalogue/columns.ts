import { normalizeHandle } from '../filter.ts';
import { type CodeArray, type CodeColumn, codeArray, encode } from './codes.ts';
import { type HandleColumn, hashBytes } from './handles.ts';

/**
 * What a catalogue knows of one startup. Rows of the `startups` table as Prisma reads them fit.
 * Money is in US cents, growth and margin are percentages.
 */
export interface CatalogueRow {
  readonly id: number;
  /** The dataset revision that last changed it; 0 where that does not matter. */
  readonly revision?: number | bigint;
  readonly category: string | null;
  readonly paymentProvider: string;
  readonly country: string | null;
  readonly targetAudience: string | null;
  readonly teamSize: string | null;
  readonly fundingStatus: string | null;
  readonly onSale: boolean;
  readonly active: boolean;
  readonly revenueLast30Days: number | bigint;
  readonly revenueMrr: number | bigint;
  readonly revenueTotal: number | bigint;
  readonly askingPrice: number | bigint | null;
  readonly growth30d: number | null;
  readonly profitMarginLast30Days: number | null;
  readonly firstListedForSaleAt: Date | null;
  readonly xHandle: string | null;
}

const inputNames = [
  'revenue',
  'mrr',
  'total',
  'price',
  'growth',
  'margin',
  'listedAt',
  'handleHash',
] as const;
/**
 * The stored numbers: cents, percentages, and (listedAt) ms since 1970; and the hash by which handles
 * are found. NaN is null; -0 never occurs.
 */
export type InputColumn = (typeof inputNames)[number];

const codeNames = [
  'category',
  'paymentProvider',
  'targetAudience',
  'teamSize',
  'fundingStatus',
  'country',
  'onSale',
] as const satisfies readonly CodeColumn[];

/** The columns a catalogue is built from, filled row by row in ascending order of ids. */
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
  readonly numbers = {} as Record<InputColumn, Float64Array>;
  readonly codes = {} as Record<CodeColumn, CodeArray>;
  readonly handles: HandleColumn;
  #handleBytes = 0;
  /** Bytes of handles that rows no longer have. */
  #wastedBytes = 0;

  /** @param capacity how many rows to leave room for; more find room when they come. */
  constructor(capacity = 16) {
    this.ids = new Int32Array(capacity);
    this.revisions = new Float64Array(capacity);
    this.active = new Uint8Array(capacity);
    for (const name of inputNames) {
      this.numbers[name] = new Float64Array(capacity);
    }
    for (const name of codeNames) {
      this.codes[name] = codeArray(name, capacity);
    }
    this.handles = {
      bytes: new Uint8Array(capacity * 8),
      starts: new Uint32Array(capacity),
      lengths: new Uint8Array(capacity),
    };
  }

  /** Room for one more row, at the position returned. The caller fills every column there. */
  add(): number {
    if (this.length === this.ids.length) {
      this.#reserve(this.length + (this.length >> 2) + 16);
    }
    this.length += 1;
    return this.length - 1;
  }

  /** Sets a row's handle, and its hash, from ASCII bytes of any case; an empty range is null. */
  setHandle(position: number, source: Uint8Array, start: number, end: number): void {
    const { handles } = this;
    if (this.#handleBytes + end - start > handles.bytes.length) {
      handles.bytes = grown(handles.bytes, 2 * handles.bytes.length + 64);
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

  /** The codes as far as they are filled, in arrays of their own. */
  copyCodes(): Record<CodeColumn, CodeArray> {
    return Object.fromEntries(
      codeNames.map((name) => [name, this.codes[name].slice(0, this.length)]),
    ) as Record<CodeColumn, CodeArray>;
  }

  /** The handles as they stand, in arrays of their own. */
  copyHandles(): HandleColumn {
    return {
      bytes: this.handles.bytes.slice(0, this.#handleBytes),
      starts: this.handles.starts.slice(0, this.length),
      lengths: this.handles.lengths.slice(0, this.length),
    };
  }

  /**
   * Takes over the rows of other columns, each in the place of the one of its id or after the last.
   *
   * @returns where, in ascending order; undefined where that cannot be done (a row belongs between others)
   * or too much waste has gathered from such changes. The columns are of no use then.
   */
  merge(changes: CatalogueColumns): Uint32Array | undefined {
    const changed = new Uint32Array(changes.length);
    for (let row = 0; row < changes.length; row += 1) {
      const id = changes.ids[row] as number;
      const last = this.ids[this.length - 1];
      const position = last === undefined || id > last ? this.add() : findId(this.ids, this.length, id);
      if (position === undefined) {
        return undefined;
      }
      this.#copyRow(position, changes, row);
      changed[row] = position;
    }
    return this.#wastedBytes <= this.#handleBytes / 2 ? changed : undefined;
  }

  #copyRow(position: number, from: CatalogueColumns, row: number): void {
    this.ids[position] = from.ids[row] as number;
    this.revisions[position] = from.revisions[row] as number;
    this.active[position] = from.active[row] as number;
    for (const name of inputNames) {
      this.numbers[name][position] = from.numbers[name][row] as number;
    }
    for (const name of codeNames) {
      this.codes[name][position] = from.codes[name][row] as number;
    }
    this.#wastedBytes += this.handles.lengths[position] as number;
    const start = from.handles.starts[row] as number;
    this.setHandle(position, from.handles.bytes, start, start + (from.handles.lengths[row] as number));
  }

  #reserve(capacity: number): void {
    this.ids = grown(this.ids, capacity);
    this.revisions = grown(this.revisions, capacity);
    this.active = grown(this.active, capacity);
    for (const name of inputNames) {
      this.numbers[name] = grown(this.numbers[name], capacity);
    }
    for (const name of codeNames) {
      this.codes[name] = grown(this.codes[name], capacity);
    }
    this.handles.starts = grown(this.handles.starts, capacity);
    this.handles.lengths = grown(this.handles.lengths, capacity);
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

/** The columns of rows that are in ascending order of ids. */
export function columnsOf(rows: Iterable<CatalogueRow>, revision = 0): CatalogueColumns {
  const columns = new CatalogueColumns();
  const { numbers, codes } = columns;
  for (const row of rows) {
    const at = columns.add();
    columns.ids[at] = row.id;
    columns.revisions[at] = Number(row.revision ?? 0);
    columns.active[at] = Number(row.active);
    numbers.revenue[at] = Number(row.revenueLast30Days);
    numbers.mrr[at] = Number(row.revenueMrr);
    numbers.total[at] = Number(row.revenueTotal);
    numbers.price[at] = numberOrNaN(row.askingPrice);
    numbers.growth[at] = numberOrNaN(row.growth30d);
    numbers.margin[at] = numberOrNaN(row.profitMarginLast30Days);
    numbers.listedAt[at] = numberOrNaN(row.firstListedForSaleAt?.getTime() ?? null);
    for (const name of codeNames) {
      codes[name][at] = encode(name, row[name]);
    }
    const handle = Buffer.from(row.xHandle === null ? '' : normalizeHandle(row.xHandle));
    columns.setHandle(at, handle, 0, handle.length);
  }
  columns.revision = revision;
  return columns;
}

/** Adding 0 makes 0 of -0, which equals it but would be sorted apart. */
function numberOrNaN(value: number | bigint | null): number {
  return value === null ? Number.NaN : Number(value) + 0;
}

type Growable = Int32Array | Uint8Array | Uint16Array | Uint32Array | Float64Array;

function grown<T extends Growable>(array: T, length: number): T {
  const larger = new (array.constructor as new (length: number) => T)(length);
  larger.set(array);
  return larger;
}

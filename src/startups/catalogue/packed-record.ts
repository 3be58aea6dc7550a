import type { StartupRecord } from '../record.ts';
import { decode } from './codes.ts';
import { type ColumnName, plainColumns, type TextColumn, textColumns } from './columns.ts';
import type { CatalogueData } from './data.ts';
import type { NumberArray } from './memory.ts';
import { isAscii, lengthOf, NULL_TEXT } from './texts.ts';

// A record's cells: its columns, its rank, and a word for each of its texts.
const RANK = plainColumns.length;
const FIRST_TEXT = RANK + 1;
const CELLS = FIRST_TEXT + textColumns.length;
const cell = Object.fromEntries(
  [...plainColumns.map(({ name }) => name), 'rank', ...textColumns].map((name, index) => [name, index]),
) as Record<ColumnName | 'rank' | TextColumn, number>;

// An array of floating-point numbers from the beginning.
const emptyCells = Array.from({ length: CELLS }, () => Number.NaN);

/** Reads records of one edition. */
export class RecordReader {
  readonly #data: CatalogueData;
  readonly #arrays: readonly NumberArray[];

  constructor(data: CatalogueData) {
    this.#data = data;
    this.#arrays = [...plainColumns.map(({ name }) => data.columns[name]), data.ranks];
  }

  /** The records at the given positions. Their texts are read on first access. */
  read(positions: ArrayLike<number>): StartupRecord[] {
    const { texts, columns } = this.#data;
    const cells: number[][] = [];
    // All cells before any text: they are far apart in memory, and the processor loads many of them in parallel.
    for (let index = 0; index < positions.length; index += 1) {
      cells.push(this.#readCells(positions[index] as number));
    }
    const records: StartupRecord[] = [];
    for (let index = 0; index < positions.length; index += 1) {
      const place = columns.texts[positions[index] as number] as number;
      const own = cells[index] as number[];
      records.push(new PackedRecord(own, texts.bytesAt(place), texts.startAt(place)));
    }
    return records;
  }

  #readCells(position: number): number[] {
    const { columns, texts } = this.#data;
    const cells = emptyCells.slice();
    for (let index = 0; index < this.#arrays.length; index += 1) {
      cells[index] = (this.#arrays[index] as NumberArray)[position] as number;
    }
    texts.readOffsets(columns.texts[position] as number, cells, FIRST_TEXT);
    return cells;
  }
}

/** A record that creates each value on access. */
class PackedRecord implements StartupRecord {
  readonly #cells: readonly number[];
  readonly #bytes: Buffer;
  /** Where its texts begin in the bytes. */
  readonly #start: number;
  /** All texts concatenated, each byte as one character. */
  #texts: string | undefined;
  #name: string | null | undefined;
  #slug: string | null | undefined;
  #icon: string | null | undefined;
  #description: string | null | undefined;
  #website: string | null | undefined;
  #xHandle: string | null | undefined;
  #foundedDate: Date | null | undefined;
  #firstListedForSaleAt: Date | null | undefined;

  constructor(cells: readonly number[], bytes: Buffer, start: number) {
    this.#cells = cells;
    this.#bytes = bytes;
    this.#start = start;
  }

  get id(): number {
    return this.#cell(cell.id);
  }

  get revision(): bigint {
    return toBigInt(this.#cell(cell.revision));
  }

  get sample(): boolean {
    return this.#cell(cell.sample) === 1;
  }

  get createdAt(): Date {
    return new Date(this.#cell(cell.createdAt));
  }

  get updatedAt(): Date {
    return new Date(this.#cell(cell.updatedAt));
  }

  get name(): string {
    this.#name ??= this.#text(cell.name);
    return this.#name as string;
  }

  get slug(): string {
    this.#slug ??= this.#text(cell.slug);
    return this.#slug as string;
  }

  get icon(): string | null {
    this.#icon ??= this.#text(cell.icon);
    return this.#icon;
  }

  get description(): string | null {
    this.#description ??= this.#text(cell.description);
    return this.#description;
  }

  get website(): string | null {
    this.#website ??= this.#text(cell.website);
    return this.#website;
  }

  get country(): string | null {
    return decode('country', this.#cell(cell.country));
  }

  get foundedDate(): Date | null {
    this.#foundedDate ??= dateOrNull(this.#cell(cell.foundedDate));
    return this.#foundedDate;
  }

  get category(): string | null {
    return decode('category', this.#cell(cell.category));
  }

  get paymentProvider(): string {
    return decode('paymentProvider', this.#cell(cell.paymentProvider)) as string;
  }

  get targetAudience(): string | null {
    return decode('targetAudience', this.#cell(cell.targetAudience));
  }

  get revenueLast30Days(): bigint {
    return toBigInt(this.#cell(cell.revenueLast30Days));
  }

  get revenueMrr(): bigint {
    return toBigInt(this.#cell(cell.revenueMrr));
  }

  get revenueTotal(): bigint {
    return toBigInt(this.#cell(cell.revenueTotal));
  }

  get customers(): number {
    return countOrNull(this.#cell(cell.customers)) as number;
  }

  get activeSubscriptions(): number {
    return countOrNull(this.#cell(cell.activeSubscriptions)) as number;
  }

  get askingPrice(): bigint | null {
    const cents = this.#cell(cell.askingPrice);
    return Number.isNaN(cents) ? null : toBigInt(cents);
  }

  get profitMarginLast30Days(): number | null {
    return numberOrNull(this.#cell(cell.profitMarginLast30Days));
  }

  get growth30d(): number | null {
    return numberOrNull(this.#cell(cell.growth30d));
  }

  get growthMRR30d(): number | null {
    return numberOrNull(this.#cell(cell.growthMRR30d));
  }

  get visitorsLast30Days(): number | null {
    return countOrNull(this.#cell(cell.visitorsLast30Days));
  }

  get googleSearchImpressionsLast30Days(): number | null {
    return countOrNull(this.#cell(cell.googleSearchImpressionsLast30Days));
  }

  get onSale(): boolean {
    return this.#cell(cell.onSale) === 1;
  }

  get firstListedForSaleAt(): Date | null {
    this.#firstListedForSaleAt ??= dateOrNull(this.#cell(cell.firstListedForSaleAt));
    return this.#firstListedForSaleAt;
  }

  get xHandle(): string | null {
    this.#xHandle ??= this.#text(cell.xHandle);
    return this.#xHandle;
  }

  get teamSize(): string | null {
    return decode('teamSize', this.#cell(cell.teamSize));
  }

  get fundingStatus(): string | null {
    return decode('fundingStatus', this.#cell(cell.fundingStatus));
  }

  get active(): boolean {
    return this.#cell(cell.active) === 1;
  }

  get rank(): number | null {
    return this.#cell(cell.rank) || null;
  }

  #cell(index: number): number {
    return this.#cells[index] as number;
  }

  #text(index: number): string | null {
    const entry = this.#cell(index);
    if (entry === NULL_TEXT) {
      return null;
    }
    let start = 0;
    for (let before = FIRST_TEXT; before < index; before += 1) {
      start += lengthOf(this.#cell(before));
    }
    const end = start + lengthOf(entry);
    if (!isAscii(entry)) {
      return this.#bytes.toString('utf8', this.#start + start, this.#start + end);
    }
    // Reading all texts together takes hardly longer than reading one.
    this.#texts ??= this.#bytes.toString('latin1', this.#start, this.#start + this.#length());
    return this.#texts.slice(start, end);
  }

  /** The length of all texts together, in bytes. */
  #length(): number {
    let length = 0;
    for (let index = FIRST_TEXT; index < CELLS; index += 1) {
      length += lengthOf(this.#cell(index));
    }
    return length;
  }
}

const halves = new Uint32Array(2);
const whole = new BigInt64Array(halves.buffer);

/** For an integer from 0 to 2^53. `BigInt()` takes ten times as long. */
function toBigInt(value: number): bigint {
  halves[0] = value;
  halves[1] = value / 2 ** 32;
  return whole[0] as bigint;
}

function numberOrNull(value: number): number | null {
  return Number.isNaN(value) ? null : value;
}

function countOrNull(value: number): number | null {
  return value === 0 ? null : value - 1;
}

function dateOrNull(value: number): Date | null {
  return Number.isNaN(value) ? null : new Date(value);
}

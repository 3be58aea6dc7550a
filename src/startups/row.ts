import { allocate, type Room } from '../byte-store.ts';
import type { Startup } from '../db/generated/client/client.ts';
import { type StartupFieldKind, storedStartupFields } from './fields.ts';
import type { StartupRecord } from './record.ts';

/** What a column holds, as a number beside the texts. Null is NaN. */
interface ColumnKind {
  /** An SQL expression that gives the number. */
  toNumber(column: string): string;
  read(number: number, row: RowRecord): unknown;
}

/** Of texts the database gives the lengths, in bytes; from {@link eachRow} on they are spans. */
const text: ColumnKind = {
  toNumber: (column) => `octet_length(textsend(${column}))`,
  read: (number, row) => row.text(number),
};
/** Text that is ASCII, by the table's constraints. */
const plainText: ColumnKind = { ...text, read: (number, row) => row.plainText(number) };
const number: ColumnKind = { toNumber: (column) => column, read: (value) => value };
// Both an amount and a revision are at most 2^53 − 1.
const bigint: ColumnKind = { toNumber: (column) => column, read: (value) => BigInt(value) };
const boolean: ColumnKind = { toNumber: (column) => `${column}::int`, read: (value) => value === 1 };
const date: ColumnKind = {
  toNumber: (column) => `round(date_part('epoch', ${column}) * 1000)`,
  read: (value) => new Date(value),
};

const kinds: { readonly [K in StartupFieldKind]: ColumnKind } = {
  string: text,
  // Not cut from another text, which would be kept in memory with each slug that is.
  slug: text,
  url: text,
  country: plainText,
  choice: plainText,
  handle: plainText,
  date,
  cents: bigint,
  count: number,
  percent: number,
  ratio: number,
  boolean,
};

const columns: readonly { readonly property: keyof Startup; readonly column: string; kind: ColumnKind }[] = [
  { property: 'id', column: 'id', kind: number },
  { property: 'revision', column: 'revision', kind: bigint },
  { property: 'sample', column: 'sample', kind: boolean },
  ...storedStartupFields.map(({ property, column, kind }) => ({
    ...{ property: property as keyof Startup, column },
    kind: kinds[kind],
  })),
];
const ID = columns.findIndex(({ property }) => property === 'id');
const REVISION = columns.findIndex(({ property }) => property === 'revision');
const textSlots = columns.flatMap(({ kind }, slot) => (kind === text || kind === plainText ? slot : []));

const NUMBERS_SIZE = columns.length * Float64Array.BYTES_PER_ELEMENT;

/**
 * SQL aggregates that give whole rows as {@link GivenRows}. Texts are in the client's encoding, which is UTF-8.
 */
export const rowsExpression = [
  'count(*)',
  `string_agg(concat(${columns.map(({ column, kind }) => kind.toNumber(`"${column}"`)).join(", ',', ")}), ',')`,
  `string_agg(concat(${textSlots.map((slot) => `"${columns[slot]?.column}"`).join()}), '')`,
].join();

/**
 * How many rows, the numbers of all their columns with commas between, where null is nothing, and their texts
 * one after the other; null where there are no rows. Together they cost the driver a fraction of what a
 * message for each row does.
 */
export type GivenRows = readonly [count: string, numbers: string | null, texts: string | null];

/** One of them. */
export interface GivenRow {
  readonly id: number;
  /** In bytes, as it will lie. */
  readonly size: number;
  /** Where its numbers are. */
  readonly head: Room;
  readonly texts: Buffer;
  /** Where its texts begin. */
  readonly textsAt: number;
}

/** Hands on each of the rows. */
export function eachRow([count, numbersText, textsText]: GivenRows, take: (row: GivenRow) => void): void {
  const { bytes, numbers } = allocate(Number(count) * NUMBERS_SIZE);
  readNumbers(numbersText ?? '', numbers);
  const texts = Buffer.from(textsText ?? '');
  let textsAt = 0;
  for (let first = 0; first < numbers.length; first += columns.length) {
    const head = { bytes, numbers, start: first * Float64Array.BYTES_PER_ELEMENT, first };
    const size = spanTexts(head);
    take({ id: idIn(head), size, head, texts, textsAt });
    textsAt += size - NUMBERS_SIZE;
  }
}

const COMMA = 44;
const ZERO = 48;
const NINE = 57;

/** Reads numbers with commas between; most of them are digits alone. */
function readNumbers(text: string, numbers: Float64Array): void {
  let at = 0;
  for (let index = 0; index < numbers.length; index += 1) {
    const begin = at;
    let number = 0;
    let code = text.charCodeAt(at);
    while (code >= ZERO && code <= NINE) {
      number = number * 10 + (code - ZERO);
      at += 1;
      code = text.charCodeAt(at);
    }
    if (at < text.length && code !== COMMA) {
      const comma = text.indexOf(',', at);
      at = comma === -1 ? text.length : comma;
      number = Number(text.slice(begin, at));
    }
    numbers[index] = at === begin ? Number.NaN : number;
    at += 1;
  }
}

export function placeRow({ size, head, texts, textsAt }: GivenRow, { bytes, start }: Room): void {
  head.bytes.copy(bytes, start, head.start, head.start + NUMBERS_SIZE);
  texts.copy(bytes, start + NUMBERS_SIZE, textsAt, textsAt + size - NUMBERS_SIZE);
}

const numberIn = ({ numbers, first }: Room, slot: number): number => numbers[first + slot] as number;

// Where a text begins in its row and how long it is, in one number. A row is shorter by far.
const SPAN_UNIT = 2 ** 26;
const beginOf = (span: number): number => Math.floor(span / SPAN_UNIT);
const lengthOf = (span: number): number => span - beginOf(span) * SPAN_UNIT;

/** Makes spans of the lengths of texts that lie behind each other; returns where the last one ends. */
function spanTexts({ numbers, first }: Room): number {
  let end = NUMBERS_SIZE;
  for (const slot of textSlots) {
    const length = numbers[first + slot] as number;
    if (!Number.isNaN(length)) {
      numbers[first + slot] = end * SPAN_UNIT + length;
      end += length;
    }
  }
  return end;
}

/** In bytes. */
export function sizeIn(room: Room): number {
  const last = textSlots.findLast((slot) => !Number.isNaN(numberIn(room, slot)));
  const span = last === undefined ? NUMBERS_SIZE * SPAN_UNIT : numberIn(room, last);
  return beginOf(span) + lengthOf(span);
}

export function idIn(room: Room): number {
  return numberIn(room, ID);
}

export function revisionIn(room: Room): number {
  return numberIn(room, REVISION);
}

/** A record that is read where its row lies, a column when it is asked for. */
class RowRecord {
  readonly rank: number | null;
  readonly room: Room;
  /** All texts, each byte as a character. */
  #bytes: string | undefined;

  constructor(room: Room, rank: number | null) {
    this.rank = rank;
    this.room = room;
  }

  text(span: number): string {
    const begin = this.room.start + beginOf(span);
    return this.room.bytes.toString('utf8', begin, begin + lengthOf(span));
  }

  /** The same where each byte is a character: all such texts together cost as much as one. */
  plainText(span: number): string {
    const { bytes, start } = this.room;
    this.#bytes ??= bytes.toString('latin1', start + NUMBERS_SIZE, start + sizeIn(this.room));
    const begin = beginOf(span) - NUMBERS_SIZE;
    return this.#bytes.slice(begin, begin + lengthOf(span));
  }
}

for (const [slot, { property, kind }] of columns.entries()) {
  Object.defineProperty(RowRecord.prototype, property, {
    get(this: RowRecord) {
      const value = numberIn(this.room, slot);
      return Number.isNaN(value) ? null : kind.read(value, this);
    },
  });
}

export function readRow(room: Room, rank: number | null): StartupRecord {
  return new RowRecord(room, rank) as unknown as StartupRecord;
}

/** Where the row of a record lies. */
export function roomOf(record: StartupRecord): Room {
  return (record as unknown as RowRecord).room;
}

import { allocate, type Room } from '../byte-store.ts';
import type { Startup } from '../db/generated/client/client.ts';
import { type StartupFieldKind, storedStartupFields } from './fields.ts';
import type { StartupRecord } from './record.ts';

/** What a column holds, as a number beside the texts. Null is NaN. */
interface ColumnKind {
  /** An SQL expression that gives the number. */
  toNumber(column: string): string;
  read(number: number, room: Room, slot: number): unknown;
}

const text: ColumnKind = {
  toNumber: (column) => `octet_length(textsend(${column}))`,
  read: (length, room, slot) => {
    const begin = room.start + textOffset(room, slot);
    return room.bytes.toString('utf8', begin, begin + length);
  },
};
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
  slug: text,
  url: text,
  country: text,
  choice: text,
  handle: text,
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
const textSlots = columns.flatMap(({ kind }, slot) => (kind === text ? slot : []));

const NUMBERS_SIZE = columns.length * Float64Array.BYTES_PER_ELEMENT;

/**
 * Two SQL aggregates that give whole rows as {@link GivenRows}: a number of eight bytes for each column, the
 * most significant byte first, and the texts. Texts are in the client's encoding, which is UTF-8.
 */
export const rowsExpression = [
  columns
    .map(({ column, kind }) => `float8send(coalesce((${kind.toNumber(`"${column}"`)})::float8, 'NaN'))`)
    .join(' || '),
  `textsend(concat(${textSlots.map((slot) => `"${columns[slot]?.column}"`).join()}))`,
]
  .map((bytes) => `encode(string_agg(${bytes}, ''), 'hex')`)
  .join();

/**
 * The numbers of some rows, and their texts, as hexadecimal text; null where there are no rows. Together they
 * cost the driver half of what a message for each row does.
 */
export type GivenRows = readonly [numbers: string | null, texts: string | null];

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
export function eachRow([numbersHex, textsHex]: GivenRows, take: (row: GivenRow) => void): void {
  const { bytes, numbers } = allocate((numbersHex ?? '').length / 2);
  bytes.write(numbersHex ?? '', 'hex');
  // Into the order of the machines that Node.js runs on, the least significant byte first.
  bytes.swap64();
  const texts = Buffer.from(textsHex ?? '', 'hex');
  let textsAt = 0;
  for (let first = 0; first < numbers.length; first += columns.length) {
    const head = { bytes, numbers, start: first * Float64Array.BYTES_PER_ELEMENT, first };
    const size = sizeIn(head);
    take({ id: idIn(head), size, head, texts, textsAt });
    textsAt += size - NUMBERS_SIZE;
  }
}

export function placeRow({ size, head, texts, textsAt }: GivenRow, { bytes, start }: Room): void {
  head.bytes.copy(bytes, start, head.start, head.start + NUMBERS_SIZE);
  texts.copy(bytes, start + NUMBERS_SIZE, textsAt, textsAt + size - NUMBERS_SIZE);
}

const numberIn = ({ numbers, first }: Room, slot: number): number => numbers[first + slot] as number;

/** Where the text of a column begins, behind those before it; of no column: where all of them end. */
function textOffset(room: Room, slot?: number): number {
  let offset = NUMBERS_SIZE;
  for (const earlier of textSlots) {
    if (earlier === slot) {
      break;
    }
    const length = numberIn(room, earlier);
    offset += Number.isNaN(length) ? 0 : length;
  }
  return offset;
}

/** In bytes. */
export function sizeIn(room: Room): number {
  return textOffset(room);
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

  constructor(room: Room, rank: number | null) {
    this.rank = rank;
    this.room = room;
  }
}

for (const [slot, { property, kind }] of columns.entries()) {
  Object.defineProperty(RowRecord.prototype, property, {
    get(this: RowRecord) {
      const value = numberIn(this.room, slot);
      return Number.isNaN(value) ? null : kind.read(value, this.room, slot);
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

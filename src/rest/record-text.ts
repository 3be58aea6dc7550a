import type { Room } from '../byte-store.ts';
import { DIGEST_LENGTH, digestOf } from '../digest.ts';
import { startupFieldList } from '../startups/fields.ts';

/** What the rank stands behind, where it is put in. */
export const RANK = ',"rank":';

const fields = startupFieldList.filter(({ shape }) => shape !== 'import');
// Names of fields: in the text of a value their quotes would be escaped.
const AFTER_RANK = nameOf(fields[fields.findIndex(({ path }) => path === 'rank') + 1]);
const DETAILS = nameOf(fields.find(({ shape }) => shape === 'detail'));
const SLUG = '"slug":"';

function nameOf(field: { readonly path: string } | undefined): string {
  if (field === undefined || field.path.includes('.')) {
    throw new Error('What follows the rank, or begins the details, has to have a name of its own.');
  }
  return `,"${field.path}":`;
}

// Before a text: the revision that it was written from, and places in it, from the digest on.
const HEADER = { revision: 0, rankAt: 1, detailsAt: 2, end: 3 } as const;
const HEADER_BYTES = Object.keys(HEADER).length * Float64Array.BYTES_PER_ELEMENT;

/**
 * A record in JSON, written once, where it lies: its digest, then the record without its rank, which changes
 * with other records, and without its last brace.
 */
export class RecordText {
  readonly bytes: Buffer;
  /** Where the digest begins in the bytes. */
  readonly start: number;
  readonly #room: Room;

  constructor(room: Room) {
    this.bytes = room.bytes;
    this.start = room.start + HEADER_BYTES;
    this.#room = room;
  }

  /** The dataset revision that the record had. */
  get revision(): number {
    return this.#header('revision');
  }

  /** Where the rank belongs. */
  get rankAt(): number {
    return this.start + this.#header('rankAt');
  }

  /** Where what only a detail record has begins. */
  get detailsAt(): number {
    return this.start + this.#header('detailsAt');
  }

  get end(): number {
    return this.start + this.#header('end');
  }

  get slug(): string {
    const slugAt = this.bytes.indexOf(SLUG, this.start) + SLUG.length;
    return this.bytes.toString('latin1', slugAt, this.bytes.indexOf('"', slugAt));
  }

  #header(name: keyof typeof HEADER): number {
    return this.#room.numbers[this.#room.first + HEADER[name]] as number;
  }
}

/**
 * Writes the text of a record.
 *
 * @param json the record, without its rank.
 * @param add makes room for so many bytes.
 */
export function writeText(json: string, revision: number, add: (size: number) => Room): RecordText {
  const rankAt = json.indexOf(AFTER_RANK);
  const detailsAt = json.indexOf(DETAILS, rankAt);
  const offset = (at: number): number => DIGEST_LENGTH + Buffer.byteLength(json.slice(0, at));
  const end = offset(json.length - 1);
  const room = add(HEADER_BYTES + end);
  const { bytes, numbers, start, first } = room;
  const begin = start + HEADER_BYTES;
  bytes.write(digestOf(json), begin, 'latin1');
  bytes.write(json, begin + DIGEST_LENGTH, end - DIGEST_LENGTH, 'utf8');
  numbers[first + HEADER.revision] = revision;
  numbers[first + HEADER.rankAt] = offset(rankAt);
  numbers[first + HEADER.detailsAt] = offset(detailsAt);
  numbers[first + HEADER.end] = end;
  return new RecordText(room);
}

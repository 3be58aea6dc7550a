import { makeRoom, type Room } from '../byte-store.ts';
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
  readonly room: Room;

  constructor(room: Room) {
    this.bytes = room.bytes;
    this.start = room.start + HEADER_BYTES;
    this.room = room;
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

  /** In bytes, of all that lies in the room. */
  get size(): number {
    return this.end - this.room.start;
  }

  get slug(): string {
    const slugAt = this.bytes.indexOf(SLUG, this.start) + SLUG.length;
    return this.bytes.toString('latin1', slugAt, this.bytes.indexOf('"', slugAt));
  }

  #header(name: keyof typeof HEADER): number {
    return this.room.numbers[this.room.first + HEADER[name]] as number;
  }
}

/** Where a record becomes bytes, at first: how many it takes is known only then. */
const scratch = Buffer.allocUnsafeSlow(2 ** 17);
const MOST_BYTES_PER_UNIT = 3;

/**
 * Writes the text of a record.
 *
 * @param json the record, without its rank.
 */
export function writeText(json: string, revision: number): RecordText {
  const most = json.length * MOST_BYTES_PER_UNIT;
  const written = most <= scratch.length ? scratch : Buffer.allocUnsafe(most);
  const size = written.write(json);
  const rankAt = written.indexOf(AFTER_RANK, 0, 'latin1');
  const detailsAt = written.indexOf(DETAILS, rankAt, 'latin1');
  // All but the last brace.
  const end = DIGEST_LENGTH + size - 1;
  const room = makeRoom(HEADER_BYTES + end);
  const { bytes, numbers, start, first } = room;
  const begin = start + HEADER_BYTES;
  bytes.write(digestOf(written.subarray(0, size)), begin, 'latin1');
  written.copy(bytes, begin + DIGEST_LENGTH, 0, size - 1);
  numbers[first + HEADER.revision] = revision;
  numbers[first + HEADER.rankAt] = DIGEST_LENGTH + rankAt;
  numbers[first + HEADER.detailsAt] = DIGEST_LENGTH + detailsAt;
  numbers[first + HEADER.end] = end;
  return new RecordText(room);
}

import { createHash } from 'node:crypto';
import { filterKey, type StartupFilter } from '../filter.ts';
import { RELEVANCE, type StartupSort } from '../vocabulary.ts';

/**
 * A record's place in an order, whether or not the record still exists. The content of a cursor.
 * Numbers are finite.
 */
export interface Place {
  /** False where the record has no sorted value (under best-deal: is no deal), and so is among the last. */
  readonly known: boolean;
  /** The sorted value: cents, ms since 1970, a percentage or a ratio; 0 where only the id decides. */
  readonly value: number;
  readonly id: number;
  /** The folded name, where names decide between equal values. */
  readonly name?: string;
  /** How well the record matches a search, in the order of relevance: less is better. */
  readonly score?: number;
  /** Whether the search matched only with typing errors corrected. */
  readonly isCorrected?: true;
}

// A cursor is a place in an order (whether the sorted value is known, the value, the id, and the name if names decide)
// and a seal that ties it to one filter and sort. There is no secret in it: every node reads every cursor, and a forged
// cursor is only a place in a list that pages would show too.
const PLACE_BYTES = 1 + 8 + 4;
const SEAL_BYTES = 8;
/** The first byte holds whether the value is known, the score, and whether the search was corrected. */
const SCORE_SHIFT = 1;
const CORRECTED = 0x80;
/** Together they are a multiple of three bytes, which leaves no unused bits: each cursor has only one encoding. */
const GROUP_BYTES = 3;
const CURSOR = /^[\w-]{28,20000}$/;

/** The cursor of a place in a list. */
export function writeCursor(place: Place, filter: StartupFilter, sort: StartupSort): string {
  const name = Buffer.from(place.name ?? '');
  const bytes = Buffer.alloc(PLACE_BYTES + Math.ceil(name.length / GROUP_BYTES) * GROUP_BYTES);
  bytes.writeUInt8(
    Number(place.known) | ((place.score ?? 0) << SCORE_SHIFT) | (place.isCorrected ? CORRECTED : 0),
    0,
  );
  bytes.writeDoubleBE(place.value, 1);
  bytes.writeInt32BE(place.id, 9);
  bytes.set(name, PLACE_BYTES);
  return Buffer.concat([bytes, seal(bytes, filter, sort)]).toString('base64url');
}

/** The place that a cursor encodes; undefined unless a list with this filter and sort has returned it. */
export function readCursor(text: string, filter: StartupFilter, sort: StartupSort): Place | undefined {
  if (!CURSOR.test(text) || text.length % 4 !== 0) {
    return undefined;
  }
  const bytes = Buffer.from(text, 'base64url');
  const [flags, value, id] = [bytes.readUInt8(0), bytes.readDoubleBE(1), bytes.readInt32BE(9)];
  const place = bytes.subarray(0, -SEAL_BYTES);
  const isValid =
    ((flags & ~CORRECTED) <= 1 || sort === RELEVANCE) &&
    (flags < CORRECTED || filter.search !== undefined) &&
    Number.isFinite(value) &&
    id > 0 &&
    seal(place, filter, sort).equals(bytes.subarray(-SEAL_BYTES));
  if (!isValid) {
    return undefined;
  }
  // No name contains NUL, which fills the last group.
  const name = place.toString('utf8', PLACE_BYTES).replace(/\0+$/, '');
  const score = (flags & ~CORRECTED) >>> SCORE_SHIFT;
  return {
    known: (flags & 1) === 1,
    value,
    id,
    ...(name !== '' && { name }),
    ...(sort === RELEVANCE && { score }),
    ...((flags & CORRECTED) !== 0 && { isCorrected: true }),
  };
}

function seal(place: Buffer, filter: StartupFilter, sort: StartupSort): Buffer {
  const hash = createHash('sha256')
    .update(`${sort} ${filterKey(filter)} `)
    .update(place);
  return hash.digest().subarray(0, SEAL_BYTES);
}

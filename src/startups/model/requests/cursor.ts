import { createHash } from 'node:crypto';
import { filterKey, type StartupFilter } from '../filter.ts';
import { type ListSort, RELEVANCE } from '../vocabulary.ts';

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
/** Cursors are a multiple of so many bytes, which leaves no unused bits: each has only one encoding. */
const GROUP_BYTES = 3;

/** The text of a cursor: its bytes, and a seal that ties them to a context. */
export function sealCursor(bytes: Buffer, context: string): string {
  return Buffer.concat([bytes, sealOf(bytes, context)]).toString('base64url');
}

/** The bytes of a cursor; undefined for a text that {@link sealCursor} has not made for this context. */
export function openCursor(text: string, context: string): Buffer | undefined {
  const sealed = Buffer.from(text, 'base64url');
  const [bytes, seal] = [sealed.subarray(0, -SEAL_BYTES), sealed.subarray(-SEAL_BYTES)];
  const isWhole = sealed.length % GROUP_BYTES === 0 && sealed.toString('base64url') === text;
  return isWhole && sealOf(bytes, context).equals(seal) ? bytes : undefined;
}

function sealOf(bytes: Buffer, context: string): Buffer {
  return createHash('sha256').update(context).update(bytes).digest().subarray(0, SEAL_BYTES);
}

const contextOf = (filter: StartupFilter, sort: ListSort): string => `${sort} ${filterKey(filter)} `;

/** The cursor of a place in a list. */
export function writeCursor(place: Place, filter: StartupFilter, sort: ListSort): string {
  const name = Buffer.from(place.name ?? '');
  const bytes = Buffer.alloc(PLACE_BYTES + Math.ceil(name.length / GROUP_BYTES) * GROUP_BYTES);
  bytes.writeUInt8(
    Number(place.known) | ((place.score ?? 0) << SCORE_SHIFT) | (place.isCorrected ? CORRECTED : 0),
    0,
  );
  bytes.writeDoubleBE(place.value, 1);
  bytes.writeInt32BE(place.id, 9);
  bytes.set(name, PLACE_BYTES);
  return sealCursor(bytes, contextOf(filter, sort));
}

/** The place that a cursor encodes; undefined unless a list with this filter and sort has returned it. */
export function readCursor(text: string, filter: StartupFilter, sort: ListSort): Place | undefined {
  const place = openCursor(text, contextOf(filter, sort));
  if (place === undefined || place.length < PLACE_BYTES) {
    return undefined;
  }
  const [flags, value, id] = [place.readUInt8(0), place.readDoubleBE(1), place.readInt32BE(9)];
  const isValid =
    ((flags & ~CORRECTED) <= 1 || sort === RELEVANCE) &&
    (flags < CORRECTED || filter.search !== undefined) &&
    Number.isFinite(value) &&
    id > 0;
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

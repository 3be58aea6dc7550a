import { createHash } from 'node:crypto';
import { filterKey, type StartupFilter } from './filter.ts';
import type { StartupSort } from './vocabulary.ts';

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
}

// A cursor is a place in an order (whether the sorted value is known, the value, the id) and a seal that
// ties it to one filter and sort. There is no secret in it: every node reads every cursor, and a forged
// cursor is only a place in a list that pages would show too.
const PLACE_BYTES = 1 + 8 + 4;
const SEAL_BYTES = 8;
/** Both together leave no unused bits, so that each cursor has only one encoding. */
const CURSOR = new RegExp(`^[\\w-]{${((PLACE_BYTES + SEAL_BYTES) * 8) / 6}}$`);

/** The cursor of a place in a list. */
export function writeCursor(place: Place, filter: StartupFilter, sort: StartupSort): string {
  const bytes = Buffer.alloc(PLACE_BYTES);
  bytes.writeUInt8(Number(place.known), 0);
  bytes.writeDoubleBE(place.value, 1);
  bytes.writeInt32BE(place.id, 9);
  return Buffer.concat([bytes, seal(bytes, filter, sort)]).toString('base64url');
}

/** The place that a cursor encodes; undefined unless a list with this filter and sort has returned it. */
export function readCursor(text: string, filter: StartupFilter, sort: StartupSort): Place | undefined {
  if (!CURSOR.test(text)) {
    return undefined;
  }
  const bytes = Buffer.from(text, 'base64url');
  const [known, value, id] = [bytes.readUInt8(0), bytes.readDoubleBE(1), bytes.readInt32BE(9)];
  const place = bytes.subarray(0, PLACE_BYTES);
  const isValid =
    known <= 1 &&
    Number.isFinite(value) &&
    id > 0 &&
    seal(place, filter, sort).equals(bytes.subarray(PLACE_BYTES));
  return isValid ? { known: known === 1, value, id } : undefined;
}

function seal(place: Buffer, filter: StartupFilter, sort: StartupSort): Buffer {
  const hash = createHash('sha256')
    .update(`${sort} ${filterKey(filter)} `)
    .update(place);
  return hash.digest().subarray(0, SEAL_BYTES);
}

/** The handles of a catalogue's rows: lower-case ASCII, one after another, in no particular order. */
export interface HandleColumn {
  bytes: Uint8Array;
  /** Where each row's handle starts in `bytes`. */
  starts: Uint32Array;
  /** Its length; 0 is null. */
  lengths: Uint8Array;
}

/** A handle column with its index: the positions that have a handle, by {@link hashBytes} of it. */
export interface IndexedHandles extends HandleColumn {
  byHash: Uint32Array;
}

/** FNV-1a as a signed number of 32 bits. http://www.isthe.com/chongo/tech/comp/fnv/ */
export function hashBytes(bytes: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5 | 0;
  for (let at = start; at < end; at += 1) {
    hash = Math.imul(hash ^ (bytes[at] as number), 0x01000193);
  }
  return hash;
}

/** The positions, ascending, whose handle is exactly this (normalized) one. */
export function positionsOfHandle(handles: IndexedHandles, handle: string): Uint32Array {
  const wanted = Buffer.from(handle);
  const hash = hashBytes(wanted, 0, wanted.length);
  const { byHash } = handles;
  let low = 0;
  for (let high = byHash.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if (hashAt(handles, byHash[middle] as number) < hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found: number[] = [];
  for (; low < byHash.length; low += 1) {
    const position = byHash[low] as number;
    if (hashAt(handles, position) !== hash) {
      break;
    }
    if (wanted.equals(handleAt(handles, position))) {
      found.push(position);
    }
  }
  return Uint32Array.from(found);
}

/** The bytes of a row's handle; none of null. */
export function handleAt({ bytes, starts, lengths }: HandleColumn, row: number): Uint8Array {
  const start = starts[row] as number;
  return bytes.subarray(start, start + (lengths[row] as number));
}

function hashAt({ bytes, starts, lengths }: HandleColumn, position: number): number {
  const start = starts[position] as number;
  return hashBytes(bytes, start, start + (lengths[position] as number));
}

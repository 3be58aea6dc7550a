/** Room for one entry, in a piece of memory that it shares with others. */
export interface Room {
  readonly bytes: Buffer;
  /** The same memory as numbers of eight bytes. */
  readonly numbers: Float64Array;
  /** Where the room begins in the bytes. */
  readonly start: number;
  /** Where it begins in the numbers. */
  readonly first: number;
}

/** Keeps entries by number. */
export interface ByteStore {
  /** Where an entry lies. Only until the next one is put: then it may lie there. */
  find(key: number): Room | undefined;
  /**
   * Keeps a copy of an entry, in place of the one that the number had; or neither, where it is too large.
   *
   * @param size in bytes.
   * @returns whether it is kept.
   */
  put(key: number, entry: Room, size: number): boolean;
  /** Whether putting so much would give up others. */
  wouldDrop(size: number): boolean;
  remove(key: number): void;
}

interface Chunk extends Pick<Room, 'bytes' | 'numbers'> {
  readonly keys: number[];
}

const LARGEST_CHUNK = 2 ** 20;
const FEWEST_CHUNKS = 16;
/** What is not kept shares memory too: a piece for each costs as much as filling it. */
const PIECE = 2 ** 16;
const ALIGNMENT = Float64Array.BYTES_PER_ELEMENT;

/**
 * Creates a store outside of the heap, where the collector neither moves entries nor looks through them:
 * chunks of memory are filled one after the other, and then the oldest again. Were it given up for a new one,
 * the collector would have to look for what still refers to it, a few times a minute at the cost of all.
 *
 * @param options.capacity in bytes; 0: nothing is kept.
 * @param options.onDrop told of each entry that is given up for others, as long as it is there.
 */
export function createByteStore(options: {
  readonly capacity: number;
  readonly onDrop: (key: number, room: Room) => void;
}): ByteStore {
  const { capacity, onDrop } = options;
  const chunkSize = alignedDown(Math.min(LARGEST_CHUNK, capacity / FEWEST_CHUNKS));
  const chunkCount = chunkSize === 0 ? 0 : Math.floor(capacity / chunkSize);
  const chunks: Chunk[] = [];
  /** Where an entry begins, in bytes from the first of all chunks: a number for each costs least. */
  const places = new Map<number, number>();
  let current = -1;
  /** Of the current chunk, in bytes. */
  let used = chunkSize;

  function roomAt(place: number): Room {
    const { bytes, numbers } = chunks[Math.floor(place / chunkSize)] as Chunk;
    const start = place % chunkSize;
    return { bytes, numbers, start, first: start / ALIGNMENT };
  }

  function giveUp({ keys }: Chunk, index: number): void {
    for (const key of keys) {
      const place = places.get(key);
      // Some were stored again, or removed, since.
      if (place !== undefined && Math.floor(place / chunkSize) === index) {
        places.delete(key);
        onDrop(key, roomAt(place));
      }
    }
    keys.length = 0;
  }

  const fits = (size: number): boolean => used + size <= chunkSize;

  return {
    wouldDrop: (size) => size <= chunkSize && !fits(size) && chunks.length === chunkCount,
    remove: (key) => places.delete(key),
    find(key) {
      const place = places.get(key);
      return place === undefined ? undefined : roomAt(place);
    },
    put(key, { bytes, start }, size) {
      if (size > chunkSize) {
        places.delete(key);
        return false;
      }
      if (!fits(size)) {
        current = (current + 1) % chunkCount;
        chunks[current] ??= { ...allocate(chunkSize), keys: [] };
        giveUp(chunks[current] as Chunk, current);
        used = 0;
      }
      const chunk = chunks[current] as Chunk;
      bytes.copy(chunk.bytes, used, start, start + size);
      chunk.keys.push(key);
      places.set(key, current * chunkSize + used);
      used += aligned(size);
      return true;
    },
  };
}

let piece = allocate(0);
let usedOfPiece = 0;

/** Room that nothing else will ever lie in. It is to be filled at once. */
export function makeRoom(size: number): Room {
  if (size > PIECE) {
    return { ...allocate(aligned(size)), start: 0, first: 0 };
  }
  if (usedOfPiece + size > piece.bytes.length) {
    piece = allocate(PIECE);
    usedOfPiece = 0;
  }
  const start = usedOfPiece;
  usedOfPiece += aligned(size);
  const { bytes, numbers } = piece;
  return { bytes, numbers, start, first: start / ALIGNMENT };
}

/** What lies in a room, where it stays. */
export function copyOf({ bytes, start }: Room, size: number): Room {
  const copy = makeRoom(size);
  bytes.copy(copy.bytes, copy.start, start, start + size);
  return copy;
}

/** A piece of memory of its own: it begins where numbers may. */
export function allocate(size: number): Pick<Room, 'bytes' | 'numbers'> {
  const bytes = Buffer.allocUnsafeSlow(size);
  return { bytes, numbers: new Float64Array(bytes.buffer) };
}

function aligned(size: number): number {
  return Math.ceil(size / ALIGNMENT) * ALIGNMENT;
}

function alignedDown(size: number): number {
  return Math.floor(size / ALIGNMENT) * ALIGNMENT;
}

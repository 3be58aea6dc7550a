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
  find(key: number): Room | undefined;
  /**
   * Makes room for an entry, in place of the one that the number had. It is to be filled at once.
   *
   * @param size in bytes.
   */
  add(key: number, size: number): Room;
  /** Whether adding so much would give up others. */
  wouldDrop(size: number): boolean;
  remove(key: number): void;
}

interface Chunk extends Pick<Room, 'bytes' | 'numbers'> {
  readonly keys: number[];
}

const LARGEST_CHUNK = 2 ** 20;
const FEWEST_CHUNKS = 16;
/** What is not kept shares memory too: a piece for each entry costs as much as filling it. */
const UNKEPT_CHUNK = 2 ** 16;
const ALIGNMENT = Float64Array.BYTES_PER_ELEMENT;

/**
 * Creates a store outside of the heap, where the collector neither moves entries nor looks through them:
 * chunks of memory are filled one after the other, and the oldest is given up for a new one. What still
 * refers to it stays whole.
 *
 * @param options.capacity in bytes; 0: nothing is kept.
 * @param options.onDrop told of each entry that is given up for others, as long as it is whole.
 */
export function createByteStore(options: {
  readonly capacity: number;
  readonly onDrop: (key: number, room: Room) => void;
}): ByteStore {
  const { capacity, onDrop } = options;
  const isKept = capacity > 0;
  const chunkSize = isKept ? alignedDown(Math.min(LARGEST_CHUNK, capacity / FEWEST_CHUNKS)) : UNKEPT_CHUNK;
  const chunkCount = isKept ? Math.floor(capacity / chunkSize) : 1;
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

  function giveUp(index: number): void {
    for (const key of chunks[index]?.keys ?? []) {
      const place = places.get(key);
      // Some were stored again, or removed, since.
      if (place !== undefined && Math.floor(place / chunkSize) === index) {
        places.delete(key);
        onDrop(key, roomAt(place));
      }
    }
  }

  const fits = (size: number): boolean => used + size <= chunkSize;

  return {
    wouldDrop: (size) => size <= chunkSize && !fits(size) && chunks.length === chunkCount,
    remove: (key) => places.delete(key),
    find(key) {
      const place = places.get(key);
      return place === undefined ? undefined : roomAt(place);
    },
    add(key, size) {
      if (size > chunkSize) {
        places.delete(key);
        return { ...allocate(aligned(size)), start: 0, first: 0 };
      }
      if (!fits(size)) {
        current = (current + 1) % chunkCount;
        giveUp(current);
        chunks[current] = { ...allocate(chunkSize), keys: [] };
        used = 0;
      }
      const place = current * chunkSize + used;
      used += aligned(size);
      if (isKept) {
        chunks[current]?.keys.push(key);
        places.set(key, place);
      }
      return roomAt(place);
    },
  };
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

/** Where a text is: in UTF-8, in a piece of memory. */
export interface StoredText {
  readonly bytes: Buffer;
}

/** Keeps texts by number. */
export interface TextStore<T extends StoredText> {
  get(key: number): T | undefined;
  /**
   * Stores a text, and keeps what is made of where it is.
   *
   * @param describe is told the memory, and where in it the text begins.
   */
  add(key: number, text: string, describe: (bytes: Buffer, start: number) => T): T;
}

interface Chunk {
  readonly bytes: Buffer;
  readonly keys: number[];
}

const LARGEST_CHUNK = 1_000_000;
const CHUNKS = 16;

/**
 * Creates a store outside of the heap, where the collector neither moves texts nor looks through them:
 * chunks of memory are filled one after the other, and the oldest is given up for a new one. What still
 * refers to it stays whole.
 *
 * @param options.capacity in bytes of text; 0: nothing is kept.
 * @param options.onDrop told of each text that is given up.
 */
export function createTextStore<T extends StoredText>(options: {
  readonly capacity: number;
  readonly onDrop: (text: T) => void;
}): TextStore<T> {
  const { capacity, onDrop } = options;
  const chunkSize = Math.min(LARGEST_CHUNK, Math.floor(capacity / CHUNKS));
  const chunks: Chunk[] = [];
  const texts = new Map<number, T>();
  /** Of the last chunk. */
  let used = 0;

  function giveUpOldest(): void {
    const oldest = chunks.shift();
    for (const key of oldest?.keys ?? []) {
      const text = texts.get(key);
      // Some were stored again since.
      if (text !== undefined && text.bytes === oldest?.bytes) {
        texts.delete(key);
        onDrop(text);
      }
    }
  }

  /** A chunk with room; undefined for what is too large to be kept. */
  function findRoom(size: number): Chunk | undefined {
    if (size > chunkSize) {
      return undefined;
    }
    const last = chunks.at(-1);
    if (last !== undefined && used + size <= chunkSize) {
      return last;
    }
    while ((chunks.length + 1) * chunkSize > capacity) {
      giveUpOldest();
    }
    const chunk = { bytes: Buffer.allocUnsafeSlow(chunkSize), keys: [] };
    chunks.push(chunk);
    used = 0;
    return chunk;
  }

  return {
    get: (key) => texts.get(key),
    add(key, text, describe) {
      const chunk = findRoom(Buffer.byteLength(text));
      if (chunk === undefined) {
        return describe(Buffer.from(text), 0);
      }
      const described = describe(chunk.bytes, used);
      used += chunk.bytes.write(text, used);
      chunk.keys.push(key);
      texts.set(key, described);
      return described;
    },
  };
}

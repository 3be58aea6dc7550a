import { crc32 } from 'node:zlib';
import { LRUCache } from 'lru-cache';
import { createRecentlySeen } from '../recently-seen.ts';

/** What can be kept. */
interface Keepable {
  /** What makes up most of it. */
  readonly body: string | Buffer;
}

/** Answers that are given again while the data is what they were made from. */
export interface AnswerCache<T extends Keepable> {
  /** The answer kept under a key. */
  find(key: string): T | undefined;
  /**
   * Makes an answer. From the second time on it is kept under its key, unless it fails or the data was
   * replaced meanwhile.
   */
  make(key: string, make: () => Promise<T>): Promise<T>;
}

/** How many questions are remembered, to keep answers of those that come again. */
const REMEMBERED = 16_384;
/** A single answer may take this part of the whole. */
const LARGEST_PART = 1 / 50;
/** What an entry takes besides its texts, in bytes. */
const OVERHEAD = 300;

/**
 * Creates a cache that stands behind authentication and the limit: it saves work, and decides nothing.
 *
 * @param options.capacity in bytes, about; 0: nothing is kept.
 * @param options.keeps which answers may be given again; all by default.
 * @param options.edition the data that is answered from: the same object as long as it is the same data.
 */
export function createAnswerCache<T extends Keepable>(options: {
  readonly capacity: number;
  readonly edition: () => object;
  readonly keeps?: (answer: T) => boolean;
}): AnswerCache<T> {
  const { capacity, edition, keeps = () => true } = options;
  if (capacity === 0) {
    return { find: () => undefined, make: (_key, make) => make() };
  }
  const kept = new LRUCache<string, T>({
    maxSize: capacity,
    maxEntrySize: Math.ceil(capacity * LARGEST_PART),
    sizeCalculation: ({ body }, key) => body.length + key.length + OVERHEAD,
  });
  let keptOf = edition();
  const comesAgain = createRecentlySeen(REMEMBERED);

  function renew(): object {
    const current = edition();
    if (current !== keptOf) {
      kept.clear();
      keptOf = current;
    }
    return current;
  }

  return {
    find(key) {
      renew();
      return kept.get(key);
    },
    async make(key, make) {
      if (!comesAgain(crc32(key))) {
        return make();
      }
      const begun = renew();
      const made = await make();
      if (keeps(made) && begun === renew()) {
        kept.set(key, made);
      }
      return made;
    },
  };
}

import { LRUCache } from 'lru-cache';

/** A list as of one catalogue. */
interface KeptList {
  readonly list: Uint32Array;
  /** The number of the catalogue, counted from the first that shares these lists. */
  readonly edition: number;
}

/** The limit for the cached lists together: the size of this many orders of all startups, but at least … bytes. */
const KEPT = { orders: 8, leastBytes: 16 * 2 ** 20, overheadBytes: 512 };

/** Lists are not updated, but found again, after changes of more than one row in this many: an update is one step. */
const CHANGED_PART = 50;

/** Lists of positions by name, shared by successive catalogues that differ little. */
export class KeptLists {
  readonly #lists: LRUCache<string, KeptList>;
  /** The changes from each edition to the next, from `#firstKnown` on. */
  readonly #changes: Uint32Array[] = [];
  #firstKnown = 0;

  /** @param size the number of startups. */
  constructor(size: number) {
    this.#lists = new LRUCache({
      maxSize: Math.max(KEPT.leastBytes, KEPT.orders * size * Uint32Array.BYTES_PER_ELEMENT),
      sizeCalculation: ({ list }) => list.byteLength + KEPT.overheadBytes,
    });
  }

  get(name: string): KeptList | undefined {
    return this.#lists.get(name);
  }

  set(name: string, kept: KeptList): void {
    this.#lists.set(name, kept);
  }

  /** Begins the next edition, with this number of startups and these differing positions; returns its number. */
  advance(changed: Uint32Array, size: number): number {
    // Without a difference, the edition keeps its number.
    if (changed.length > 0) {
      this.#changes.push(changed);
    }
    while (this.#changes.reduce((sum, { length }) => sum + length, 0) * CHANGED_PART > size) {
      this.#changes.shift();
      this.#firstKnown += 1;
    }
    return this.#firstKnown + this.#changes.length;
  }

  /** The positions that differ between two editions, ascending; undefined if that is no longer known. */
  changedBetween(earlier: number, later: number): Uint32Array | undefined {
    if (earlier < this.#firstKnown) {
      return undefined;
    }
    const changes = this.#changes.slice(earlier - this.#firstKnown, later - this.#firstKnown);
    return changes.length === 1
      ? changes[0]
      : new Uint32Array(new Set(changes.flatMap((changed) => [...changed]))).sort();
  }
}

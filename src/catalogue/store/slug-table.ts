import { hashText } from './hash.ts';
import { sharedArray } from './memory.ts';

// An open-addressing hash table of slugs: at the hash of each slug, or behind it, one more than the record's position;
// 0 is free. Entries are never removed, so that readers of earlier editions find what they found before while slugs
// are added. Each hit is therefore compared with the record as the reader's edition has it.

/** The maximum load of a table. At least one slot must stay free: a search ends there. */
const FULL = 0.7;

/** The table, and the number of used slots. */
export class SlugTable {
  readonly slots: Uint32Array;
  #used = 0;

  /** @param capacity the number of slugs. */
  constructor(capacity: number) {
    // Of two slots, both could be used before the table is full.
    const size = 2 ** Math.ceil(Math.log2((capacity + 2) / FULL));
    this.slots = sharedArray(Uint32Array, size);
  }

  /** Whether the table is too full for another slug. */
  get isFull(): boolean {
    return this.#used >= this.slots.length * FULL;
  }

  /** Adds a record's slug. Check {@link isFull} first. */
  add(hash: number, position: number): void {
    const { slots } = this;
    const last = slots.length - 1;
    for (let at = hash & last; ; at = (at + 1) & last) {
      if (slots[at] === position + 1) {
        // The record had this slug before.
        return;
      }
      if (slots[at] === 0) {
        slots[at] = position + 1;
        this.#used += 1;
        return;
      }
    }
  }
}

/**
 * Finds a record by its slug.
 *
 * @param hasSlug whether the record at a position has the slug; positions may be beyond the last.
 */
export function findPositionOfSlug(
  slots: Uint32Array,
  slug: string,
  hasSlug: (position: number) => boolean,
): number | undefined {
  const last = slots.length - 1;
  for (let at = hashText(slug) & last; slots[at] !== 0; at = (at + 1) & last) {
    const position = (slots[at] as number) - 1;
    if (hasSlug(position)) {
      return position;
    }
  }
  return undefined;
}

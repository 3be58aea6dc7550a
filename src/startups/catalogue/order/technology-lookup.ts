import type { CatalogueData } from '../edition-data.ts';
import { bitAt, flipBit, noBits } from '../store/bits.ts';
import { positionOfOccurrence, type WordIndex } from '../store/word-index.ts';
import { firstReached } from './orders.ts';

/**
 * The positions of the startups that use any of some technologies, in no particular order.
 *
 * @param names folded.
 */
export function positionsOfTechnologies(
  { technologies: index, columns }: CatalogueData,
  names: readonly string[],
): Uint32Array {
  const bits = noBits(columns.id.length);
  const found: number[] = [];
  for (const name of names) {
    const number = numberOf(index, Buffer.from(name));
    for (const value of number === undefined ? [] : occurrencesOf(index, number)) {
      const position = positionOfOccurrence(value);
      if (bitAt(bits, position) === 0) {
        flipBit(bits, position);
        found.push(position);
      }
    }
  }
  return Uint32Array.from(found);
}

/** The number of a word; undefined if no startup has it. */
function numberOf(index: WordIndex, word: Buffer): number | undefined {
  const count = index.starts.length - 1;
  const number = firstReached(0, count, (at) => Buffer.compare(wordOf(index, at), word) >= 0);
  return number < count && Buffer.compare(wordOf(index, number), word) === 0 ? number : undefined;
}

export function wordOf({ bytes, starts }: WordIndex, number: number): Uint8Array {
  return bytes.subarray(starts[number], starts[number + 1]);
}

export function occurrencesOf({ firsts, occurrences }: WordIndex, number: number): Uint32Array {
  return occurrences.subarray(firsts[number], firsts[number + 1]);
}

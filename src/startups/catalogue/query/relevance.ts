import type { Steps } from '../../../lib/loop/time-slices.ts';
import { countBefore } from '../order/orders.ts';
import { STEP } from './scan.ts';

/** The startups that a search finds, whatever the other filters. */
export interface Matches {
  /** Ascending. */
  readonly positions: Uint32Array;
  /** How well each matches, in the order of the positions: less is better. */
  readonly scores: Uint8Array;
  /** Whether words match only with a typing error corrected. */
  readonly isCorrected: boolean;
}

/** How well the startup at a position matches, which is one that is found. */
export function scoreOf({ positions, scores }: Matches, position: number): number {
  return scores[countBefore(positions, (other) => other >= position)] as number;
}

/**
 * Sorts positions by relevance: best matches first, equal ones in the order given.
 *
 * @param size the number of all startups.
 */
export function* byRelevance(
  list: Uint32Array,
  { positions, scores }: Matches,
  size: number,
): Steps<Uint32Array> {
  /** By position. */
  const known = new Uint8Array(size);
  for (let at = 0; at < positions.length; at += 1) {
    known[positions[at] as number] = scores[at] as number;
  }
  yield;
  /** Where the next position with each score belongs. */
  const next = new Uint32Array(2 ** 8 + 1);
  for (let at = 0; at < list.length; at += 1) {
    const score = known[list[at] as number] as number;
    next[score + 1] = (next[score + 1] as number) + 1;
    if (at % STEP === STEP - 1) {
      yield;
    }
  }
  for (let score = 1; score < next.length; score += 1) {
    next[score] = (next[score] as number) + (next[score - 1] as number);
  }
  const sorted = new Uint32Array(list.length);
  for (let at = 0; at < list.length; at += 1) {
    const score = known[list[at] as number] as number;
    const place = next[score] as number;
    sorted[place] = list[at] as number;
    next[score] = place + 1;
    if (at % STEP === STEP - 1) {
      yield;
    }
  }
  return sorted;
}

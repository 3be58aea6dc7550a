import { countBefore } from '../order/orders.ts';

/** Startups, and how well each matches: less is better. */
export interface FewMatches {
  /** Ascending. */
  readonly positions: Uint32Array;
  readonly scores: Uint8Array;
}

/** The startups that a search finds, whatever the other filters. */
export interface Matches {
  /** All of them, if a word of the search is not frequent. */
  readonly few?: FewMatches;
  /** Otherwise, for each word: by position, one more than the score, or 0 for a startup without the word. */
  readonly frequent: readonly Uint8Array[];
  /** Whether words match only with a typing error corrected. */
  readonly isCorrected: boolean;
}

/** How well the startup at a position matches. */
export function scoreOf({ few, frequent }: Matches, position: number): number {
  if (few !== undefined) {
    return few.scores[countBefore(few.positions, (other) => other >= position)] as number;
  }
  let score = 0;
  for (let word = 0; word < frequent.length; word += 1) {
    score += ((frequent[word] as Uint8Array)[position] as number) - 1;
  }
  return score;
}

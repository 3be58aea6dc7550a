/** The startups that a search finds, whatever the other filters. */
export interface Matches {
  /** Ascending. */
  readonly positions: Uint32Array;
  /** For each of them, how well it matches: less is better. */
  readonly scores: Uint8Array;
  /** Whether words match only with a typing error corrected. */
  readonly isCorrected: boolean;
}

/** How well the startup at a position matches. */
export function scoreOf({ positions, scores }: Matches, position: number): number {
  let low = 0;
  for (let high = positions.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((positions[middle] as number) < position) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return scores[low] as number;
}

import type { Steps } from '../../../lib/loop/time-slices.ts';
import { countBefore } from '../order/orders.ts';
import { concatenate, STEP } from './scan.ts';
import { type Matches, scoreOf } from './search-matches.ts';

/** Sorts positions by relevance: best matches first, equal ones in the order given. */
export function* byRelevance(list: Uint32Array, matches: Matches): Steps<Uint32Array> {
  const scores = new Uint8Array(list.length);
  /** Where the next position with each score belongs. */
  const next = new Uint32Array(2 ** 8 + 1);
  for (let at = 0; at < list.length; at += 1) {
    const score = scoreOf(matches, list[at] as number);
    scores[at] = score;
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
    const score = scores[at] as number;
    const place = next[score] as number;
    sorted[place] = list[at] as number;
    next[score] = place + 1;
    if (at % STEP === STEP - 1) {
      yield;
    }
  }
  return sorted;
}

/** Cuts each part of a list by relevance whose positions match equally well. */
export function cutEachScore(
  list: Uint32Array,
  matches: Matches,
  cut: (sorted: Uint32Array) => Uint32Array,
): Uint32Array {
  const parts: Uint32Array[] = [];
  for (let rest = list; rest.length > 0; ) {
    const score = scoreOf(matches, rest[0] as number);
    const length = countBefore(rest, (position) => scoreOf(matches, position) > score);
    parts.push(cut(rest.subarray(0, length)));
    rest = rest.subarray(length);
  }
  return concatenate(parts);
}

import type { Steps } from '../../../lib/loop/time-slices.ts';
import { CHUNK, type Condition, narrowTo } from './conditions.ts';

/** Rows tested at first if only some matches are wanted; doubled each time after that. */
const FIRST_CHUNK = 256;
/** Rows tested in one step of long work: 1 to 3 ms. */
export const STEP = 16 * CHUNK;

/** Part of a list. */
export interface Part {
  readonly positions: Uint32Array;
  /** The length of the whole list. */
  readonly total: number;
}

/** Which of the positions that pass are wanted: by default all. */
export interface Wanted {
  /** How many precede them. */
  readonly offset?: number;
  readonly count?: number;
  /** False if it does not matter how many follow: the total may then be too low. */
  readonly isTotalWanted?: boolean;
}

/** The wanted ones of the positions of a list that pass, in its order. */
export function* scan(
  list: Uint32Array,
  conditions: readonly Condition[],
  { offset = 0, count = Number.POSITIVE_INFINITY, isTotalWanted = true }: Wanted = {},
): Steps<Part> {
  const positions = new Uint32Array(Math.min(list.length, CHUNK));
  const parts: Uint32Array[] = [];
  const enough = isTotalWanted ? Number.POSITIVE_INFINITY : offset + count;
  let total = 0;
  let at = 0;
  let stepEnd = STEP;
  for (let size = FIRST_CHUNK; at < list.length && total < enough; size = Math.min(2 * size, CHUNK)) {
    if (at >= stepEnd) {
      stepEnd = at + STEP;
      yield;
    }
    const chunk = list.subarray(at, at + size);
    positions.set(chunk);
    const passing = narrowTo(conditions, positions, chunk.length);
    const start = Math.max(0, offset - total);
    const end = Math.min(passing, offset + count - total);
    if (start < end) {
      parts.push(positions.slice(start, end));
    }
    total += passing;
    at += chunk.length;
  }
  return { positions: concatenate(parts), total };
}

function concatenate(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    whole.set(part, filled);
    filled += part.length;
  }
  return whole;
}

/**
 * Marks all positions that pass with 1; returns how many pass. Each column is read once from its
 * beginning to its end; testing in a sorted order would read every value from a different memory location.
 *
 * @param marks by position, all 0.
 */
export function* mark(conditions: readonly Condition[], marks: Uint8Array): Steps<number> {
  const positions = new Uint32Array(Math.min(marks.length, CHUNK));
  let passed = 0;
  for (let start = 0; start < marks.length; start += CHUNK) {
    if (start > 0 && start % STEP === 0) {
      yield;
    }
    const count = Math.min(CHUNK, marks.length - start);
    for (let at = 0; at < count; at += 1) {
      positions[at] = start + at;
    }
    const kept = narrowTo(conditions, positions, count);
    for (let at = 0; at < kept; at += 1) {
      marks[positions[at] as number] = 1;
    }
    passed += kept;
  }
  return passed;
}

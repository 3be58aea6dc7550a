import type { Steps } from '../../../lib/loop/time-slices.ts';
import { CHUNK, type Condition, narrowTo } from './conditions.ts';

/** Rows tested at first if only some matches are wanted; doubled each time after that. */
const FIRST_CHUNK = 256;
/** Rows tested in one step of long work: 1 to 3 ms. */
export const STEP = 16 * CHUNK;

/** Arrays kept for reuse: as many as interleaved operations usually need. */
const KEPT_ARRAYS = 4;

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

export function concatenate(parts: readonly Uint32Array[]): Uint32Array {
  const whole = new Uint32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let filled = 0;
  for (const part of parts) {
    whole.set(part, filled);
    filled += part.length;
  }
  return whole;
}

/** One byte per position, which says whether it passes. The arrays are large, so they are reused. */
export class Marks {
  readonly #size: number;
  readonly #free: Uint8Array[] = [];

  constructor(size: number) {
    this.#size = size;
  }

  /** An array with unspecified content. */
  take(): Uint8Array {
    return this.#free.pop() ?? new Uint8Array(this.#size);
  }

  give(marks: Uint8Array): void {
    if (this.#free.length < KEPT_ARRAYS) {
      this.#free.push(marks);
    }
  }
}

/**
 * Marks all positions that pass with 1, the others with 0; returns how many pass. Each column is read once from its
 * beginning to its end; testing in a sorted order would read every value from a different memory location.
 *
 * @param enough ends once so many passed; the others are then not marked.
 */
export function* mark(
  conditions: readonly Condition[],
  marks: Uint8Array,
  enough = Number.POSITIVE_INFINITY,
): Steps<number> {
  const positions = new Uint32Array(Math.min(marks.length, CHUNK));
  let passed = 0;
  for (let start = 0; start < marks.length && passed < enough; start += CHUNK) {
    if (start > 0 && start % STEP === 0) {
      yield;
    }
    const count = Math.min(CHUNK, marks.length - start);
    for (let at = 0; at < count; at += 1) {
      positions[at] = start + at;
    }
    marks.fill(0, start, start + count);
    const kept = narrowTo(conditions, positions, count);
    for (let at = 0; at < kept; at += 1) {
      marks[positions[at] as number] = 1;
    }
    passed += kept;
  }
  return passed;
}

import type { Steps } from '../../event-loop/time-slices.ts';
import { CHUNK, type Condition, narrowTo } from './conditions.ts';
import { STEP } from './scan.ts';

/** Arrays kept for reuse: as many as interleaved operations usually need. */
const KEPT_ARRAYS = 4;

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

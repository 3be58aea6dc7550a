import type { Steps } from '../../event-loop/time-slices.ts';
import { CHUNK, type Condition } from './conditions.ts';

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

/** The positions of a list that pass, in its order: `enough` of them or more, or all there are. */
export function* scan(
  list: Uint32Array,
  narrow: Condition['narrow'],
  enough = Number.POSITIVE_INFINITY,
): Steps<Uint32Array> {
  const parts: Uint32Array[] = [];
  const found = yield* eachChunk(list, narrow, enough, (passing) => parts.push(passing.slice()));
  return concatenate(parts, found);
}

/** Some of the positions of a list that pass; without `enough` their number is exact. */
export function* partOf(
  list: Uint32Array,
  narrow: Condition['narrow'],
  offset: number,
  count: number,
  enough = Number.POSITIVE_INFINITY,
): Steps<Part> {
  const positions = new Uint32Array(count);
  let filled = 0;
  const total = yield* eachChunk(list, narrow, enough, (passing, before) => {
    const start = Math.max(0, offset - before);
    const part = passing.subarray(start, start + count - filled);
    positions.set(part, filled);
    filled += part.length;
  });
  return { positions: positions.subarray(0, filled), total };
}

/**
 * Narrows a list chunk by chunk until `enough` were found.
 *
 * @param take receives the positions of a chunk that pass, valid during the call, and how many passed before.
 * @returns how many passed.
 */
function* eachChunk(
  list: Uint32Array,
  narrow: Condition['narrow'],
  enough: number,
  take: (passing: Uint32Array, before: number) => void,
): Steps<number> {
  const positions = new Uint32Array(Math.min(list.length, CHUNK));
  let found = 0;
  let at = 0;
  let stepEnd = STEP;
  for (let size = FIRST_CHUNK; at < list.length && found < enough; size = Math.min(2 * size, CHUNK)) {
    if (at >= stepEnd) {
      stepEnd = at + STEP;
      yield;
    }
    const chunk = list.subarray(at, at + size);
    positions.set(chunk);
    const passing = narrow(positions, chunk.length);
    take(positions.subarray(0, passing), found);
    found += passing;
    at += chunk.length;
  }
  return found;
}

export function concatenate(parts: readonly Uint32Array[], length: number): Uint32Array {
  const whole = new Uint32Array(length);
  let filled = 0;
  for (const part of parts) {
    whole.set(part, filled);
    filled += part.length;
  }
  return whole;
}

import type { Steps } from '../../time-slices.ts';
import { CHUNK, type Condition, narrowTo } from './conditions.ts';

/** Rows tested at first when only some matches are wanted; twice as many each further time. */
const FIRST_CHUNK = 256;
/** Rows tested in one step of long work: some ms. */
const STEP = 16 * CHUNK;

/** Part of a list. */
export interface Part {
  readonly positions: Uint32Array;
  /** How many the whole list has. */
  readonly total: number;
}

/** Those of a list that pass, in its order: `enough` of them or more, or all there are. */
export function scan(list: Uint32Array, conditions: readonly Condition[], enough: number): Uint32Array {
  const parts: Uint32Array[] = [];
  const narrow = (positions: Uint32Array, length: number): number => narrowTo(conditions, positions, length);
  const found = eachChunk(list, narrow, enough, (passing) => parts.push(passing.slice()));
  return concatenate(parts, found);
}

/** All of a list that pass, in its order. */
export function* scanInSteps(list: Uint32Array, conditions: readonly Condition[]): Steps<Uint32Array> {
  const parts: Uint32Array[] = [];
  let found = 0;
  for (let at = 0; at < list.length; at += STEP) {
    const part = scan(list.subarray(at, at + STEP), conditions, Number.POSITIVE_INFINITY);
    parts.push(part);
    found += part.length;
    yield;
  }
  return concatenate(parts, found);
}

/** Part of those of a list that pass; without `enough` their number is exact. */
export function partOf(
  list: Uint32Array,
  narrow: Condition['narrow'],
  offset: number,
  count: number,
  enough = Number.POSITIVE_INFINITY,
): Part {
  const positions = new Uint32Array(count);
  let filled = 0;
  const total = eachChunk(list, narrow, enough, (passing, before) => {
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
 * @param take given what passes of a chunk, for the moment, and how many passed before.
 * @returns how many passed.
 */
function eachChunk(
  list: Uint32Array,
  narrow: Condition['narrow'],
  enough: number,
  take: (passing: Uint32Array, before: number) => void,
): number {
  const positions = new Uint32Array(Math.min(list.length, CHUNK));
  let found = 0;
  let at = 0;
  for (let size = FIRST_CHUNK; at < list.length && found < enough; size = Math.min(2 * size, CHUNK)) {
    const chunk = list.subarray(at, at + size);
    positions.set(chunk);
    const passing = narrow(positions, chunk.length);
    take(positions.subarray(0, passing), found);
    found += passing;
    at += chunk.length;
  }
  return found;
}

function concatenate(parts: readonly Uint32Array[], length: number): Uint32Array {
  const whole = new Uint32Array(length);
  let filled = 0;
  for (const part of parts) {
    whole.set(part, filled);
    filled += part.length;
  }
  return whole;
}

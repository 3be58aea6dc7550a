import { sharedArray } from '../store/memory.ts';
import { SortScratch, sortPositions } from '../store/radix-sort.ts';
import { KEY_CHARACTERS, keyContinues, type PackedTexts } from '../store/texts.ts';

/** Runs of so many names that begin alike are sorted by what follows, as far as this; others by whole names. */
const SORTED_BY_KEYS = { least: 24, characters: 8 * KEY_CHARACTERS };

/** The positions of this many startups, ascending. */
export function allPositions(size: number): Uint32Array {
  return new Uint32Array(size).map((_, position) => position);
}

/** The order of folded names: by their UTF-16 code units. */
export function compareNames(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1;
}

/**
 * Numbers names in their order: equal ones have one number, so that sorting by the numbers is exact.
 *
 * @param units where the texts of each record are, by position.
 * @returns the number of each record's name, by position.
 */
export function numberNames(texts: PackedTexts, units: Uint32Array): Float64Array {
  const keys = new Float64Array(units.length);
  const numbers = sharedArray(Float64Array, units.length);
  const scratch = new SortScratch(units.length);
  let number = 0;

  /** Numbers names that are equal up to a character. */
  const numberFrom = (positions: Uint32Array, from: number): void => {
    for (const position of positions) {
      keys[position] = texts.nameKey(units[position] as number, from);
    }
    sortPositions(positions, keys, false, scratch);
    for (let start = 0, end = 0; start < positions.length; start = end) {
      const key = keys[positions[start] as number] as number;
      for (end = start + 1; end < positions.length && keys[positions[end] as number] === key; ) {
        end += 1;
      }
      const run = positions.subarray(start, end);
      if (run.length === 1) {
        numbers[run[0] as number] = number;
        number += 1;
      } else if (
        run.length >= SORTED_BY_KEYS.least &&
        from < SORTED_BY_KEYS.characters &&
        keyContinues(key)
      ) {
        numberFrom(run, from + KEY_CHARACTERS);
      } else {
        numberWhole(run);
      }
    }
  };
  const numberWhole = (positions: Uint32Array): void => {
    const named = Array.from(positions, (position) => ({
      position,
      name: texts.foldedName(units[position] as number),
    })).sort((a, b) => compareNames(a.name, b.name));
    for (const [at, { position, name }] of named.entries()) {
      number += at === 0 || named[at - 1]?.name === name ? 0 : 1;
      numbers[position] = number;
    }
    number += 1;
  };

  numberFrom(allPositions(units.length), 0);
  return numbers;
}

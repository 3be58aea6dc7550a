import { sharedArray } from '../store/memory.ts';
import { sortPositions, sortRuns } from '../store/radix-sort.ts';
import type { PackedTexts } from '../store/texts.ts';

/** The positions of this many startups, ascending. */
export function allPositions(size: number): Uint32Array {
  const positions = new Uint32Array(size);
  for (let position = 0; position < size; position += 1) {
    positions[position] = position;
  }
  return positions;
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
  const nameAt = (position: number): string => texts.foldedName(units[position] as number);
  const keys = Float64Array.from(units, (unit) => texts.nameKey(unit));
  const numbers = sharedArray(Float64Array, units.length);
  const positions = allPositions(units.length);
  sortPositions(positions, keys, false);
  let number = 0;
  sortRuns(positions, keys, (run) => {
    // Only names that begin alike are read.
    const named =
      run.length === 1 ? [] : Array.from(run, (position) => ({ position, name: nameAt(position) }));
    named.sort((a, b) => compareNames(a.name, b.name));
    numbers[run[0] as number] = number;
    for (const [at, { position, name }] of named.entries()) {
      number += at === 0 || named[at - 1]?.name === name ? 0 : 1;
      numbers[position] = number;
    }
    number += 1;
  });
  return numbers;
}

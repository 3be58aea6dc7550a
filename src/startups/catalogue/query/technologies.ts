import type { Steps } from '../../../lib/loop/time-slices.ts';
import { foldText } from '../../../lib/text/words.ts';
import type { CatalogueData } from '../edition-data.ts';
import { TECH_STACK } from '../store/columns.ts';
import { listOf } from '../store/packed-record.ts';
import { occurrencesOf, positionOfOccurrence, wordOf } from '../store/word-index.ts';
import { marksOf } from './conditions.ts';
import type { TechnologyCounts } from './facets.ts';
import { Largest, type Sized } from './largest.ts';
import { STEP } from './scan.ts';

/** The most technologies that are counted by name. */
const COUNTED = 50;

/** A technology by the number of its name, with how many of some startups use it. */
interface UsedTechnology extends Sized {
  readonly place: number;
}

/** The technologies that some startups use most. */
interface MostUsed {
  readonly technologies: readonly UsedTechnology[];
  /** By position: 1 for a startup of which none is known. */
  readonly without: Uint8Array;
}

/** How many of some startups use each technology: those of {@link mostUsedTechnologies}, those without any last. */
export function* countTechnologies(data: CatalogueData, positions: Uint32Array): Steps<TechnologyCounts> {
  const marks = marksOf(positions, data.columns.id.length);
  const { technologies, without } = yield* mostUsedTechnologies(data, marks, COUNTED);
  const named = technologies.map(({ place, count }) => ({ value: technologyName(data, place), count }));
  const unknown = without.reduce((sum, mark) => sum + mark, 0);
  return unknown === 0 ? named : [...named, { value: null, count: unknown }];
}

/**
 * The technologies that some startups use most, equal ones in the order of their names.
 *
 * @param marks by position: 1 for each of the startups.
 */
export function* mostUsedTechnologies(
  { technologies: index }: CatalogueData,
  marks: Uint8Array,
  most: number,
): Steps<MostUsed> {
  const without = marks.slice();
  const largest = new Largest<UsedTechnology>(most);
  let work = 0;
  for (let number = 0; number < index.starts.length - 1; number += 1) {
    let count = 0;
    const occurrences = occurrencesOf(index, number);
    for (let at = 0; at < occurrences.length; at += 1) {
      const position = positionOfOccurrence(occurrences[at] as number);
      count += marks[position] as number;
      without[position] = 0;
    }
    if (count > 0) {
      largest.add({ place: number, count });
    }
    work += occurrences.length + 1;
    if (work >= STEP) {
      work = 0;
      yield;
    }
  }
  return { technologies: largest.items, without };
}

/** The positions of those startups that use a technology, ascending. @param marks by position: 1 for each of them. */
export function positionsOfTechnology(
  { technologies: index }: CatalogueData,
  number: number,
  marks: Uint8Array,
): Uint32Array {
  return occurrencesOf(index, number)
    .map(positionOfOccurrence)
    .filter((position) => marks[position] === 1);
}

/** How the first startup that uses a technology writes it. */
export function technologyName(
  { technologies: index, columns, details }: CatalogueData,
  number: number,
): string {
  const folded = Buffer.from(wordOf(index, number)).toString();
  const first = positionOfOccurrence(occurrencesOf(index, number)[0] as number);
  const names = listOf(details.textOf(columns.details[first] as number, TECH_STACK));
  return names.find((name) => foldText(name) === folded) ?? folded;
}

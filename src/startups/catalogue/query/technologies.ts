import type { Steps } from '../../../lib/loop/time-slices.ts';
import { foldText } from '../../../lib/text/words.ts';
import type { CatalogueData } from '../edition-data.ts';
import { TECH_STACK } from '../store/columns.ts';
import { listOf } from '../store/packed-record.ts';
import { occurrencesOf, positionOfOccurrence, wordOf } from '../store/word-index.ts';
import { marksOf } from './conditions.ts';
import type { TechnologyCounts } from './facets.ts';
import { STEP } from './scan.ts';

/** The most technologies that are counted by name. */
const COUNTED = 50;

/**
 * How many of some startups use each technology: the most frequent ones, equal ones in the order of their names, each as
 * the first startup of all writes it. Those without any are last.
 *
 * @param positions of the startups.
 */
export function* countTechnologies(data: CatalogueData, positions: Uint32Array): Steps<TechnologyCounts> {
  const { technologies: index, columns } = data;
  const marks = marksOf(positions, columns.id.length);
  const left = marks.slice();
  let without = positions.length;
  let work = 0;
  const top: { readonly number: number; readonly count: number }[] = [];
  for (let number = 0; number < index.starts.length - 1; number += 1) {
    let count = 0;
    const occurrences = occurrencesOf(index, number);
    for (let at = 0; at < occurrences.length; at += 1) {
      const position = positionOfOccurrence(occurrences[at] as number);
      count += marks[position] as number;
      without -= left[position] as number;
      left[position] = 0;
    }
    if (count > 0 && (top.length < COUNTED || count > (top.at(-1)?.count ?? 0))) {
      const place = top.findIndex((other) => other.count < count);
      top.splice(place === -1 ? top.length : place, 0, { number, count });
      top.length = Math.min(top.length, COUNTED);
    }
    work += occurrences.length + 1;
    if (work >= STEP) {
      work = 0;
      yield;
    }
  }
  const named = top.map(({ number, count }) => ({ value: nameOf(data, number), count }));
  return without === 0 ? named : [...named, { value: null, count: without }];
}

/** How the first startup that uses a technology writes it. */
function nameOf({ technologies: index, columns, details }: CatalogueData, number: number): string {
  const folded = Buffer.from(wordOf(index, number)).toString();
  const first = positionOfOccurrence(occurrencesOf(index, number)[0] as number);
  const names = listOf(details.textOf(columns.details[first] as number, TECH_STACK));
  return names.find((name) => foldText(name) === folded) ?? folded;
}

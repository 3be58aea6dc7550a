import type { Steps } from '../../../lib/loop/time-slices.ts';
import { LEAST_OF_FOUNDER, MOST_OPEN_GROUPS, type OpenGrouping } from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { marksOf } from './conditions.ts';
import { Largest, type Sized } from './largest.ts';
import { STEP } from './scan.ts';
import { mostUsedTechnologies, positionsOfTechnology, technologyName } from './technologies.ts';

/** The startups that have a text in common; null for those without one. */
interface OpenGroup {
  readonly value: string | null;
  /** Their positions, ascending. */
  readonly positions: Uint32Array;
}

/** How much longer reading a text takes than testing a row. */
const TEXT_WORK = 16;

/**
 * The largest groups of some startups by a field that has any texts, the largest first and null last.
 *
 * @param positions of the startups, ascending.
 */
export function openGroupsOf(
  data: CatalogueData,
  by: OpenGrouping,
  positions: Uint32Array,
): Steps<readonly OpenGroup[]> {
  return groupsBy[by](data, positions);
}

const groupsBy: Readonly<
  Record<OpenGrouping, (data: CatalogueData, positions: Uint32Array) => Steps<readonly OpenGroup[]>>
> = {
  xHandle: groupsByFounder,
  techStack: groupsByTechnology,
};

/** A founder: the place is the first of the positions. */
interface Founder extends Sized {
  readonly positions: readonly number[];
}

/** Founders of equally many are in the order of their first startups, and written as these write them. */
function* groupsByFounder(data: CatalogueData, positions: Uint32Array): Steps<readonly OpenGroup[]> {
  const { columns, texts, orders } = data;
  const marks = marksOf(positions, columns.id.length);
  const order = orders['handle-asc'];
  const handleAt = (position: number): string => texts.handle(columns.texts[position] as number) ?? '';
  const largest = new Largest<Founder>(MOST_OPEN_GROUPS);
  /** The positions of the present hash by handles, which may share it: read for the second position at the earliest. */
  const alike = new Map<string, number[]>();
  const addAlike = (position: number): void => {
    const handle = handleAt(position).toLowerCase();
    const founded = alike.get(handle);
    if (founded === undefined) {
      alike.set(handle, [position]);
    } else {
      founded.push(position);
    }
  };
  const addFounders = (): void => {
    for (const founded of alike.values()) {
      if (founded.length >= LEAST_OF_FOUNDER) {
        largest.add({ count: founded.length, place: founded[0] as number, positions: founded });
      }
    }
    alike.clear();
  };
  let hash = Number.NaN;
  let first = 0;
  let at = 0;
  let work = 0;
  for (; at < order.length; at += 1) {
    const position = order[at] as number;
    const found = columns.handleHash[position] as number;
    if (Number.isNaN(found)) {
      break;
    }
    if (marks[position] === 1 && found !== hash) {
      addFounders();
      [hash, first] = [found, position];
    } else if (marks[position] === 1) {
      if (alike.size === 0) {
        addAlike(first);
      }
      addAlike(position);
      work += TEXT_WORK;
    }
    work += 1;
    if (work >= STEP) {
      work = 0;
      yield;
    }
  }
  addFounders();
  const without = order.subarray(at).filter((position) => marks[position] === 1);
  return withNull(
    largest.items.map((founder) => ({
      value: handleAt(founder.place),
      positions: Uint32Array.from(founder.positions),
    })),
    without,
  );
}

function* groupsByTechnology(data: CatalogueData, positions: Uint32Array): Steps<readonly OpenGroup[]> {
  const marks = marksOf(positions, data.columns.id.length);
  const { technologies, without } = yield* mostUsedTechnologies(data, marks, MOST_OPEN_GROUPS);
  const groups: OpenGroup[] = [];
  for (const { place } of technologies) {
    groups.push({
      value: technologyName(data, place),
      positions: positionsOfTechnology(data, place, marks),
    });
    yield;
  }
  return withNull(
    groups,
    positions.filter((position) => without[position] === 1),
  );
}

const withNull = (groups: readonly OpenGroup[], without: Uint32Array): readonly OpenGroup[] =>
  without.length === 0 ? groups : [...groups, { value: null, positions: without }];

import type { Steps } from '../../../lib/loop/time-slices.ts';
import {
  type CodedGrouping,
  type Grouping,
  isOpenGrouping,
  type OpenGrouping,
} from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { ascendingOrder, type OrderName } from '../order/orders.ts';
import { type CodeArray, codeLimits, values } from '../store/codes.ts';
import { type FacetCount, mostFrequentFirst } from './facets.ts';
import { openGroupsOf } from './open-groups.ts';
import { STEP } from './scan.ts';
import { type Figures, figuresFrom, type StatName, statColumns } from './statistics.ts';
import { Sums } from './sums.ts';

/** The startups of a list that have a value in common; null for those without a value. */
export interface Group extends FacetCount<string | null> {
  /** How many of them are listed for sale. */
  readonly onSale: number;
}

/** A group with the code of its value. */
interface CodedGroup extends Group {
  readonly code: number;
}

/** The largest first; of equal ones, in the order of the vocabulary; null last. */
export type Groups = readonly CodedGroup[];

/** The groups of some startups, and which of them each startup is in, by their codes. */
export interface Membership {
  readonly groups: Groups;
  /** One more than the highest code. */
  readonly limit: number;
  readonly codes: CodeArray;
  /** Where the codes of each position begin, and where those of the last end; without these, each position has one. */
  readonly starts?: Uint32Array;
}

/** Which groups the startups at these positions are in. */
export function membershipOf(data: CatalogueData, by: Grouping, positions: Uint32Array): Steps<Membership> {
  return isOpenGrouping(by) ? openMembership(data, by, positions) : codedMembership(data, by, positions);
}

function* codedMembership(
  { columns }: CatalogueData,
  by: CodedGrouping,
  positions: Uint32Array,
): Steps<Membership> {
  const codes = columns[by];
  const counts = new Uint32Array(codeLimits[by]);
  const onSale = new Uint32Array(codeLimits[by]);
  for (let start = 0; start < positions.length; start += STEP) {
    const end = Math.min(start + STEP, positions.length);
    for (let at = start; at < end; at += 1) {
      const position = positions[at] as number;
      const code = codes[position] as number;
      counts[code] = (counts[code] as number) + 1;
      onSale[code] = (onSale[code] as number) + (columns.onSale[position] as number);
    }
    yield;
  }
  const groups = Array.from(counts, (count, code) => ({
    value: values[by][code] ?? null,
    count,
    onSale: onSale[code] as number,
    code,
  }))
    .filter(({ count }) => count > 0)
    .sort(mostFrequentFirst);
  return { groups, limit: codeLimits[by], codes };
}

function* openMembership(data: CatalogueData, by: OpenGrouping, positions: Uint32Array): Steps<Membership> {
  const { columns } = data;
  const open = yield* openGroupsOf(data, by, positions);
  const groups = open.map(({ value, positions: members }, code) => ({
    value,
    count: members.length,
    onSale: members.reduce((sum, position) => sum + (columns.onSale[position] as number), 0),
    code,
  }));
  const size = columns.id.length;
  const starts = new Uint32Array(size + 1);
  for (const { positions } of open) {
    for (let at = 0; at < positions.length; at += 1) {
      starts[positions[at] as number] = (starts[positions[at] as number] as number) + 1;
    }
    yield;
  }
  // Each start is the end of its codes, until they are filled in from there.
  let total = 0;
  for (let position = 0; position <= size; position += 1) {
    total += starts[position] as number;
    starts[position] = total;
  }
  // Of at most 250 groups, and that of null.
  const codes = new Uint8Array(total);
  for (const [code, { positions }] of open.entries()) {
    for (let at = 0; at < positions.length; at += 1) {
      const position = positions[at] as number;
      const place = (starts[position] as number) - 1;
      starts[position] = place;
      codes[place] = code;
    }
    yield;
  }
  return { groups, limit: groups.length, codes, starts };
}

/**
 * One statistic of each group, in their order: the same as over a list of the group alone, but from one walk.
 *
 * @param positions those of all groups, ascending.
 * @param sorted the same positions in an order.
 */
export function* groupFiguresOf(
  data: CatalogueData,
  { groups, limit, codes, starts: memberships }: Membership,
  name: StatName,
  positions: Uint32Array,
  sorted: (order: OrderName) => Steps<Uint32Array>,
): Steps<readonly Figures[]> {
  const column = data.columns[statColumns[name]];
  const inOrder = yield* sorted(ascendingOrder(statColumns[name]));
  yield;
  const counts = new Uint32Array(limit);
  const sums = new Sums(limit);
  let known = 0;
  for (let start = 0; start < positions.length; start += STEP) {
    const end = Math.min(start + STEP, positions.length);
    for (let at = start; at < end; at += 1) {
      const position = positions[at] as number;
      const value = column[position] as number;
      if (!Number.isNaN(value)) {
        known += 1;
        const until = memberships?.[position + 1] ?? position + 1;
        for (let place = memberships?.[position] ?? position; place < until; place += 1) {
          const code = codes[place] as number;
          counts[code] = (counts[code] as number) + 1;
          sums.add(code, value);
        }
      }
    }
    yield;
  }
  /** The values of each group together, ascending. */
  const values = new Float64Array(counts.reduce((sum, count) => sum + count, 0));
  let total = 0;
  /** By code: where the values begin, and where the next one belongs. */
  const starts = counts.map((count) => {
    total += count;
    return total - count;
  });
  const next = starts.slice();
  // Positions without a value are last, and not walked.
  for (let start = 0; start < known; start += STEP) {
    const end = Math.min(start + STEP, known);
    for (let at = start; at < end; at += 1) {
      const position = inOrder[at] as number;
      const until = memberships?.[position + 1] ?? position + 1;
      for (let member = memberships?.[position] ?? position; member < until; member += 1) {
        const code = codes[member] as number;
        const place = next[code] as number;
        values[place] = column[position] as number;
        next[code] = place + 1;
      }
    }
    yield;
  }
  return groups.map(({ code }) =>
    figuresFrom(
      sums.of(code),
      counts[code] as number,
      (index) => values[(starts[code] as number) + index] as number,
    ),
  );
}

import type { Steps } from '../../../lib/loop/time-slices.ts';
import { type Grouping, isOpenGrouping } from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { ascendingOrder, type OrderName } from '../order/orders.ts';
import { type CodeArray, codeLimits, values } from '../store/codes.ts';
import { type FacetCount, mostFrequentFirst } from './facets.ts';
import { type OpenGroup, openGroupsOf } from './open-groups.ts';
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

/** The groups that each startup is in, by their codes. */
interface Membership {
  /** One more than the highest code. */
  readonly limit: number;
  readonly codes: CodeArray;
  /** Where the codes of each position begin, and where those of the last end; without these, each position has one. */
  readonly starts?: Uint32Array;
}

/** The groups of the startups at these positions. */
export function* groupsOf(data: CatalogueData, by: Grouping, positions: Uint32Array): Steps<Groups> {
  const { columns } = data;
  if (isOpenGrouping(by)) {
    const groups = yield* openGroupsOf(data, by, positions);
    return groups.map(({ value, positions: members }, code) => ({
      value,
      count: members.length,
      onSale: members.reduce((sum, position) => sum + (columns.onSale[position] as number), 0),
      code,
    }));
  }
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
  return Array.from(counts, (count, code) => ({
    value: values[by][code] ?? null,
    count,
    onSale: onSale[code] as number,
    code,
  }))
    .filter(({ count }) => count > 0)
    .sort(mostFrequentFirst);
}

/** Which of its open groups each startup is in. @param size the number of all positions. */
function* openMembership(groups: readonly OpenGroup[], size: number): Steps<Membership> {
  const starts = new Uint32Array(size + 1);
  for (const { positions } of groups) {
    for (let at = 0; at < positions.length; at += 1) {
      starts[positions[at] as number] = (starts[positions[at] as number] as number) + 1;
    }
    yield;
  }
  /** Each start is the end of its codes, until they are filled in from there. */
  let total = 0;
  for (let position = 0; position <= size; position += 1) {
    total += starts[position] as number;
    starts[position] = total;
  }
  const codes = new Uint8Array(total);
  for (const [code, { positions }] of groups.entries()) {
    for (let at = 0; at < positions.length; at += 1) {
      const position = positions[at] as number;
      const place = (starts[position] as number) - 1;
      starts[position] = place;
      codes[place] = code;
    }
    yield;
  }
  return { limit: groups.length, codes, starts };
}

function* membershipOf(data: CatalogueData, by: Grouping, positions: Uint32Array): Steps<Membership> {
  const { columns } = data;
  return isOpenGrouping(by)
    ? yield* openMembership(yield* openGroupsOf(data, by, positions), columns.id.length)
    : { limit: codeLimits[by], codes: columns[by] };
}

/**
 * One statistic of each group, in their order: the same as over a list of the group alone, but from one walk.
 *
 * @param positions those of all groups, ascending.
 * @param sorted the same positions in an order.
 */
export function* groupFiguresOf(
  data: CatalogueData,
  by: Grouping,
  groups: Groups,
  name: StatName,
  positions: Uint32Array,
  sorted: (order: OrderName) => Steps<Uint32Array>,
): Steps<readonly Figures[]> {
  const { limit, codes, starts: memberships } = yield* membershipOf(data, by, positions);
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

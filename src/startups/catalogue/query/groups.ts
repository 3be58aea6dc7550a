import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { Grouping } from '../../model/vocabulary.ts';
import type { CatalogueData } from '../edition-data.ts';
import { ascendingOrder, type OrderName } from '../order/orders.ts';
import { codeLimits, values } from '../store/codes.ts';
import { type FacetCount, mostFrequentFirst } from './facets.ts';
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

/** The groups of the startups at these positions. */
export function* groupsOf({ columns }: CatalogueData, by: Grouping, positions: Uint32Array): Steps<Groups> {
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

/**
 * One statistic of each group, in their order: the same as over a list of the group alone, but from one walk.
 *
 * @param positions those of all groups, ascending.
 * @param sorted the same positions in an order.
 */
export function* groupFiguresOf(
  { columns }: CatalogueData,
  by: Grouping,
  groups: Groups,
  name: StatName,
  positions: Uint32Array,
  sorted: (order: OrderName) => Steps<Uint32Array>,
): Steps<readonly Figures[]> {
  const codes = columns[by];
  const column = columns[statColumns[name]];
  const inOrder = yield* sorted(ascendingOrder(statColumns[name]));
  yield;
  const counts = new Uint32Array(codeLimits[by]);
  const sums = new Sums(codeLimits[by]);
  let known = 0;
  for (let start = 0; start < positions.length; start += STEP) {
    const end = Math.min(start + STEP, positions.length);
    for (let at = start; at < end; at += 1) {
      const position = positions[at] as number;
      const value = column[position] as number;
      if (!Number.isNaN(value)) {
        const code = codes[position] as number;
        counts[code] = (counts[code] as number) + 1;
        sums.add(code, value);
        known += 1;
      }
    }
    yield;
  }
  /** The values of each group together, ascending. */
  const values = new Float64Array(known);
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
      const code = codes[position] as number;
      const place = next[code] as number;
      values[place] = column[position] as number;
      next[code] = place + 1;
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

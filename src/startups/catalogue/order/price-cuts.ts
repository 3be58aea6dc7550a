import { type Columns, type DetailColumn, detailColumns } from '../store/columns.ts';
import { sharedArray } from '../store/memory.ts';
import { sortPositions } from '../store/radix-sort.ts';
import type { PackedTexts } from '../store/texts.ts';
import { firstReached } from './orders.ts';

/**
 * The startups whose last change of the asking price was a reduction, in the order of these changes. Few startups have one,
 * so they are listed instead of having a column.
 */
export interface PriceCuts {
  readonly positions: Uint32Array;
  /** When each change was, in ms since 1970. */
  readonly times: Float64Array;
}

const PREVIOUS = detailColumns.indexOf('previousAskingPrice' satisfies DetailColumn);
const CHANGED = detailColumns.indexOf('askingPriceChangedAt' satisfies DetailColumn);

export function findPriceCuts(
  { askingPrice, details: units }: Pick<Columns, 'askingPrice' | 'details'>,
  details: PackedTexts,
): PriceCuts {
  const found: number[] = [];
  for (let position = 0; position < units.length; position += 1) {
    const previous = details.textOf(units[position] as number, PREVIOUS);
    if (previous !== null && (askingPrice[position] as number) < Number(previous)) {
      found.push(position);
    }
  }
  const positions = sharedArray(Uint32Array, found.length);
  positions.set(found);
  const changedAt = new Float64Array(found.length === 0 ? 0 : units.length);
  for (const position of found) {
    changedAt[position] = Number(details.textOf(units[position] as number, CHANGED));
  }
  sortPositions(positions, changedAt, false);
  const times = sharedArray(Float64Array, found.length);
  times.set(Array.from(positions, (position) => changedAt[position] as number));
  return { positions, times };
}

/** The positions of the startups whose price was reduced at a time or later. */
export function positionsReducedSince({ positions, times }: PriceCuts, since: number): Uint32Array {
  return positions.subarray(firstReached(0, times.length, (at) => (times[at] as number) >= since));
}

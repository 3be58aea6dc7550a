import { sharedArray } from '../store/memory.ts';
import type { ArrangedData } from './sorted-orders.ts';

/**
 * Ranks by total among active startups: 1 for the highest; ties share a rank and the next ones are skipped.
 * 0 for others.
 */
export function rank(data: ArrangedData): Int32Array {
  const { revenueTotal, active } = data.columns;
  const ranks = sharedArray(Int32Array, active.length);
  let counted = 0;
  let current = 0;
  let above = Number.NaN;
  for (const position of data.orders['total-desc']) {
    if (active[position] !== 1) {
      continue;
    }
    counted += 1;
    const total = revenueTotal[position] as number;
    if (total !== above) {
      current = counted;
      above = total;
    }
    ranks[position] = current;
  }
  return ranks;
}

import { hashText } from '../store/hash.ts';
import { countBefore, orders } from './orders.ts';
import type { ArrangedData } from './sorted-orders.ts';

// Slugs and handles are looked up in the orders by their hashes. Different texts may share a hash.

/** The position of the startup with a slug; undefined if there is none. */
export function positionOfSlug(data: ArrangedData, slug: string): number | undefined {
  const { columns, texts } = data;
  return positionsOfHash(data, 'slug-asc', slug).find((position) =>
    texts.hasSlug(columns.texts[position] as number, slug),
  );
}

/**
 * The positions of a founder's startups, in no particular order.
 *
 * @param handle normalized.
 */
export function positionsOfHandle(data: ArrangedData, handle: string): number[] {
  const { columns, texts } = data;
  return positionsOfHash(data, 'handle-asc', handle).filter((position) =>
    texts.hasHandle(columns.texts[position] as number, handle),
  );
}

function positionsOfHash(data: ArrangedData, order: 'slug-asc' | 'handle-asc', text: string): number[] {
  const sorted = data.orders[order];
  const hashes = data.columns[orders[order].column];
  const hash = hashText(text);
  const found: number[] = [];
  // Nulls are NaN, and last.
  for (let at = countBefore(sorted, (position) => !((hashes[position] as number) < hash)); ; at += 1) {
    const position = sorted[at];
    if (position === undefined || hashes[position] !== hash) {
      return found;
    }
    found.push(position);
  }
}

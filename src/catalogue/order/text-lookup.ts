import type { Columns } from '../store/columns.ts';
import { hashText } from '../store/hash.ts';
import type { PackedTexts } from '../store/texts.ts';
import { countBefore, orders } from './orders.ts';
import type { Arrangement } from './sorted-orders.ts';

/** The data in which slugs and handles are looked up: orders by their hashes. Different texts may share a hash. */
export interface LookupData {
  readonly columns: Columns;
  readonly texts: PackedTexts;
  readonly orders: Arrangement;
}

/** The position of the startup with a slug; undefined if there is none. */
export function positionOfSlug(data: LookupData, slug: string): number | undefined {
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
export function positionsOfHandle(data: LookupData, handle: string): number[] {
  const { columns, texts } = data;
  return positionsOfHash(data, 'handle-asc', handle).filter((position) =>
    texts.hasHandle(columns.texts[position] as number, handle),
  );
}

function positionsOfHash(data: LookupData, order: 'slug-asc' | 'handle-asc', text: string): number[] {
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

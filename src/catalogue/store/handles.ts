import type { CatalogueData } from '../edition-data.ts';
import { hashText } from './hash.ts';

/**
 * The positions, ascending, of the startups with a handle.
 *
 * @param handle normalized: in lower case.
 */
export function positionsOfHandle({ handles, columns, texts }: CatalogueData, handle: string): Uint32Array {
  const hash = hashText(handle);
  let low = 0;
  for (let high = handles.length; low < high; ) {
    const middle = (low + high) >>> 1;
    if ((columns.handleHash[handles[middle] as number] as number) < hash) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  const found: number[] = [];
  for (; low < handles.length; low += 1) {
    const position = handles[low] as number;
    if (columns.handleHash[position] !== hash) {
      break;
    }
    if (texts.hasHandle(columns.texts[position] as number, handle)) {
      found.push(position);
    }
  }
  return Uint32Array.from(found);
}

import type { Steps } from '../../../lib/loop/time-slices.ts';
import { priceMultiple } from '../../model/record.ts';
import type { CatalogueData } from '../edition-data.ts';
import { CHUNK } from '../query/conditions.ts';

/** The figures that are remembered: what emails tell, and what lets startups begin to match a filter. */
const numbers = ['askingPrice', 'revenueLast30Days', 'revenueMrr', 'growth30d', 'customers'] as const;
/** In an order in which each begins at a multiple of its size. */
const kept = [...numbers, 'id', 'onSale'] as const;
const BYTES = numbers.length * Float64Array.BYTES_PER_ELEMENT + Int32Array.BYTES_PER_ELEMENT + 1;

/** The figures of all startups of an edition, packed in parts in the order of their ids: 45 bytes each. */
export function* packFigures({ columns }: CatalogueData): Steps<Buffer[]> {
  const parts: Buffer[] = [];
  for (let start = 0; start < columns.id.length; start += CHUNK) {
    const figures = kept.map((name) => {
      const { buffer, byteOffset, byteLength } = columns[name].subarray(start, start + CHUNK);
      return new Uint8Array(buffer, byteOffset, byteLength);
    });
    parts.push(Buffer.concat(figures));
    yield;
  }
  return parts;
}

/** An edition with figures of the past, which only tests of single conditions may read: its orders are not of them. */
export interface PastFigures {
  readonly data: CatalogueData;
  /** By position: 1 if the startup was there. */
  readonly isKnown: Uint8Array;
  /** The positions of startups that were added, or of which a figure has changed, ascending. */
  readonly changed: Uint32Array;
  /** The ids of startups that are gone, ascending. */
  readonly gone: Int32Array;
}

/** Lays figures that were packed earlier over an edition. */
export function* readFigures(data: CatalogueData, parts: readonly Buffer[]): Steps<PastFigures> {
  const { columns } = data;
  const size = columns.id.length;
  const past = { onSale: Uint8Array.from(columns.onSale) } as Record<'onSale', Uint8Array> &
    Record<(typeof numbers)[number] | 'multiple', Float64Array>;
  for (const name of [...numbers, 'multiple'] as const) {
    yield;
    past[name] = new Float64Array(columns[name]);
  }
  const isKnown = new Uint8Array(size);
  const isChanged = new Uint8Array(size).fill(1);
  const gone: number[] = [];
  let next = 0;
  for (const part of parts) {
    yield;
    const figures = unpack(part);
    for (const [at, id] of figures.id.entries()) {
      while (next < size && (columns.id[next] as number) < id) {
        next += 1;
      }
      if (columns.id[next] !== id) {
        gone.push(id);
        continue;
      }
      isKnown[next] = 1;
      past.onSale[next] = figures.onSale[at] as number;
      let differs = past.onSale[next] !== columns.onSale[next];
      for (const name of numbers) {
        past[name][next] = figures[name][at] as number;
        differs ||= !Object.is(past[name][next], columns[name][next]);
      }
      isChanged[next] = Number(differs);
      past.multiple[next] = priceMultiple(
        past.askingPrice[next] as number,
        past.revenueLast30Days[next] as number,
      );
    }
  }
  yield;
  let count = 0;
  const changed = new Uint32Array(size);
  for (let position = 0; position < size; position += 1) {
    changed[count] = position;
    count += isChanged[position] as number;
  }
  return {
    data: { ...data, columns: { ...columns, ...past } },
    isKnown,
    changed: changed.slice(0, count),
    gone: Int32Array.from(gone),
  };
}

function unpack(part: Buffer) {
  const count = part.length / BYTES;
  const { buffer } = Uint8Array.from(part);
  const ids = numbers.length * Float64Array.BYTES_PER_ELEMENT * count;
  const columns = numbers.map((name, index) => [
    name,
    new Float64Array(buffer, index * Float64Array.BYTES_PER_ELEMENT * count, count),
  ]);
  return {
    ...(Object.fromEntries(columns) as Record<(typeof numbers)[number], Float64Array>),
    id: new Int32Array(buffer, ids, count),
    onSale: new Uint8Array(buffer, ids + Int32Array.BYTES_PER_ELEMENT * count, count),
  };
}

import type { CodeArray, CodeColumn } from './codes.ts';
import type { CatalogueColumns, InputColumn } from './columns.ts';
import type { CatalogueData, NumberColumn } from './data.ts';
import { indexHandles } from './handles.ts';
import { arrange, type OrderName, orders } from './orders.ts';
import { SortScratch, sortPositions } from './radix.ts';

const MONTHS = 12;
/** The interval that a margin counts within, as a fraction, and what an unknown one counts as. */
const MARGIN = { least: 0.05, most: 1, unknown: 0.5 };
/** Likewise the factor of growth: 1 is no growth. */
const GROWTH = { least: 0.5, most: 2, unknown: 1 };

/**
 * Builds a catalogue. The columns stay as they are and may be built from again.
 *
 * @param builtAt when the rows were read, in ms since 1970.
 */
export function buildCatalogue(columns: CatalogueColumns, builtAt: number): CatalogueData {
  const { length, revision } = columns;
  const scratch = new SortScratch(length);
  const all = new Uint32Array(length).map((_, position) => position);
  const input = (name: InputColumn): Float64Array => columns.numbers[name].slice(0, length);
  const stored = { revenue: input('revenue'), price: input('price'), growth: input('growth') };
  const multiple = multiplesOf(stored);
  const numbers: Record<NumberColumn, Float64Array> = {
    ...stored,
    mrr: input('mrr'),
    listedAt: input('listedAt'),
    multiple,
    payback: paybacksOf({ ...stored, multiple }, columns),
  };
  return {
    revision,
    builtAt,
    ids: columns.ids.slice(0, length),
    numbers,
    codes: mapValues(columns.codes, (codes) => codes.slice(0, length)) as Record<CodeColumn, CodeArray>,
    handles: indexHandles(columns.copyHandles(), scratch),
    ranks: ranksOf(columns, all, scratch),
    orders: mapValues(orders, (_, name) => arrange(numbers, name as OrderName, all, scratch)) as Record<
      OrderName,
      Uint32Array
    >,
  };
}

type Stored = Readonly<Record<'revenue' | 'price' | 'growth', Float64Array>>;

/** Price over a year's revenue; null without a price or revenue. */
function multiplesOf({ revenue, price }: Stored): Float64Array {
  return price.map((cents, position) => {
    const yearly = (revenue[position] as number) * MONTHS;
    return yearly === 0 ? Number.NaN : cents / yearly;
  });
}

/** The years in which a deal would pay itself back, as best-deal estimates them; null for what is no deal. */
function paybacksOf(
  stored: Stored & { multiple: Float64Array },
  { numbers, codes }: CatalogueColumns,
): Float64Array {
  return stored.multiple.map((multiple, position) => {
    // Without revenue there is no multiple.
    const deal = codes.onSale[position] === 1 && (stored.price[position] as number) > 0;
    if (!deal) {
      return Number.NaN;
    }
    const margin = within(MARGIN, (numbers.margin[position] as number) / 100);
    const growth = within(GROWTH, 1 + (stored.growth[position] as number) / 100);
    return multiple / (margin * growth);
  });
}

function within({ least, most, unknown }: typeof MARGIN, value: number): number {
  return Number.isNaN(value) ? unknown : Math.min(Math.max(value, least), most);
}

/** 1 for the highest total among active startups; ties share a rank and the next ones are skipped. */
function ranksOf({ numbers, active }: CatalogueColumns, all: Uint32Array, scratch: SortScratch): Int32Array {
  const ranks = new Int32Array(all.length);
  const sorted = all.filter((position) => active[position] === 1);
  sortPositions(sorted, numbers.total, true, scratch);
  let above = Number.NaN;
  let rank = 0;
  for (let at = 0; at < sorted.length; at += 1) {
    const position = sorted[at] as number;
    const total = numbers.total[position] as number;
    if (total !== above) {
      rank = at + 1;
      above = total;
    }
    ranks[position] = rank;
  }
  return ranks;
}

function mapValues<K extends string, V, R>(
  record: Readonly<Record<K, V>>,
  map: (value: V, key: K) => R,
): Record<K, R> {
  return Object.fromEntries(
    Object.entries(record).map(([key, value]) => [key, map(value as V, key as K)]),
  ) as Record<K, R>;
}

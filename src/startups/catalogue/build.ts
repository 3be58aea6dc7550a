import { type Arrangement, arrangeAll, type BuildColumn, copyOrders, rearrange } from './arrangement.ts';
import type { CatalogueColumns } from './columns.ts';
import type { CatalogueData } from './data.ts';
import { countBefore, type Sortable } from './orders.ts';

const MONTHS = 12;
/** The interval that a margin counts within, as a fraction, and what an unknown one counts as. */
const MARGIN = { least: 0.05, most: 1, unknown: 0.5 };
/** Likewise the factor of growth: 1 is no growth. */
const GROWTH = { least: 0.5, most: 2, unknown: 1 };

/**
 * Builds a catalogue once.
 *
 * @param builtAt when the rows were read, in ms since 1970.
 */
export function buildCatalogue(columns: CatalogueColumns, builtAt: number): CatalogueData {
  return new CatalogueMaker().make(columns, undefined, builtAt);
}

/** Builds one catalogue after another, and keeps what saves work for the next. */
export class CatalogueMaker {
  #arrangement: Arrangement | undefined;

  /**
   * @param columns they stay as they are, and share nothing with the result.
   * @param changed which positions changed since the columns were last built from; undefined for others.
   * @param builtAt when the rows were read, in ms since 1970.
   */
  make(columns: CatalogueColumns, changed: Uint32Array | undefined, builtAt: number): CatalogueData {
    const sortable = sortableOf(columns);
    this.#arrangement =
      changed === undefined || this.#arrangement === undefined
        ? arrangeAll(sortable)
        : rearrange(sortable, this.#arrangement, changed);
    const { ids, numbers } = sortable;
    return {
      revision: columns.revision,
      builtAt,
      importedAt: columns.importedAt,
      ids: ids.slice(),
      revisions: columns.revisions.slice(0, columns.length),
      numbers: {
        revenue: numbers.revenue.slice(),
        mrr: numbers.mrr.slice(),
        price: numbers.price.slice(),
        growth: numbers.growth.slice(),
        listedAt: numbers.listedAt.slice(),
        multiple: numbers.multiple,
        payback: numbers.payback,
      },
      codes: columns.copyCodes(),
      handles: { ...columns.copyHandles(), byHash: byHashOf(sortable, this.#arrangement) },
      ranks: ranksOf(sortable, columns.active, this.#arrangement),
      orders: copyOrders(this.#arrangement),
    };
  }
}

/** The columns as far as they are filled, and what follows from them. */
function sortableOf({ length, ids, numbers, codes }: CatalogueColumns): Sortable<BuildColumn> {
  const revenue = numbers.revenue.subarray(0, length);
  const price = numbers.price.subarray(0, length);
  const multiple = new Float64Array(length);
  const payback = new Float64Array(length);
  for (let at = 0; at < length; at += 1) {
    multiple[at] = multipleOf(price[at] as number, revenue[at] as number);
    payback[at] =
      codes.onSale[at] === 1 && (price[at] as number) > 0
        ? paybackOf(multiple[at] as number, numbers.margin[at] as number, numbers.growth[at] as number)
        : Number.NaN;
  }
  return {
    ids: ids.subarray(0, length),
    numbers: {
      revenue,
      price,
      multiple,
      payback,
      mrr: numbers.mrr.subarray(0, length),
      total: numbers.total.subarray(0, length),
      growth: numbers.growth.subarray(0, length),
      listedAt: numbers.listedAt.subarray(0, length),
      handleHash: numbers.handleHash.subarray(0, length),
    },
  };
}

/** Price over a year's revenue; null without a price or revenue. */
function multipleOf(price: number, revenue: number): number {
  return revenue === 0 ? Number.NaN : price / (revenue * MONTHS);
}

/** The years in which a deal pays itself back, as best-deal estimates them; margin and growth are percentages. */
function paybackOf(multiple: number, margin: number, growth: number): number {
  return multiple / (within(MARGIN, margin / 100) * within(GROWTH, 1 + growth / 100));
}

function within({ least, most, unknown }: typeof MARGIN, value: number): number {
  return Number.isNaN(value) ? unknown : Math.min(Math.max(value, least), most);
}

function byHashOf({ numbers }: Sortable<BuildColumn>, arrangement: Arrangement): Uint32Array {
  const all = arrangement['handle-asc'];
  return all.slice(
    0,
    countBefore(all, (position) => Number.isNaN(numbers.handleHash[position])),
  );
}

/** 1 for the highest total among active startups; ties share a rank and the next ones are skipped. */
function ranksOf(
  { ids, numbers: { total } }: Sortable<BuildColumn>,
  active: Uint8Array,
  arrangement: Arrangement,
): Int32Array {
  const ranks = new Int32Array(ids.length);
  let counted = 0;
  let rank = 0;
  let above = Number.NaN;
  for (const position of arrangement['total-desc']) {
    if (active[position] === 1) {
      counted += 1;
      if (total[position] !== above) {
        rank = counted;
        above = total[position] as number;
      }
      ranks[position] = rank;
    }
  }
  return ranks;
}

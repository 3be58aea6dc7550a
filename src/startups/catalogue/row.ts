import { normalizeHandle } from '../filter.ts';
import { encode } from './codes.ts';
import { CatalogueColumns, codeNames } from './columns.ts';
import { type Memory, ownMemory } from './memory.ts';

/**
 * What a catalogue knows of one startup. Rows of the `startups` table as Prisma reads them fit.
 * Money is in US cents, growth and margin are percentages.
 */
export interface CatalogueRow {
  readonly id: number;
  /** The dataset revision that last changed it; 0 where that does not matter. */
  readonly revision?: number | bigint;
  readonly category: string | null;
  readonly paymentProvider: string;
  readonly country: string | null;
  readonly targetAudience: string | null;
  readonly teamSize: string | null;
  readonly fundingStatus: string | null;
  readonly onSale: boolean;
  readonly active: boolean;
  readonly revenueLast30Days: number | bigint;
  readonly revenueMrr: number | bigint;
  readonly revenueTotal: number | bigint;
  readonly askingPrice: number | bigint | null;
  readonly growth30d: number | null;
  readonly profitMarginLast30Days: number | null;
  readonly firstListedForSaleAt: Date | null;
  readonly xHandle: string | null;
}

/** The columns of rows that are in ascending order of ids. */
export function columnsOf(
  rows: Iterable<CatalogueRow>,
  revision = 0,
  memory: Memory = ownMemory,
): CatalogueColumns {
  const columns = new CatalogueColumns(undefined, memory);
  const { numbers, codes } = columns;
  for (const row of rows) {
    const at = columns.add();
    columns.ids[at] = row.id;
    columns.revisions[at] = Number(row.revision ?? 0);
    columns.active[at] = Number(row.active);
    numbers.revenue[at] = Number(row.revenueLast30Days);
    numbers.mrr[at] = Number(row.revenueMrr);
    numbers.total[at] = Number(row.revenueTotal);
    numbers.price[at] = numberOrNaN(row.askingPrice);
    numbers.growth[at] = numberOrNaN(row.growth30d);
    numbers.listedAt[at] = numberOrNaN(row.firstListedForSaleAt?.getTime() ?? null);
    for (const name of codeNames) {
      codes[name][at] = encode(name, row[name]);
    }
    columns.derive(at, numberOrNaN(row.profitMarginLast30Days));
    const handle = Buffer.from(row.xHandle === null ? '' : normalizeHandle(row.xHandle));
    columns.setHandle(at, handle, 0, handle.length);
  }
  columns.revision = revision;
  return columns;
}

/** Adding 0 makes 0 of -0, which equals it but would be sorted apart. */
function numberOrNaN(value: number | bigint | null): number {
  return value === null ? Number.NaN : Number(value) + 0;
}

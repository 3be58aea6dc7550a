import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../../src/startups/filter.ts';
import type { StartupSort } from '../../../src/startups/vocabulary.ts';

// What a catalogue must answer, said as plainly as it can be and without a thought of speed.

/** All matching rows, in order. `rows` are in ascending order of ids. */
export function expectedList(rows: readonly Startup[], filter: StartupFilter, sort: StartupSort): Startup[] {
  return rows.filter((row) => passes(row, filter)).sort((a, b) => compareRows(sort, a, b));
}

function passes(row: Startup, filter: StartupFilter): boolean {
  const handle = filter.xHandle?.replace(/^@/, '').toLowerCase();
  return (
    equals(filter.onSale, row.onSale) &&
    equals(filter.category, row.category) &&
    equals(filter.teamSize, row.teamSize) &&
    equals(filter.active, row.active) &&
    isWithin(filter.updatedSince?.getTime(), undefined, row.updatedAt.getTime()) &&
    equals(filter.fundingStatus, row.fundingStatus) &&
    equals(handle, row.xHandle?.toLowerCase() ?? null) &&
    isAnyOf(filter.categories, row.category) &&
    isAnyOf(filter.countries, row.country) &&
    isAnyOf(filter.paymentProviders, row.paymentProvider) &&
    isAnyOf(filter.targetAudiences, row.targetAudience) &&
    isWithin(filter.minRevenue, filter.maxRevenue, Number(row.revenueLast30Days)) &&
    isWithin(filter.minMrr, filter.maxMrr, Number(row.revenueMrr)) &&
    isWithin(filter.minGrowth, filter.maxGrowth, row.growth30d === null ? null : row.growth30d / 100) &&
    isWithin(filter.minPrice, filter.maxPrice, row.askingPrice === null ? null : Number(row.askingPrice))
  );
}

function equals<T>(asked: T | undefined, value: T | null): boolean {
  return asked === undefined || asked === value;
}

function isAnyOf<T>(asked: readonly T[] | undefined, value: T | null): boolean {
  return asked === undefined || (value !== null && asked.includes(value));
}

function isWithin(min: number | undefined, max: number | undefined, value: number | null): boolean {
  if (min === undefined && max === undefined) {
    return true;
  }
  return value !== null && (min === undefined || value >= min) && (max === undefined || value <= max);
}

export function multipleOf({ askingPrice, revenueLast30Days }: Startup): number | null {
  const yearly = Number(revenueLast30Days) * 12;
  return askingPrice === null || yearly === 0 ? null : Number(askingPrice) / yearly;
}

function paybackOf(row: Startup): number | null {
  const multiple = multipleOf(row);
  if (!row.onSale || multiple === null || Number(row.askingPrice) <= 0) {
    return null;
  }
  const { profitMarginLast30Days: percent, growth30d } = row;
  const margin = percent === null ? 0.5 : Math.min(1, Math.max(0.05, percent / 100));
  const growth = growth30d === null ? 1 : Math.min(2, Math.max(0.5, 1 + growth30d / 100));
  return multiple / (margin * growth);
}

function compareRows(sort: StartupSort, a: Startup, b: Startup): number {
  if (sort === 'best-deal') {
    const bothOthers = paybackOf(a) === null && paybackOf(b) === null;
    const difference = bothOthers
      ? Number(b.revenueLast30Days) - Number(a.revenueLast30Days)
      : nullsLast(paybackOf(a), paybackOf(b), 1);
    return difference || a.id - b.id;
  }
  const value = (row: Startup): number | null => {
    switch (sort) {
      case 'revenue-asc':
      case 'revenue-desc':
        return Number(row.revenueLast30Days);
      case 'price-asc':
      case 'price-desc':
        return row.askingPrice === null ? null : Number(row.askingPrice);
      case 'growth-asc':
      case 'growth-desc':
        return row.growth30d;
      case 'multiple-asc':
      case 'multiple-desc':
        return multipleOf(row);
      case 'listed-asc':
      case 'listed-desc':
        return row.firstListedForSaleAt?.getTime() ?? null;
    }
  };
  return nullsLast(value(a), value(b), sort.endsWith('-asc') ? 1 : -1) || a.id - b.id;
}

function nullsLast(a: number | null, b: number | null, direction: 1 | -1): number {
  if (a === null || b === null) {
    return Number(a === null) - Number(b === null);
  }
  return direction * (a - b);
}

/** One more than the number of active startups with a higher total; null for an inactive one. */
export function expectedRank(rows: readonly Startup[], row: Startup): number | null {
  const higher = rows.filter(
    (other) => other.active && Number(other.revenueTotal) > Number(row.revenueTotal),
  );
  return row.active ? higher.length + 1 : null;
}

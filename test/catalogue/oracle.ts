import type { Startup } from '../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../src/startups/filter.ts';
import { cutDescription, type StartupRecord } from '../../src/startups/record.ts';
import { constantName, type StartupSort } from '../../src/startups/vocabulary.ts';

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
    isWithin(filter.minPrice, filter.maxPrice, row.askingPrice === null ? null : Number(row.askingPrice)) &&
    isWithin(filter.minMultiple, filter.maxMultiple, multipleOf(row)) &&
    isWithin(filter.minCustomers, filter.maxCustomers, row.customers) &&
    isWithin(filter.minTotal, filter.maxTotal, Number(row.revenueTotal)) &&
    isWithin(filter.minVisitors, filter.maxVisitors, row.visitorsLast30Days) &&
    isWithin(filter.minMargin, filter.maxMargin, row.profitMarginLast30Days) &&
    isWithin(
      filter.foundedAfter?.getTime(),
      filter.foundedBefore?.getTime(),
      row.foundedDate?.getTime() ?? null,
    ) &&
    equals(filter.country, row.country) &&
    equals(filter.paymentProvider, row.paymentProvider) &&
    equals(filter.targetAudience, row.targetAudience) &&
    isAnyOf(filter.teamSizes, row.teamSize) &&
    isAnyOf(filter.fundingStatuses, row.fundingStatus)
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
  const direction = sort.endsWith('-asc') ? 1 : -1;
  if (sort.startsWith('name-')) {
    const [nameOfA, nameOfB] = [plain(a.name), plain(b.name)];
    return nameOfA === nameOfB ? a.id - b.id : nameOfA < nameOfB ? -direction : direction;
  }
  const value = (row: Startup): number | null => {
    switch (sort.replace(/-.*/, '')) {
      case 'revenue':
        return Number(row.revenueLast30Days);
      case 'price':
        return row.askingPrice === null ? null : Number(row.askingPrice);
      case 'growth':
        return row.growth30d;
      case 'multiple':
        return multipleOf(row);
      case 'listed':
        return row.firstListedForSaleAt?.getTime() ?? null;
      case 'mrr':
        return Number(row.revenueMrr);
      case 'total':
        return Number(row.revenueTotal);
      case 'customers':
        return row.customers;
      case 'visitors':
        return row.visitorsLast30Days;
      case 'founded':
        return row.foundedDate?.getTime() ?? null;
      case 'created':
        return row.createdAt.getTime();
      case 'updated':
        return row.updatedAt.getTime();
      default:
        throw new Error(`no rule for ${sort}`);
    }
  };
  return nullsLast(value(a), value(b), direction) || a.id - b.id;
}

const plainTexts = new Map<string, string>();

/** Without case and accents. Kept: sorting asks often. */
function plain(text: string): string {
  const known = plainTexts.get(text) ?? text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
  plainTexts.set(text, known);
  return known;
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

/** The record of a stored startup, without its rank. */
export function expectedRecord(row: Startup): Omit<StartupRecord, 'rank'> {
  const {
    revenueLast30Days,
    revenueMrr,
    revenueTotal,
    sample: _sample,
    revision: _revision,
    ...others
  } = row;
  const last30Days = Number(revenueLast30Days);
  return {
    ...others,
    category: row.category && constantName(row.category),
    paymentProvider: constantName(row.paymentProvider),
    targetAudience: row.targetAudience && constantName(row.targetAudience),
    teamSize: row.teamSize && constantName(row.teamSize),
    fundingStatus: row.fundingStatus && constantName(row.fundingStatus),
    description: row.description === null ? null : cutDescription(row.description),
    foundedDate: row.foundedDate?.getTime() ?? null,
    revenue: { last30Days, mrr: Number(revenueMrr), total: Number(revenueTotal) },
    askingPrice: row.askingPrice === null ? null : Number(row.askingPrice),
    multiple: multipleOf(row),
    revenuePerVisitor: row.visitorsLast30Days ? last30Days / row.visitorsLast30Days : null,
    firstListedForSaleAt: row.firstListedForSaleAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

import type { ListCase as RestCase } from '../conformance/cases.ts';
import type { ImportRecord } from './records.ts';
import { searched } from './search-oracle.ts';

/** What a list is asked, with the conditions that only GraphQL has, in REST's spelling. */
export interface ListCase extends RestCase {
  categories?: string[];
  countries?: string[];
  paymentProviders?: string[];
  targetAudiences?: string[];
}

type Key = (record: ImportRecord) => number | string | null;

const multiple = ({ askingPrice, revenue }: ImportRecord): number | null =>
  askingPrice === null || revenue.last30Days === 0 ? null : askingPrice / (revenue.last30Days * 12);
const keys: Record<string, Key> = {
  revenue: ({ revenue }) => revenue.last30Days,
  price: ({ askingPrice }) => askingPrice,
  multiple,
  growth: ({ growth30d }) => growth30d,
  listed: ({ firstListedForSaleAt }) =>
    firstListedForSaleAt === null ? null : Date.parse(firstListedForSaleAt),
  mrr: ({ revenue }) => revenue.mrr,
  total: ({ revenue }) => revenue.total,
  customers: ({ customers }) => customers,
  visitors: ({ visitorsLast30Days }) => visitorsLast30Days,
  founded: ({ foundedDate }) => (foundedDate === null ? null : Date.parse(foundedDate)),
  // Records are imported together.
  created: () => 0,
  updated: () => 0,
  name: ({ name }) => foldedName(name),
};

function foldedName(name: string): string {
  return name.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
}

function payback(record: ImportRecord): number | null {
  if (!record.onSale || (record.askingPrice ?? 0) <= 0 || record.revenue.last30Days <= 0) {
    return null;
  }
  const margin = Math.min(1, Math.max(0.05, (record.profitMarginLast30Days ?? 50) / 100));
  const growth = Math.min(2, Math.max(0.5, 1 + (record.growth30d ?? 0) / 100));
  return (multiple(record) ?? 0) / (margin * growth);
}

/** Sorted by a key, nulls last, otherwise in the order given. */
function sorted(records: ImportRecord[], key: Key, direction: 1 | -1): ImportRecord[] {
  return [...records].sort((a, b) => {
    const [x, y] = [key(a), key(b)];
    return x === null || y === null
      ? Number(x === null) - Number(y === null)
      : direction * (x < y ? -1 : x > y ? 1 : 0);
  });
}

function passes(record: ImportRecord, list: ListCase): boolean {
  const within = (value: number | null | undefined, min: unknown, max: unknown): boolean =>
    (min === undefined || (typeof value === 'number' && value >= (min as number))) &&
    (max === undefined || (typeof value === 'number' && value <= (max as number)));
  const handle = (text: string): string => text.replace(/^@/, '').toLowerCase();
  const oneOf = (value: string | null, asked: unknown): boolean =>
    asked === undefined || (value !== null && String(asked).split(',').includes(value));
  const anyOf = (value: string | null, values: string[] | undefined): boolean =>
    values === undefined || (value !== null && values.includes(value));
  return (
    (list.onSale === undefined || record.onSale === list.onSale) &&
    oneOf(record.category, list.category) &&
    (list.xHandle === undefined || handle(record.xHandle ?? '') === handle(String(list.xHandle))) &&
    oneOf(record.teamSize, list.teamSize) &&
    oneOf(record.fundingStatus, list.fundingStatus) &&
    oneOf(record.country, list.country) &&
    oneOf(record.paymentProvider, list.paymentProvider) &&
    oneOf(record.targetAudience, list.targetAudience) &&
    (list.active === undefined || record.active === list.active) &&
    within(multiple(record), list.minMultiple, list.maxMultiple) &&
    within(record.customers, list.minCustomers, list.maxCustomers) &&
    within(record.revenue.total, list.minTotal, list.maxTotal) &&
    within(record.visitorsLast30Days, list.minVisitors, list.maxVisitors) &&
    within(record.profitMarginLast30Days, list.minMargin, list.maxMargin) &&
    within(instant(record.foundedDate), instant(list.foundedAfter), instant(list.foundedBefore)) &&
    // Records are imported after 2020 and before 2100.
    (list.updatedSince === undefined || Date.parse(String(list.updatedSince)) < Date.UTC(2050)) &&
    within(record.revenue.last30Days, list.minRevenue, list.maxRevenue) &&
    within(record.revenue.mrr, list.minMrr, list.maxMrr) &&
    within(record.growth30d === null ? null : record.growth30d / 100, list.minGrowth, list.maxGrowth) &&
    within(record.askingPrice, list.minPrice, list.maxPrice) &&
    anyOf(record.category, list.categories) &&
    anyOf(record.country, list.countries) &&
    anyOf(record.paymentProvider, list.paymentProviders) &&
    anyOf(record.targetAudience, list.targetAudiences)
  );
}

function instant<T>(text: T | null | undefined): number | null | undefined {
  return typeof text === 'string' ? Date.parse(text) : (text as null | undefined);
}

/** All records that match, by a plain reading of the rules. */
export function matchingRecords(records: ImportRecord[], list: ListCase): ImportRecord[] {
  return search(records, list).rows.filter((record) => passes(record, list));
}

/** What the search of a list finds, best matches first; all records without one. */
function search(records: ImportRecord[], list: ListCase): { rows: ImportRecord[]; isCorrected: boolean } {
  const words = foldedName(String(list.search ?? '')).match(/[\p{L}\p{N}]+/gu) ?? [];
  return list.search === undefined
    ? { rows: records, isCorrected: false }
    : searched(records, words.join(' '), ({ revenue }) => revenue.last30Days);
}

/** What a list must hold, by a plain reading of the rules. Records are given in the order of their ids. */
export function expectedList(records: ImportRecord[], list: ListCase) {
  const byMatch = matchingRecords(records, list);
  const matching = byMatch.toSorted((a, b) => records.indexOf(a) - records.indexOf(b));
  const byDefault =
    list.search !== undefined ? 'relevance' : list.onSale === true ? 'best-deal' : 'revenue-desc';
  const sort = String(list.sort ?? byDefault);
  const [name = '', direction] = sort.split('-');
  const ordered =
    sort === 'relevance'
      ? byMatch
      : sort === 'best-deal'
        ? [
            ...sorted(
              matching.filter((record) => payback(record) !== null),
              payback,
              1,
            ),
            ...sorted(
              matching.filter((record) => payback(record) === null),
              keys.revenue as Key,
              -1,
            ),
          ]
        : sorted(matching, keys[name] as Key, direction === 'asc' ? 1 : -1);
  const page = Number(list.page ?? 1);
  const limit = Number(list.limit ?? 10);
  const end = page * limit;
  return {
    slugs: ordered.slice(end - limit, end).map(({ slug }) => slug),
    meta: {
      total: ordered.length,
      page,
      limit,
      hasMore: end < ordered.length,
      ...(search(records, list).isCorrected && { corrected: true }),
    },
  };
}

import type { ListCase as RestCase } from '../conformance/cases.ts';
import type { ImportRecord } from './records.ts';

/** What a list is asked, with the conditions that only GraphQL has, in REST's spelling. */
export interface ListCase extends RestCase {
  categories?: string[];
  countries?: string[];
  paymentProviders?: string[];
  targetAudiences?: string[];
}

type Key = (record: ImportRecord) => number | null;

const multiple: Key = ({ askingPrice, revenue }) =>
  askingPrice === null || revenue.last30Days === 0 ? null : askingPrice / (revenue.last30Days * 12);
const keys: Record<string, Key> = {
  revenue: ({ revenue }) => revenue.last30Days,
  price: ({ askingPrice }) => askingPrice,
  multiple,
  growth: ({ growth30d }) => growth30d,
  listed: ({ firstListedForSaleAt }) =>
    firstListedForSaleAt === null ? null : Date.parse(firstListedForSaleAt),
};

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
  const within = (value: number | null, min: unknown, max: unknown): boolean =>
    (min === undefined || (value !== null && value >= (min as number))) &&
    (max === undefined || (value !== null && value <= (max as number)));
  const handle = (text: string): string => text.replace(/^@/, '').toLowerCase();
  const anyOf = (value: string | null, values: string[] | undefined): boolean =>
    values === undefined || (value !== null && values.includes(value));
  return (
    (list.onSale === undefined || record.onSale === list.onSale) &&
    (list.category === undefined || record.category === list.category) &&
    (list.xHandle === undefined || handle(record.xHandle ?? '') === handle(String(list.xHandle))) &&
    (list.teamSize === undefined || record.teamSize === list.teamSize) &&
    (list.fundingStatus === undefined || record.fundingStatus === list.fundingStatus) &&
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

/** All records that match, by a plain reading of the rules. */
export function matchingRecords(records: ImportRecord[], list: ListCase): ImportRecord[] {
  return records.filter((record) => passes(record, list));
}

/** What a list must hold, by a plain reading of the rules. Records are given in the order of their ids. */
export function expectedList(records: ImportRecord[], list: ListCase) {
  const matching = matchingRecords(records, list);
  const sort = String(list.sort ?? (list.onSale === true ? 'best-deal' : 'revenue-desc'));
  const [name = '', direction] = sort.split('-');
  const ordered =
    sort === 'best-deal'
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
    meta: { total: ordered.length, page, limit, hasMore: end < ordered.length },
  };
}

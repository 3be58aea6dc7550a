import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { Figures } from '../../../src/startups/catalogue/query/summary.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import { cutDescription, type StartupRecord } from '../../../src/startups/model/record.ts';
import {
  categories,
  constantName,
  fundingStatuses,
  paymentProviders,
  type StartupSort,
  targetAudiences,
  teamSizes,
} from '../../../src/startups/model/vocabulary.ts';
import { plain } from '../../support/search-oracle.ts';

// What a catalogue must answer, said as plainly as it can be and without a thought of speed.

/** All matching rows, in order. `rows` are in ascending order of ids. */
export function expectedList(rows: readonly Startup[], filter: StartupFilter, sort: StartupSort): Startup[] {
  return matching(rows, filter).sort((a, b) => compareRows(sort, a, b));
}

type Condition = (row: Startup) => boolean;

/** All matching rows, in the order given. */
export function matching(rows: readonly Startup[], filter: StartupFilter): Startup[] {
  const conditions = Object.entries(filter).flatMap(([name, asked]) =>
    asked === undefined ? [] : conditionOf(name, asked),
  );
  return rows.filter((row) => conditions.every((isMet) => isMet(row)));
}

const bounded: Record<string, (row: Startup) => number | null> = {
  Revenue: (row) => Number(row.revenueLast30Days),
  Mrr: (row) => Number(row.revenueMrr),
  Price: (row) => (row.askingPrice === null ? null : Number(row.askingPrice)),
  Multiple: multipleOf,
  Customers: (row) => row.customers,
  Total: (row) => Number(row.revenueTotal),
  Visitors: (row) => row.visitorsLast30Days,
  Margin: (row) => row.profitMarginLast30Days,
};
/** Filters of any of several values, by the column of the values. */
export const plurals = {
  category: 'categories',
  country: 'countries',
  paymentProvider: 'paymentProviders',
  targetAudience: 'targetAudiences',
  teamSize: 'teamSizes',
  fundingStatus: 'fundingStatuses',
} as const;
const columns = new Map(
  [...Object.entries(plurals), ['slug', 'slugs']].map(([column, several]) => [several, column]),
);

function conditionOf(name: string, asked: unknown): Condition {
  const [, side, bound = ''] = /^(min|max)(.+)$/.exec(name) ?? [];
  const read = bounded[bound];
  if (read !== undefined) {
    return side === 'min' ? isWithin(read, Number(asked)) : isWithin(read, undefined, Number(asked));
  }
  switch (name) {
    case 'minGrowth':
      return ({ growth30d }) => growth30d !== null && digitsOf(growth30d) >= 100n * digitsOf(Number(asked));
    case 'maxGrowth':
      return ({ growth30d }) => growth30d !== null && digitsOf(growth30d) <= 100n * digitsOf(Number(asked));
    case 'xHandle': {
      const handle = (asked as string).replace(/^@/, '').toLowerCase();
      return (row) => row.xHandle?.toLowerCase() === handle;
    }
    case 'website': {
      const wanted = placeOf(asked as string);
      return ({ website }) => {
        const place = website === null ? undefined : placeOf(website);
        return (
          place?.host === wanted.host &&
          (wanted.names.length === 0 || place.names.every((name, at) => name === wanted.names[at]))
        );
      };
    }
    case 'updatedSince':
      return isWithin((row) => row.updatedAt.getTime(), Number(asked));
    case 'techStack': {
      const wanted = (asked as string[]).map(plain);
      return ({ techStack }) => techStack.some((one) => wanted.includes(plain(one)));
    }
    case 'priceReducedSince':
      return isWithin(priceCutOf, Number(asked));
    case 'createdSince':
      return isWithin((row) => row.createdAt.getTime(), Number(asked));
    case 'listedSince':
      return isWithin((row) => row.firstListedForSaleAt?.getTime() ?? null, Number(asked));
    case 'verifiedSince':
      return isWithin((row) => row.verifiedAt?.getTime() ?? null, Number(asked));
    case 'foundedAfter':
      return isWithin((row) => row.foundedDate?.getTime() ?? null, Number(asked));
    case 'foundedBefore':
      return isWithin((row) => row.foundedDate?.getTime() ?? null, undefined, Number(asked));
  }
  const column = (columns.get(name) ?? name) as keyof Startup;
  return Array.isArray(asked)
    ? (row) => row[column] !== null && asked.includes(row[column])
    : (row) => row[column] === asked;
}

/** The decimal digits of a number, as a multiple of 1e-400. */
function digitsOf(value: number): bigint {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole, part = ''] = digits.split('.');
  return BigInt(`${whole}${part}`) * 10n ** BigInt(400 + Number(exponent) - part.length);
}

function isWithin(
  read: (row: Startup) => number | null,
  min = Number.NEGATIVE_INFINITY,
  max = Number.POSITIVE_INFINITY,
): Condition {
  return (row) => {
    const value = read(row);
    return value !== null && value >= min && value <= max;
  };
}

export function multipleOf({ askingPrice, revenueLast30Days }: Startup): number | null {
  const yearly = Number(revenueLast30Days) * 12;
  return askingPrice === null || yearly === 0 ? null : Number(askingPrice) / yearly;
}

/** When the price was last reduced, if it has not risen since. */
function priceCutOf({ askingPrice, previousAskingPrice, askingPriceChangedAt }: Startup): number | null {
  const isReduced = askingPrice !== null && previousAskingPrice !== null && askingPrice < previousAskingPrice;
  return isReduced ? (askingPriceChangedAt?.getTime() ?? null) : null;
}

/** How many rows use each technology, as the first of all rows writes it: the 50 most frequent, then those without any. */
export function expectedTechnologies(all: readonly Startup[], found: readonly Startup[]) {
  const names = [...new Set(found.flatMap(({ techStack }) => techStack.map(plain)))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  const counts = names.map((name) => ({
    value: all.flatMap(({ techStack }) => techStack).find((one) => plain(one) === name) as string | null,
    count: found.filter(({ techStack }) => techStack.some((one) => plain(one) === name)).length,
  }));
  const without = found.filter(({ techStack }) => techStack.length === 0).length;
  return [
    ...counts.sort((a, b) => b.count - a.count).slice(0, 50),
    ...(without === 0 ? [] : [{ value: null, count: without }]),
  ];
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
      case 'verified':
        return row.verifiedAt?.getTime() ?? null;
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

/** The host of a website, and the names in its path. */
function placeOf(website: string): { host: string; names: string[] } {
  const { hostname, pathname } = new URL(`https://${website.split('://').at(-1)}`);
  const names = pathname.toLowerCase().split('/');
  return { host: hostname.replace(/^www\./, ''), names: names.filter((name) => name !== '') };
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
    verifiedAt: row.verifiedAt?.getTime() ?? null,
    previousAskingPrice: row.previousAskingPrice === null ? null : Number(row.previousAskingPrice),
    askingPriceChangedAt: row.askingPriceChangedAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

/** The columns that are counted by value, each with its values in their order. */
const countedValues = {
  category: categories,
  paymentProvider: paymentProviders,
  country: undefined,
  targetAudience: targetAudiences,
  teamSize: teamSizes,
  fundingStatus: fundingStatuses,
  onSale: [false, true],
} as const satisfies Partial<Record<keyof Startup, readonly unknown[] | undefined>>;
export const facetColumns = Object.keys(countedValues) as (keyof typeof countedValues)[];

/** How many rows have each value: most frequent first, then in the order of the values, null last. */
export function expectedCounts(list: readonly Startup[], column: keyof typeof countedValues) {
  const values = countedValues[column] ?? [...new Set(list.map((row) => row.country))].sort();
  return [...values.filter((value) => value !== null), null]
    .map((value) => ({ value, count: list.filter((row) => row[column] === value).length }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => Number(a.value === null) - Number(b.value === null) || b.count - a.count);
}

function expectedFigures(values: readonly (number | null)[]): Figures {
  const known = values.filter((value) => value !== null);
  const sorted = known.toSorted((a, b) => a - b);
  const covering = (part: number): number | null =>
    sorted.find((_, index) => index + 1 >= part * sorted.length) ?? null;
  return {
    count: known.length,
    // From 0, since a sum of nothing but -0 is told as 0.
    sum: known.reduce((sum, value) => sum + value, 0),
    min: sorted[0] ?? null,
    median: covering(0.5),
    p90: covering(0.9),
    max: sorted.at(-1) ?? null,
  };
}

/** The round numbers between which values are counted; null is beyond all of them. */
function roundNumbers(least: number): (number | null)[] {
  const above = Array.from({ length: 12 }, (_, power) =>
    [1, 2, 5].map((step) => Number((step * least * 10 ** power).toPrecision(1))),
  ).flat();
  const all = [...above, Number((least * 10 ** 12).toPrecision(1))];
  return [null, ...all.toReversed().map((bound) => -bound), 0, ...all, null];
}

/** How many rows have a value in each range between round numbers, from the first one that has any to the last. */
export function expectedRanges(rows: readonly Startup[]) {
  const rangesOf = (least: number, values: readonly (number | null)[]) => {
    const bounds = roundNumbers(least);
    const all = bounds.slice(1).map((to, index) => {
      const from = bounds[index] ?? null;
      const isWithin = (value: number | null) =>
        value !== null && (from === null || value >= from) && (to === null || value < to);
      return { from, to, count: values.filter(isWithin).length };
    });
    const isFilled = ({ count }: { count: number }): boolean => count > 0;
    return all.slice(all.findIndex(isFilled), all.findLastIndex(isFilled) + 1);
  };
  return {
    revenue: rangesOf(
      10_000,
      rows.map((row) => Number(row.revenueLast30Days)),
    ),
    mrr: rangesOf(
      10_000,
      rows.map((row) => Number(row.revenueMrr)),
    ),
    price: rangesOf(
      10_000,
      rows.map((row) => (row.askingPrice === null ? null : Number(row.askingPrice))),
    ),
    multiple: rangesOf(0.1, rows.map(multipleOf)),
    growth: rangesOf(
      1,
      rows.map((row) => row.growth30d),
    ),
  };
}

/** The statistics of rows, which are in the order of their ids. */
export function expectedStats(rows: readonly Startup[]): Record<string, Figures> {
  // -0 is stored as 0, which equals it.
  const plain = (value: number | null): number | null => (value === null ? null : value + 0);
  return {
    revenue: expectedFigures(rows.map((row) => Number(row.revenueLast30Days))),
    mrr: expectedFigures(rows.map((row) => Number(row.revenueMrr))),
    price: expectedFigures(rows.map((row) => (row.askingPrice === null ? null : Number(row.askingPrice)))),
    multiple: expectedFigures(rows.map(multipleOf)),
    growth: expectedFigures(rows.map((row) => plain(row.growth30d))),
  };
}

/** The rows by a value, each group with its count and statistics; `rows` are in the order of their ids. */
export function expectedGroups(rows: readonly Startup[], by: keyof typeof plurals) {
  return expectedCounts(rows, by).map(({ value, count }) => {
    const group = rows.filter((row) => row[by] === value);
    const onSale = group.filter((row) => row.onSale).length;
    return { value, count, onSale, stats: expectedStats(group) };
  });
}

import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { StartupFilter } from '../../../src/startups/model/filter.ts';
import { cutDescription, type StartupRecord } from '../../../src/startups/model/record.ts';
import { constantName, type StartupSort } from '../../../src/startups/model/vocabulary.ts';
import { plain, searched } from './search.ts';

// What a catalogue must answer, said as plainly as it can be and without a thought of speed.

type Figure = (row: Startup) => number | null;

const numberOf = (value: bigint | null): number | null => (value === null ? null : Number(value));
const timeOf = (value: Date | null): number | null => value?.getTime() ?? null;

/** By what lists are bounded, sorted and summarised; null where it is unknown. */
export const figures = {
  revenue: (row) => Number(row.revenueLast30Days),
  mrr: (row) => Number(row.revenueMrr),
  total: (row) => Number(row.revenueTotal),
  price: (row) => numberOf(row.askingPrice),
  multiple: multipleOf,
  growth: (row) => row.growth30d,
  customers: (row) => row.customers,
  visitors: (row) => row.visitorsLast30Days,
  margin: (row) => row.profitMarginLast30Days,
  listed: (row) => timeOf(row.firstListedForSaleAt),
  founded: (row) => timeOf(row.foundedDate),
  verified: (row) => timeOf(row.verifiedAt),
  created: (row) => timeOf(row.createdAt),
  updated: (row) => timeOf(row.updatedAt),
  priceReduced: priceCutOf,
} satisfies Record<string, Figure>;
const figureOf = (name: string): Figure | undefined => figures[name as keyof typeof figures];

/** All matching rows, in order. `rows` are in ascending order of ids. */
export function expectedList(
  rows: readonly Startup[],
  filter: StartupFilter,
  sort: StartupSort | 'relevance',
): Startup[] {
  const found = matching(rows, filter);
  return sort === 'relevance' ? found : found.sort((a, b) => compareRows(sort, a, b));
}

/** All matching rows: the best matches of a search first, else in the order given. */
export function matching(rows: readonly Startup[], { search, ...filter }: StartupFilter): Startup[] {
  const found = search === undefined ? rows : searched(rows, search).rows;
  const conditions = Object.entries(filter).flatMap(([name, asked]) =>
    asked === undefined ? [] : conditionOf(name, asked),
  );
  return found.filter((row) => conditions.every((isMet) => isMet(row)));
}

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

function conditionOf(name: string, asked: unknown): (row: Startup) => boolean {
  const [, side, bound = ''] = /^(min|max)(.+)$/.exec(name) ?? [];
  const [, time = '', end] = /^(.+)(Since|After|Before)$/.exec(name) ?? [];
  if (bound === 'Growth') {
    const digits = 100n * digitsOf(Number(asked));
    return ({ growth30d: growth }) =>
      growth !== null && (side === 'min' ? digitsOf(growth) >= digits : digitsOf(growth) <= digits);
  }
  const read = figureOf(bound.toLowerCase()) ?? figureOf(time);
  if (read !== undefined) {
    const isUpper = side === 'max' || end === 'Before';
    return (row) => {
      const value = read(row);
      return value !== null && (isUpper ? value <= Number(asked) : value >= Number(asked));
    };
  }
  if (name === 'xHandle') {
    const handle = (asked as string).replace(/^@/, '').toLowerCase();
    return (row) => row.xHandle?.toLowerCase() === handle;
  }
  if (name === 'website') {
    const wanted = placeOf(asked as string);
    return ({ website }) => {
      const place = website === null ? undefined : placeOf(website);
      return (
        place?.host === wanted.host &&
        (wanted.names.length === 0 || place.names.every((name, at) => name === wanted.names[at]))
      );
    };
  }
  if (name === 'techStack') {
    const wanted = (asked as string[]).map(plain);
    return ({ techStack }) => techStack.some((one) => wanted.includes(plain(one)));
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

function multipleOf({ askingPrice, revenueLast30Days }: Startup): number | null {
  const yearly = Number(revenueLast30Days) * 12;
  return askingPrice === null || yearly === 0 ? null : Number(askingPrice) / yearly;
}

/** When the price was last reduced, if it has not risen since. */
function priceCutOf({ askingPrice, previousAskingPrice, askingPriceChangedAt }: Startup): number | null {
  const isReduced = askingPrice !== null && previousAskingPrice !== null && askingPrice < previousAskingPrice;
  return isReduced ? (askingPriceChangedAt?.getTime() ?? null) : null;
}

function dealScoreOf(row: Startup): number | null {
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
    const bothOthers = dealScoreOf(a) === null && dealScoreOf(b) === null;
    const difference = bothOthers
      ? Number(b.revenueLast30Days) - Number(a.revenueLast30Days)
      : nullsLast(dealScoreOf(a), dealScoreOf(b), 1);
    return difference || a.id - b.id;
  }
  const direction = sort.endsWith('-asc') ? 1 : -1;
  if (sort.startsWith('name-')) {
    const [nameOfA, nameOfB] = [plain(a.name), plain(b.name)];
    return nameOfA === nameOfB ? a.id - b.id : nameOfA < nameOfB ? -direction : direction;
  }
  const read = figureOf(sort.replace(/-.*/, ''));
  if (read === undefined) {
    throw new Error(`no rule for ${sort}`);
  }
  return nullsLast(read(a), read(b), direction) || a.id - b.id;
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

/** The record of a stored startup, without its rank and the values of declared fields. */
export function expectedRecord(row: Startup): Omit<StartupRecord, 'rank' | 'own'> {
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
    fullDescription: row.description,
    foundedDate: row.foundedDate?.getTime() ?? null,
    revenue: { last30Days, mrr: Number(revenueMrr), total: Number(revenueTotal) },
    askingPrice: row.askingPrice === null ? null : Number(row.askingPrice),
    multiple: multipleOf(row),
    revenuePerVisitor: row.visitorsLast30Days ? last30Days / row.visitorsLast30Days : null,
    firstListedForSaleAt: row.firstListedForSaleAt?.getTime() ?? null,
    verifiedAt: row.verifiedAt?.getTime() ?? null,
    previousAskingPrice: row.previousAskingPrice === null ? null : Number(row.previousAskingPrice),
    // Since when a price is the present one is recorded of a first price too.
    askingPriceChangedAt: row.previousAskingPrice === null ? null : timeOf(row.askingPriceChangedAt),
    createdAt: row.createdAt.getTime(),
    updatedAt: row.updatedAt.getTime(),
  };
}

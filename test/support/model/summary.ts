import type { Startup } from '../../../src/db/generated/client/client.ts';
import type { Figures } from '../../../src/startups/catalogue/query/statistics.ts';
import {
  categories,
  fundingStatuses,
  type Grouping,
  paymentProviders,
  targetAudiences,
  teamSizes,
} from '../../../src/startups/model/vocabulary.ts';
import { figures } from './rules.ts';
import { plain } from './search.ts';

// The summaries of a list, by the same rules.

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

/** How many rows use each technology, as the first of all rows writes it: the 50 most frequent, then those without any. */
export function expectedTechnologies(all: readonly Startup[], found: readonly Startup[], most = 50) {
  const names = [...new Set(found.flatMap(({ techStack }) => techStack.map(plain)))].sort((a, b) =>
    Buffer.compare(Buffer.from(a), Buffer.from(b)),
  );
  const counts = names.map((name) => ({
    value: all.flatMap(({ techStack }) => techStack).find((one) => plain(one) === name) as string | null,
    count: found.filter(({ techStack }) => techStack.some((one) => plain(one) === name)).length,
  }));
  const without = found.filter(({ techStack }) => techStack.length === 0).length;
  return [
    ...counts.sort((a, b) => b.count - a.count).slice(0, most),
    ...(without === 0 ? [] : [{ value: null, count: without }]),
  ];
}

/** What is summarised, and the least round number by which it is counted in ranges. */
const summarised = { revenue: 10_000, mrr: 10_000, price: 10_000, multiple: 0.1, growth: 1 };

/** Something of each of these figures. */
function ofFigures<T>(
  rows: readonly Startup[],
  make: (values: (number | null)[], least: number) => T,
): Record<string, T> {
  return Object.fromEntries(
    Object.entries(summarised).map(([name, least]) => [
      name,
      make(rows.map(figures[name as keyof typeof summarised]), least),
    ]),
  );
}

/** The statistics of rows, which are in the order of their ids. */
export const expectedStats = (rows: readonly Startup[]): Record<string, Figures> =>
  ofFigures(rows, expectedFigures);

function expectedFigures(values: readonly (number | null)[]): Figures {
  // -0 is stored as 0, which equals it.
  const known = values.filter((value) => value !== null).map((value) => value + 0);
  const sorted = known.toSorted((a, b) => a - b);
  const covering = (part: number): number | null =>
    sorted.find((_, index) => index + 1 >= part * sorted.length) ?? null;
  return {
    count: known.length,
    sum: expectedSum(known),
    min: sorted[0] ?? null,
    median: covering(0.5),
    p90: covering(0.9),
    max: sorted.at(-1) ?? null,
  };
}

/** That of whole numbers is exact, and rounded once; that of others depends on the order in its last digits. */
function expectedSum(values: readonly number[]): number {
  if (values.every(Number.isInteger)) {
    return Number(values.reduce((sum, value) => sum + BigInt(value), 0n));
  }
  const sum = values.reduce((sum, value) => sum + value, 0);
  const tolerance = values.reduce((size, value) => size + Math.abs(value), 0) * 1e-12;
  const near = { asymmetricMatch: (got: number) => got === sum || Math.abs(got - sum) <= tolerance };
  return near as unknown as number;
}

/** How many rows have a value in each range between round numbers, from the first one that has any to the last. */
export const expectedRanges = (rows: readonly Startup[]) =>
  ofFigures(rows, (values, least) => {
    const bounds = roundNumbers(least);
    const all = bounds.slice(1).map((to, index) => {
      const from = bounds[index] ?? null;
      const isWithin = (value: number | null) =>
        value !== null && (from === null || value >= from) && (to === null || value < to);
      return { from, to, count: values.filter(isWithin).length };
    });
    const isFilled = ({ count }: { count: number }): boolean => count > 0;
    return all.slice(all.findIndex(isFilled), all.findLastIndex(isFilled) + 1);
  });

/** The round numbers between which values are counted; null is beyond all of them. */
function roundNumbers(least: number): (number | null)[] {
  const above = Array.from({ length: 12 }, (_, power) =>
    [1, 2, 5].map((step) => Number((step * least * 10 ** power).toPrecision(1))),
  ).flat();
  const all = [...above, Number((least * 10 ** 12).toPrecision(1))];
  return [null, ...all.toReversed().map((bound) => -bound), 0, ...all, null];
}

/** How many rows each founder of two rows at least has, by the handle of the first: at most 250, then those without. */
function expectedFounders(rows: readonly Startup[]) {
  const nameOf = ({ xHandle }: Startup) => xHandle?.toLowerCase() ?? null;
  const counts = rows.flatMap((row, index) =>
    rows.findIndex((other) => nameOf(other) === nameOf(row)) === index
      ? [{ value: row.xHandle, count: rows.filter((other) => nameOf(other) === nameOf(row)).length }]
      : [],
  );
  return [
    ...counts
      .filter(({ value, count }) => value !== null && count >= 2)
      .sort((a, b) => b.count - a.count)
      .slice(0, 250),
    ...counts.filter(({ value }) => value === null),
  ];
}

/** The rows by a value, each group with its count and statistics; `rows` are in the order of their ids, of `all`. */
export function expectedGroups(rows: readonly Startup[], by: Grouping, all = rows) {
  const counts =
    by === 'xHandle'
      ? expectedFounders(rows)
      : by === 'techStack'
        ? expectedTechnologies(all, rows, 250)
        : expectedCounts(rows, by);
  return counts.map(({ value, count }) => {
    const group = rows.filter((row) => isIn(row, by, value));
    const onSale = group.filter((row) => row.onSale).length;
    return { value, count, onSale, stats: expectedStats(group) };
  });
}

function isIn(row: Startup, by: Grouping, value: string | boolean | null): boolean {
  switch (by) {
    case 'xHandle':
      return (row.xHandle?.toLowerCase() ?? null) === (value === null ? null : String(value).toLowerCase());
    case 'techStack':
      return value === null
        ? row.techStack.length === 0
        : row.techStack.some((name) => plain(name) === plain(String(value)));
    default:
      return row[by] === value;
  }
}

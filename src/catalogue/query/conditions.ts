import { bounds, normalizeHandle, type StartupFilter } from '../../startups/filter.ts';
import type { CatalogueData } from '../edition-data.ts';
import { ascendingOrder, countBefore } from '../order/orders.ts';
import { type CodeArray, type CodeColumn, codeLimits, encode, isFlag } from '../store/codes.ts';
import type { NumberColumn } from '../store/columns.ts';
import { hashText } from '../store/hash.ts';
import type { FewMatches, Matches } from './search-matches.ts';

/** Positions tested at a time: as many as the fastest caches of a processor hold. */
export const CHUNK = 8192;

/** One condition of a filter. */
export interface Condition {
  /**
   * Keeps those of the first `count` positions that pass, in their order, at the front of the same array,
   * and returns how many they are.
   */
  narrow(positions: Uint32Array, count: number): number;
}

/** A condition whose positions an index provides. */
export interface IndexedCondition extends Condition {
  /** All positions that pass, in no particular order. */
  passing(): Uint32Array;
  /** For a range: the column that it bounds. */
  readonly column?: NumberColumn;
  /** For a range: the passing part of a list of positions that is sorted by that column, nulls last. */
  cut?(sorted: Uint32Array, descending: boolean): Uint32Array;
}

/** The conditions of a filter on a catalogue. */
export interface Conditions {
  /** Conditions on columns with few distinct values, whose results are worth caching. */
  readonly codes: readonly Condition[];
  /** A cache key: two filters have the same one exactly when their coded conditions are equal. */
  readonly codesKey: string;
  /** The words of a search, if all are frequent. */
  readonly words: readonly Condition[];
  /** A cache key of these words. */
  readonly wordsKey: string;
  /** Ranges, the founder's handle, and a search that finds few startups. */
  readonly indexed: readonly IndexedCondition[];
}

/** What percentages are divided by before they are compared with fractions. */
const PERCENT = 100;

/** Which filter selects values of which coded column. */
const choices = [
  { column: 'onSale', filter: 'onSale' },
  { column: 'category', filter: 'category' },
  { column: 'category', filter: 'categories' },
  { column: 'teamSize', filter: 'teamSize' },
  { column: 'teamSize', filter: 'teamSizes' },
  { column: 'fundingStatus', filter: 'fundingStatus' },
  { column: 'fundingStatus', filter: 'fundingStatuses' },
  { column: 'country', filter: 'country' },
  { column: 'country', filter: 'countries' },
  { column: 'paymentProvider', filter: 'paymentProvider' },
  { column: 'paymentProvider', filter: 'paymentProviders' },
  { column: 'targetAudience', filter: 'targetAudience' },
  { column: 'targetAudience', filter: 'targetAudiences' },
  { column: 'active', filter: 'active' },
] as const satisfies readonly { column: CodeColumn; filter: keyof StartupFilter }[];

/**
 * The conditions of a filter on this catalogue.
 *
 * @param matches what its search finds, if it has one.
 */
export function conditionsOf(data: CatalogueData, filter: StartupFilter, matches?: Matches): Conditions {
  const codes: Condition[] = [];
  let codesKey = '';
  for (const { column, filter: name } of choices) {
    const asked = filter[name];
    if (asked !== undefined) {
      const accepted = acceptedCodes(column, Array.isArray(asked) ? asked : [asked]);
      codes.push(codeCondition(data.columns[column], accepted));
      codesKey += `${name}=${Array.isArray(asked) ? [...new Set(asked)].sort().join() : asked};`;
    }
  }
  const indexed = bounds.flatMap(({ min, max, column, unit }) =>
    rangeCondition(
      data,
      column,
      unit === 'fraction' ? PERCENT : 1,
      filter[min]?.valueOf(),
      max && filter[max]?.valueOf(),
    ),
  );
  if (filter.xHandle !== undefined) {
    indexed.push(handleCondition(data, filter.xHandle));
  }
  if (matches?.few !== undefined) {
    indexed.push(fewCondition(matches.few, data.columns.id.length));
  }
  const words = (matches?.frequent ?? []).map(markedCondition);
  return { codes, codesKey, words, wordsKey: `${matches?.isCorrected} ${filter.search}`, indexed };
}

/** By code: 1 if the column may have it. No filter selects null. */
function acceptedCodes(column: CodeColumn, values: readonly (string | boolean)[]): Uint8Array {
  const codes = new Uint8Array(codeLimits[column]);
  for (const value of values) {
    const code = encode(column, value);
    if (code !== 0 || isFlag(column)) {
      codes[code] = 1;
    }
  }
  return codes;
}

function codeCondition(column: CodeArray, accepted: Uint8Array): Condition {
  return { narrow: (positions, count) => narrowToCodes(positions, count, column, accepted) };
}

function rangeCondition(
  data: CatalogueData,
  name: NumberColumn,
  divisor: number,
  min: number | undefined,
  max: number | undefined,
): IndexedCondition[] {
  if (min === undefined && max === undefined) {
    return [];
  }
  const least = min ?? Number.NEGATIVE_INFINITY;
  const most = max ?? Number.POSITIVE_INFINITY;
  const column = data.columns[name];
  const cut = (sorted: Uint32Array, descending: boolean): Uint32Array => {
    // Nulls are NaN, which is neither too early nor passes, and so counts as too late.
    const tooEarly = (value: number): boolean => (descending ? value > most : value < least);
    const passes = (value: number): boolean => value >= least && value <= most;
    const valueAt = (position: number): number => (column[position] as number) / divisor;
    const start = countBefore(sorted, (position) => !tooEarly(valueAt(position)));
    const rest = sorted.subarray(start);
    return rest.subarray(
      0,
      countBefore(rest, (position) => !passes(valueAt(position))),
    );
  };
  let passing: Uint32Array | undefined;
  const passingPositions = (): Uint32Array => {
    passing ??= cut(data.orders[ascendingOrder(name)], false);
    return passing;
  };
  // The lowest and highest values of the column that pass bound the others exactly, without a division each.
  // If there are none, the range is empty.
  const first = (): number => column[passingPositions()[0] ?? -1] ?? Number.NaN;
  const last = (): number => column[passingPositions().at(-1) ?? -1] ?? Number.NaN;
  return [
    {
      column: name,
      cut,
      passing: passingPositions,
      narrow: (positions, count) => narrowToRange(positions, count, column, first(), last()),
    },
  ];
}

/** The condition that a startup is of the founder with a handle. */
function handleCondition({ orders, columns, texts }: CatalogueData, handle: string): IndexedCondition {
  const normalized = normalizeHandle(handle);
  const hash = hashText(normalized);
  const valueAt = (position: number): number => columns.handleHash[position] as number;
  const sorted = orders['handle-asc'];
  // Nulls are NaN, and last.
  const start = countBefore(sorted, (position) => !(valueAt(position) < hash));
  let end = start;
  while (end < sorted.length && valueAt(sorted[end] as number) === hash) {
    end += 1;
  }
  const founders = sorted
    .slice(start, end)
    .filter((position) => texts.hasHandle(columns.texts[position] as number, normalized));
  const wanted = new Set(founders);
  return {
    passing: () => founders,
    narrow: (positions, count) => narrowToSet(positions, count, wanted),
  };
}

/** The condition that a startup is among a few matches. */
function fewCondition({ positions }: FewMatches, size: number): IndexedCondition {
  let bits: Uint32Array | undefined;
  return {
    passing: () => positions,
    narrow(list, count) {
      bits ??= bitsOf(positions, size);
      let kept = 0;
      for (let at = 0; at < count; at += 1) {
        const position = list[at] as number;
        list[kept] = position;
        kept += ((bits[position >>> 5] as number) >>> (position & 31)) & 1;
      }
      return kept;
    },
  };
}

function bitsOf(positions: Uint32Array, size: number): Uint32Array {
  const bits = new Uint32Array((size >>> 5) + 1);
  for (const position of positions) {
    bits[position >>> 5] = (bits[position >>> 5] as number) | (1 << (position & 31));
  }
  return bits;
}

/** The condition that a startup has a mark. */
export function markedCondition(marks: Uint8Array): Condition {
  return {
    narrow(list, count) {
      let kept = 0;
      for (let at = 0; at < count; at += 1) {
        const position = list[at] as number;
        list[kept] = position;
        kept += Number(marks[position] !== 0);
      }
      return kept;
    },
  };
}

/** Applies conditions one after another; see {@link Condition.narrow}. */
export function narrowTo(conditions: readonly Condition[], positions: Uint32Array, count: number): number {
  let kept = count;
  for (const condition of conditions) {
    kept = condition.narrow(positions, kept);
  }
  return kept;
}

// These loops run over every candidate. They write without a branch, which would be mispredicted every
// second time and cost five times as much as the rest.

function narrowToCodes(
  positions: Uint32Array,
  count: number,
  column: CodeArray,
  accepted: Uint8Array,
): number {
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number;
    positions[kept] = position;
    kept += accepted[column[position] as number] as number;
  }
  return kept;
}

function narrowToRange(
  positions: Uint32Array,
  count: number,
  column: Float64Array,
  least: number,
  most: number,
): number {
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number;
    const value = column[position] as number;
    positions[kept] = position;
    kept += Number(value >= least) & Number(value <= most);
  }
  return kept;
}

function narrowToSet(positions: Uint32Array, count: number, wanted: ReadonlySet<number>): number {
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number;
    positions[kept] = position;
    kept += Number(wanted.has(position));
  }
  return kept;
}

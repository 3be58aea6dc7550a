import { type Bound, bounds } from '../../model/bounds.ts';
import { normalizeHandle, type StartupFilter } from '../../model/filter.ts';
import type { OwnCondition, OwnField } from '../../model/own-fields.ts';
import {
  type FilterParameters,
  filterParameters,
  type QueryParameter,
} from '../../model/requests/list-parameters.ts';
import type { CatalogueData } from '../edition-data.ts';
import { positionOfSlug, positionsOfHandle, positionsOfTechnologies } from '../order/look-ups.ts';
import { ascendingOrder, countBeforeBound, positionsIn } from '../order/orders.ts';
import { type CodeArray, type CodeColumn, codeLimits, codesOf } from '../store/codes.ts';
import { type NumberColumn, numbersOf } from '../store/columns.ts';
import { choiceCode, flagCode, ownCodeColumn, ownCodeLimit, ownNumberColumn } from '../store/own-columns.ts';

/** Positions tested at a time: as many as the fastest caches of a processor hold. */
export const CHUNK = 8192;

/** One condition of a filter. */
export interface Condition {
  /**
   * Keeps those of the first `count` positions that pass, in their order, at the front of the same array,
   * and returns how many they are.
   */
  narrow(positions: Uint32Array, count: number): number;
  /** Whether it reads one byte of each startup, so that the order of the positions matters little. */
  readonly isMarked?: true;
}

/** A condition whose positions an index provides. */
export interface IndexedCondition extends Condition {
  /** All positions that pass, in no particular order. */
  readonly passing: Uint32Array;
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
  /** All others: those of which an index has what passes, the most selective first. */
  readonly indexed: readonly IndexedCondition[];
}

/** The coded column of which a filter selects values, by the name of the filter. */
const codedColumns: ReadonlyMap<string, CodeColumn> = new Map(
  Object.entries<QueryParameter>(filterParameters).flatMap(([name, parameter]) =>
    name in codeLimits
      ? [name, ...('plural' in parameter ? [`${parameter.plural}`] : [])].map((one) => [
          one,
          name as CodeColumn,
        ])
      : [],
  ),
);
/** The range that a filter bounds, by the name of the filter. */
const boundedRanges: ReadonlyMap<string, Bound> = new Map(
  bounds.flatMap((bound) =>
    [bound.min, ...(bound.max === undefined ? [] : [bound.max])].map((name) => [name, bound]),
  ),
);

/** Filters of one or several values of a coded column, and of the bounds of a range. */
type Coded = Extract<keyof FilterParameters, CodeColumn>;
type Several = { [Name in Coded]: FilterParameters[Name] extends { plural: infer Plural } ? Plural : never };
type LookedUp = Exclude<keyof StartupFilter, Coded | Several[Coded] | Bound['min'] | 'own'>;
/** All other filters, but those of own fields: the positions that pass, by an index of each. Without its entry, a filter does not compile. */
const lookUps: {
  readonly [Name in LookedUp]: (
    data: CatalogueData,
    asked: NonNullable<StartupFilter[Name]>,
  ) => Uint32Array | undefined;
} = {
  // Given to conditionsOf, as finding them takes several steps.
  search: () => undefined,
  website: () => undefined,
  xHandle: (data, handle) => positionsOfHandle(data, normalizeHandle(handle)),
  slugs: (data, slugs) =>
    Uint32Array.from(
      [...new Set(slugs)]
        .map((slug) => positionOfSlug(data, slug))
        .filter((position) => position !== undefined),
    ),
  techStack: positionsOfTechnologies,
};
const isLookedUp = (name: string): name is LookedUp => Object.hasOwn(lookUps, name);

/**
 * The conditions of a filter on this catalogue.
 *
 * @param found the positions of the startups that its search finds, and of those of its website, if it has these.
 */
export function conditionsOf(
  data: CatalogueData,
  filter: StartupFilter,
  found: readonly (Uint32Array | undefined)[],
): Conditions {
  const codes: Condition[] = [];
  const coded: string[] = [];
  const indexed: IndexedCondition[] = [];
  const listed = [...found];
  for (const name in filter) {
    const asked = filter[name as Exclude<keyof StartupFilter, 'own'>];
    const column = codedColumns.get(name);
    const bound = boundedRanges.get(name);
    if (asked === undefined) {
      continue;
    }
    if (column !== undefined) {
      const values = Array.isArray(asked) ? [...new Set(asked)].sort() : [asked as string | boolean];
      const accepted = values.map((value) => codesOf[column].get(value));
      codes.push(codeCondition(data.columns[column], codeLimits[column], accepted));
      coded.push(`${name}=${values.join()}`);
    } else if (bound !== undefined && (name === bound.min || filter[bound.min] === undefined)) {
      const { min, max, column, unit } = bound;
      indexed.push(rangeCondition(data, column, boundOf(filter, min, unit), boundOf(filter, max, unit)));
    } else if (isLookedUp(name)) {
      listed.push(lookUps[name](data, asked as never));
    }
  }
  for (const [name, condition] of Object.entries(filter.own ?? {})) {
    const field = data.own.find((one) => one.name === name);
    const accepted = field && ownCodes(field, condition);
    if (accepted !== undefined) {
      codes.push(
        codeCondition(
          data.columns[ownCodeColumn(name)] as CodeArray,
          ownCodeLimit(field as OwnField),
          accepted,
        ),
      );
      coded.push(JSON.stringify([name, condition]));
    } else {
      const { min, max } = condition as { readonly min?: number; readonly max?: number };
      indexed.push(rangeCondition(data, ownNumberColumn(name), min, max));
    }
  }
  const { length } = data.columns.id;
  for (const positions of listed) {
    if (positions !== undefined) {
      indexed.push(listedCondition(positions, length));
    }
  }
  // The fewer pass, the fewer positions the others have to test.
  indexed.sort((a, b) => a.passing.length - b.passing.length);
  return { codes, codesKey: coded.sort().join(';'), indexed };
}

/** The conditions of a filter in the order in which they are tested. */
export function allOf({ indexed, codes }: Conditions): Condition[] {
  return [...indexed, ...codes];
}

/** A bound in the unit of its column. */
function boundOf(filter: StartupFilter, name: Bound['max'], unit: Bound['unit']): number | undefined {
  const bound = name && filter[name]?.valueOf();
  return bound !== undefined && unit === 'fraction' ? toPercent(bound) : bound;
}

/** The percentage of a fraction, by its decimal digits: 0.007 is 0.7%, although 0.7 / 100 is less than 0.007 in binary. */
function toPercent(fraction: number): number {
  const [digits, exponent = '0'] = String(fraction).split('e');
  return Number(`${digits}e${Number(exponent) + 2}`);
}

/** The codes that a condition on a declared field accepts; undefined if it is a range. */
function ownCodes(field: OwnField, condition: OwnCondition): (number | undefined)[] | undefined {
  if (typeof condition === 'boolean') {
    return [flagCode(condition)];
  }
  return 'in' in condition ? condition.in.map((value) => choiceCode(field, value)) : undefined;
}

/**
 * The condition that a column has one of some values. No filter selects null.
 *
 * @param limit one more than the highest code.
 * @param codes undefined for a value that no startup can have.
 */
function codeCondition(column: CodeArray, limit: number, codes: readonly (number | undefined)[]): Condition {
  /** By code: 1 if the column may have it. */
  const accepted = new Uint8Array(limit);
  for (const code of codes) {
    if (code !== undefined) {
      accepted[code] = 1;
    }
  }
  return { narrow: (positions, count) => narrowToCodes(positions, count, column, accepted) };
}

function rangeCondition(
  data: CatalogueData,
  name: NumberColumn,
  least = Number.NEGATIVE_INFINITY,
  most = Number.POSITIVE_INFINITY,
): IndexedCondition {
  const column = numbersOf(data.columns, name);
  const cut = (sorted: Uint32Array, descending: boolean): Uint32Array => {
    const [first, last] = descending ? [most, least] : [least, most];
    const start = countBeforeBound(sorted, column, first, false, descending);
    return sorted.subarray(start, Math.max(start, countBeforeBound(sorted, column, last, true, descending)));
  };
  const passing = cut(positionsIn(data, ascendingOrder(name)), false);
  return {
    column: name,
    cut,
    passing,
    narrow: (positions, count) => narrowToRange(positions, count, column, least, most),
  };
}

/** The condition that a startup is one of those at some positions. */
function listedCondition(passing: Uint32Array, size: number): IndexedCondition {
  let marks: Uint8Array | undefined;
  return {
    isMarked: true,
    passing,
    narrow(positions, count) {
      marks ??= marksOf(passing, size);
      return narrowToMarked(positions, count, marks);
    },
  };
}

/** One byte per position: 1 for those of a list. */
export function marksOf(positions: Uint32Array, size: number): Uint8Array {
  const marks = new Uint8Array(size);
  for (let at = 0; at < positions.length; at += 1) {
    marks[positions[at] as number] = 1;
  }
  return marks;
}

/** The condition that a startup has a mark, which is not 0. */
export function markedCondition(marks: Uint8Array): Condition {
  return { isMarked: true, narrow: (positions, count) => narrowToMarked(positions, count, marks) };
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

function narrowToMarked(positions: Uint32Array, count: number, marks: Uint8Array): number {
  let kept = 0;
  for (let at = 0; at < count; at += 1) {
    const position = positions[at] as number;
    positions[kept] = position;
    kept += Number(marks[position] !== 0);
  }
  return kept;
}

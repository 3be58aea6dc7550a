import type { ImportField } from '../../model/fields.ts';
import type { StoredValue } from '../../model/stored-value.ts';
import { createCheck, showStored } from '../notation/checks.ts';
import { dateOrders } from '../notation/dates.ts';
import {
  decimalMarks,
  joinWords,
  type Notation,
  notations,
  unitIn,
  unitOfValues,
  unitsOf,
  type Word,
  wordsFor,
} from '../notation/notations.ts';
import { cut } from '../rows/errors.ts';
import { spaced } from './heading-names.ts';
import { otherCurrencyIn } from './headings.ts';
import type { ColumnQuestion, Way } from './questions.ts';
import type { TableColumn } from './sample.ts';

/** What tables write for no value, in English, German and French. */
const NOTHING =
  /^([-–—?.]+|n\.?\s?\/?\s?[ad]\.?|k\.?\s?a\.?|none|null|nil|unknown|tbd|unbekannt|keine?|inconnu|aucune?|)$/i;

export const saysNothing = (value: unknown, { nullable }: ImportField): boolean =>
  nullable && typeof value === 'string' && NOTHING.test(value.trim());

export type Reader = (value: unknown) => StoredValue | undefined;

/** The stored value of a value of a column; undefined if it is not allowed. */
export function createReader(
  field: ImportField,
  notation: Notation,
  isCsv: boolean,
  texts?: Readonly<Record<string, string>>,
): Reader {
  const { read, readCell } = createCheck(field, notation, texts);
  return (value) => (isCsv && typeof value === 'string' ? readCell(value) : read(value));
}

export const misfitsOf = (values: readonly unknown[], read: Reader): unknown[] =>
  values.filter((value) => read(value) === undefined);

/** A column of which a field is known, by whose values its notation is decided. */
export type Candidate = ReturnType<typeof candidateOf>;

/** What is known of the notation of all columns. */
interface TableNotation {
  /** What a column of currencies says, if there is one: money other than US dollars. */
  readonly currency: string | undefined;
  /** Of the mapping: for columns that have no answer of their own. */
  readonly common: readonly Word[];
  /** Whether an empty cell clears. */
  readonly isUpdate: boolean;
}

/**
 * @param meanings what its texts were answered to mean.
 */
export function candidateOf(
  column: TableColumn,
  field: ImportField,
  isCsv: boolean,
  { currency, common, isUpdate }: TableNotation,
  meanings: Readonly<Record<string, string>> = {},
) {
  return {
    column,
    field,
    currency,
    common,
    isUpdate,
    meanings,
    /** Those that say something. */
    values: column.cells.map(({ value }) => value).filter((value) => !saysNothing(value, field)),
    /** What its heading says of its units. */
    heading: `${spaced(column.heading)} ${column.unit}`,
    readerOf: (words: readonly Word[]) => createReader(field, new Set(words), isCsv, meanings),
  };
}

/** How the values of a column are written, or the question about that. */
type Decision = readonly Word[] | ColumnQuestion;

export const isQuestion = (decision: Decision): decision is ColumnQuestion => 'kind' in decision;

/**
 * Which of several notations the values of a column have: the only one that reads whatever one of them reads; the base of
 * all, if it makes no difference; a question for values that have several meanings.
 */
function choose(candidate: Candidate, base: readonly Word[], ...ways: readonly Word[][]): Decision {
  const { values, readerOf } = candidate;
  const readers = ways.map(readerOf);
  const readings = values.map((value) => ({ value, stored: readers.map((read) => read(value)) }));
  const known = readings.filter(({ stored }) => stored.some((one) => one !== undefined));
  const [only, ...others] = ways.filter((_, at) => known.every(({ stored }) => stored[at] !== undefined));
  if (only !== undefined && others.length === 0) {
    return only;
  }
  const read = readerOf(base);
  const open = known.find(({ value, stored }) => read(value) === undefined && !stored.includes(undefined));
  return open === undefined ? base : askMeaning(candidate, open.value, ...ways);
}

/** What a value would be in the notations that read it; without rounding where no value of the column needs it. */
function readIn(
  { field: { kind }, values, readerOf }: Candidate,
  value: unknown,
  ...ways: (readonly Word[])[]
) {
  return ways.flatMap((way) => {
    const exact = way.filter((word) => word !== 'round');
    const [read, readExactly] = [readerOf(way), readerOf(exact)];
    const isRounded = values.some((one) => readExactly(one) === undefined && read(one) !== undefined);
    const words = isRounded ? way : exact;
    const stored = readerOf(words)(value) ?? null;
    const shown = stored === null ? '' : showStored(kind, stored);
    return stored === null ? [] : { words, shown, reads: `${cut(String(value))} is ${shown}` };
  });
}

/** Asks which of its notations a value has, by what it would be. */
function askMeaning(candidate: Candidate, value: unknown, ...all: (readonly Word[])[]): ColumnQuestion {
  const ways = readIn(candidate, value, ...all);
  return {
    kind: 'meaning',
    field: candidate.field.path,
    notations: ways,
    meanings: [{ value, notations: ways }],
  };
}

/**
 * The units that amounts can have, with how their decimals are written where that makes a difference; without an example
 * if no value is an amount, as all of them are asked next.
 */
function unitWays(candidate: Candidate): Way[] {
  const units = unitsOf('cents');
  const ways = units.flatMap((unit) => {
    const decision = decideDecimals(candidate, [unit]);
    if (isQuestion(decision)) {
      return [...decision.notations];
    }
    const read = candidate.readerOf(decision);
    const value = candidate.values.find((one) => read(one) !== undefined);
    return value === undefined ? [] : readIn(candidate, value, decision);
  });
  return ways.length > 0 ? ways : units.map((unit) => ({ words: [unit], reads: '' }));
}

/** Asks for the unit, and together with it whether fractions of a cent are rounded. */
function askUnit(candidate: Candidate): ColumnQuestion {
  const ways = unitWays(candidate);
  const rounding = ways.flatMap(({ words }) => (words.includes('round') ? words.join() : []));
  return {
    kind: 'unit',
    field: candidate.field.path,
    notations: ways,
    ...(rounding.length > 0 && { rounding }),
  };
}

/** The notation of values whose unit is known, with what all columns have in common. */
const withCommon = ({ field, common }: Candidate, unit: Word): Word[] => [
  ...joinWords(field, [unit], common),
];

/** The unit that is given for all columns of a kind. */
const commonUnit = ({ field, common }: Candidate): Word | undefined =>
  common.find((word) => unitsOf(field.kind).includes(word));

/** What is asked of amounts that are not US dollars, by a heading, cells or a column of currencies. */
export function currencyQuestion(candidate: Candidate): ColumnQuestion | undefined {
  const { column, field, heading, currency } = candidate;
  // Of a column of currencies also where the heading says dollars: one of the two columns is wrong.
  const all = otherCurrencyIn(heading) ?? currency;
  return all === undefined
    ? foreignCells(field, column.cells)
    : { kind: 'currency', field: field.path, notations: [], currency: all };
}

/** What is asked of cells that are not US dollars; undefined if all are. */
export function foreignCells({ path }: ImportField, cells: TableColumn['cells']): ColumnQuestion | undefined {
  const foreign = cells.flatMap((cell) => {
    const found = otherCurrencyIn(String(cell.value));
    return found === undefined ? [] : [{ ...cell, found }];
  });
  const currency = [...new Set(foreign.map(({ found }) => found))].join(' and ');
  const rows = foreign.map(({ line, value }) => ({ line, value }));
  return rows.length === 0
    ? undefined
    : { kind: 'foreign cells', field: path, notations: [], currency, rows };
}

function decideAmount(candidate: Candidate): Decision {
  const { column, field, values, heading } = candidate;
  const foreign = currencyQuestion(candidate);
  if (foreign !== undefined) {
    // Cells of other currencies stay asked in any unit.
    const isAnswerable = foreignCells(field, column.cells) === undefined;
    return { ...foreign, notations: isAnswerable ? unitWays(candidate) : [] };
  }
  const unit = unitIn(heading, 'cents') ?? unitOfValues(values, 'cents') ?? commonUnit(candidate);
  return unit === undefined ? askUnit(candidate) : decideDecimals(candidate, withCommon(candidate, unit));
}

const isMark = (word: Word): boolean => decimalMarks.some((mark) => mark === word);

/**
 * What separates the decimals of amounts whose unit is known, and whether they are rounded: as their values show, or a
 * question, once for the column.
 */
export function decideDecimals(candidate: Candidate, given: readonly Word[]): Decision {
  const { values, field, readerOf } = candidate;
  const base = given.filter((word) => word !== 'round');
  // Fractions of a cent decide nothing.
  const ways = base.some((word) => isMark(word))
    ? []
    : decimalMarks.map((mark): Word[] => [...base, mark, 'round']);
  const found = choose(candidate, [...base, 'round'], ...ways);
  if (isQuestion(found)) {
    return found;
  }
  const words = given.includes('round') ? found : found.filter((word) => word !== 'round');
  const [read, round] = [readerOf(words), readerOf(found)];
  const inexact = values.find((value) => read(value) === undefined && round(value) !== undefined);
  return inexact === undefined
    ? words
    : {
        kind: 'fraction',
        field: field.path,
        notations: readIn(candidate, inexact, found),
        value: inexact,
        words: found,
      };
}

function decidePercent(candidate: Candidate): Decision {
  const { field, values, heading, readerOf } = candidate;
  const said = unitIn(heading, 'percent') ?? unitOfValues(values, 'percent') ?? commonUnit(candidate);
  const decide = (unit: Word): Decision => {
    const base = withCommon(candidate, unit);
    return base.some((word) => isMark(word))
      ? base
      : choose(candidate, base, ...decimalMarks.map((mark): Word[] => [...base, mark]));
  };
  const found = decide(said ?? 'percent');
  if (said !== undefined) {
    return found;
  }
  if (isQuestion(found)) {
    // A text such as 1.250 says neither its mark nor its unit.
    const other = decide('fraction');
    return isQuestion(other) ? bothMeanings(found, other) : found;
  }
  const [, ...mark] = found;
  const fraction = ['fraction', ...mark] as const;
  const [asPercent, asFraction] = [readerOf(found), readerOf(fraction)];
  if (field.maximum !== undefined) {
    // A fraction above 1 would be more than all; what is below 1 may be one. Negative values are errors in either way.
    const read = values.flatMap((value) => asPercent(value) ?? []).map(Number);
    if (read.every((value) => value === 0 || value >= 1) && read.some((value) => value > 1)) {
      return found;
    }
  }
  const open = values.filter((value) => ![undefined, asPercent(value)].includes(asFraction(value)));
  const shown = open.find((value) => Math.abs(Number(asPercent(value))) <= 1) ?? open[0];
  return shown === undefined ? found : askMeaning(candidate, shown, found, fraction);
}

/** One question of two about what values mean. */
function bothMeanings(one: ColumnQuestion, other: ColumnQuestion): ColumnQuestion {
  return one.kind === 'meaning' && other.kind === 'meaning'
    ? {
        ...one,
        notations: [...one.notations, ...other.notations],
        meanings: [...one.meanings, ...other.meanings],
      }
    : one;
}

export function decideNotation(candidate: Candidate): Decision {
  const { field, values, readerOf } = candidate;
  const { kind } = field;
  if (kind === 'cents' || kind === 'percent') {
    return kind === 'cents' ? decideAmount(candidate) : decidePercent(candidate);
  }
  const misfits = (...words: Word[]): number => misfitsOf(values, readerOf(words)).length;
  const style = wordsFor(field).find((word) => notations[word].group === 'style');
  const isList =
    style === 'list' && values.some((value) => typeof value === 'string' && /^\s*[[{]|[;|\n]/.test(value));
  const base = style === undefined || (misfits() <= misfits(style) && !isList) ? [] : [style];
  const orders = kind === 'date' ? dateOrders.map((order): Word[] => [order]) : [];
  const isNumber = kind === 'count' || kind === 'ratio';
  const marks = isNumber ? decimalMarks.map((mark): Word[] => ['number', mark]) : [];
  return choose(candidate, base, ...orders, ...marks);
}

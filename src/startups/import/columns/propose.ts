import { amount } from '../../../lib/errors.ts';
import type { StoredStartupField } from '../../model/fields.ts';
import { firstCells, showValue } from '../errors.ts';
import type { TableColumn } from '../rows/sample.ts';
import { createCheck, showStored } from '../values/checks.ts';
import { dateOrders } from '../values/dates.ts';
import {
  type Notation,
  placesOf,
  type StoredValue,
  unitIn,
  type Word,
  wordsFor,
} from '../values/notation-words.ts';
import { otherCurrencyIn, spaced } from './headings.ts';
import type { Answer } from './mapping.ts';

/** A proposal for a column, with the texts of it that are no values of its field. */
export interface Proposal {
  readonly answer: Answer;
  /** Empty for a text that says that there is no value, `?` for one that is to be answered. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What tables write for no value, in English, German and French. */
const NOTHING =
  /^([-–—?.]+|n\.?\s?\/?\s?[ad]\.?|k\.?\s?a\.?|none|null|nil|unknown|tbd|unbekannt|keine?|inconnu|aucune?|)$/i;

const saysNothing = (value: unknown, { nullable }: StoredStartupField): boolean =>
  nullable && typeof value === 'string' && NOTHING.test(value.trim());

export type Reader = (value: unknown) => StoredValue | undefined;

/** The stored value of a value of a column; undefined if it is not allowed. */
export function createReader(
  field: StoredStartupField,
  notation: Notation,
  isCsv: boolean,
  texts?: Readonly<Record<string, string>>,
): Reader {
  const { read, readCell } = createCheck(field, notation, texts);
  return (value) => (isCsv && typeof value === 'string' ? readCell(value) : read(value));
}

/** A column of which a field is known, by whose values its notation is decided. */
interface Candidate {
  readonly column: TableColumn;
  readonly field: StoredStartupField;
  readonly values: readonly unknown[];
  readonly currency: string | undefined;
  /** What its heading says of its units. */
  readonly heading: string;
  readonly readerOf: (words: readonly Word[]) => Reader;
}

const misfitsOf = (values: readonly unknown[], read: Reader): unknown[] =>
  values.filter((value) => read(value) === undefined);

/** How the values of a column are written, or the question about that. */
type Decision = readonly Word[] | string;

/**
 * Which of two notations the values of a column have: the only one that reads whatever one of them reads; the base of
 * both, if it makes no difference; a question for values that have two meanings.
 */
function choose(candidate: Candidate, base: readonly Word[], ...both: readonly Word[][]): Decision {
  const { values, readerOf } = candidate;
  const readers = both.map(readerOf);
  const readings = values.map((value) => ({ value, stored: readers.map((read) => read(value)) }));
  const known = readings.filter(({ stored }) => stored.some((one) => one !== undefined));
  const [only, ...others] = both.filter((_, at) => known.every(({ stored }) => stored[at] !== undefined));
  if (only !== undefined && others.length === 0) {
    return only;
  }
  const read = readerOf(base);
  const open = known.find(({ value, stored }) => read(value) === undefined && !stored.includes(undefined));
  return open === undefined ? base : askMeaning(candidate, open.value, both);
}

/** Asks which of its notations a value has, by what it would be. */
function askMeaning(
  { field: { path, kind }, readerOf }: Candidate,
  value: unknown,
  notations: readonly (readonly Word[])[],
): string {
  const meanings = notations.map((tried) => {
    const exact = tried.filter((word) => word !== 'round');
    const words = readerOf(exact)(value) === undefined ? tried : exact;
    const stored = readerOf(words)(value);
    return `${stored === undefined || stored === null ? 'nothing' : showStored(kind, stored)} (${path}:${words.join()})`;
  });
  return `${showValue(value)} is ${meanings.join(' or ')}`;
}

/** What the heading of a column says of its units. */
const headingOf = ({ heading, unit }: TableColumn): string => `${spaced(heading)} ${unit}`;

const DOLLAR_CELL = /^[-−+(]*\s*(us\s?)?\$|\$\)?$|usd/i;

/** What is asked of amounts that are not US dollars, by a heading, cells or a column of currencies. */
export function currencyQuestion(column: TableColumn, currency?: string): string | undefined {
  // Of a column of currencies also where the heading says dollars: one of the two columns is wrong.
  const all = otherCurrencyIn(headingOf(column)) ?? currency;
  return all === undefined
    ? foreignCells(column.cells)
    : `these are ${all}: convert them to US dollars, or leave the column out`;
}

/** What is asked of cells that are not US dollars; undefined if all are. */
export function foreignCells(cells: TableColumn['cells']): string | undefined {
  const foreign = cells.flatMap((cell) => {
    const currency = otherCurrencyIn(String(cell.value));
    return currency === undefined ? [] : [{ ...cell, currency }];
  });
  const currencies = [...new Set(foreign.map(({ currency }) => currency))].join(' and ');
  return foreign.length === 0
    ? undefined
    : `${amount(foreign.length, 'value is', 'values are')} ${currencies} (${firstCells(foreign)}): ` +
        'convert them to US dollars in the file, or leave the column out';
}

function decideAmount(candidate: Candidate): Decision {
  const { column, field, values, heading, currency, readerOf } = candidate;
  const { path } = field;
  const said = unitIn(heading, 'cents');
  const foreign = currencyQuestion(column, currency);
  if (foreign !== undefined) {
    return foreign;
  }
  if (column.heading === path && misfitsOf(values, readerOf([])).length === 0) {
    return [];
  }
  const areDollars = values.every((value) => typeof value === 'string' && DOLLAR_CELL.test(value));
  const unit = said ?? (areDollars ? 'dollars' : undefined);
  if (unit === undefined) {
    return 'which unit: dollars, cents, thousands or millions?';
  }
  return decideDecimals(candidate, [unit]);
}

/**
 * What separates the decimals of amounts whose unit is known, and whether they are rounded: as their values show, or a
 * question, once for the column.
 */
function decideDecimals(candidate: Candidate, given: readonly Word[]): Decision {
  const { values, field, readerOf } = candidate;
  const base = given.filter((word) => word !== 'round');
  const hasMark = base.some((word) => word === 'point' || word === 'comma');
  // Fractions of a cent decide nothing.
  const found = hasMark
    ? ([...base, 'round'] as const)
    : choose(candidate, [...base, 'round'], [...base, 'point', 'round'], [...base, 'comma', 'round']);
  if (typeof found === 'string') {
    return found;
  }
  const words = given.includes('round') ? found : found.filter((word) => word !== 'round');
  const [read, round] = [readerOf(words), readerOf(found)];
  const inexact = values.find((value) => read(value) === undefined && round(value) !== undefined);
  return inexact === undefined
    ? words
    : `${showValue(inexact)} has a fraction of a cent: round it with ${field.path}:${found.join()}`;
}

/**
 * An answer with how the decimals of its amounts are written, if that is needed and their values show it, or the question.
 *
 * @param given the notation of the answer.
 * @param readerOf reads values in a notation, with what texts were said to mean.
 */
export function completeAmount(
  column: TableColumn,
  field: StoredStartupField,
  answer: Answer,
  given: Notation,
  readerOf: Candidate['readerOf'],
): Answer {
  const words = [...given];
  const read = readerOf(words);
  const values = column.cells.map(({ value }) => value).filter((value) => !saysNothing(value, field));
  if (placesOf(given) === undefined || values.every((value) => read(value) !== undefined)) {
    return answer;
  }
  const candidate = { column, field, values, currency: undefined, heading: headingOf(column), readerOf };
  const found = decideDecimals(candidate, words);
  return typeof found === 'string'
    ? { path: field.path, words: [], question: found }
    : found.length > words.length
      ? { ...answer, words: found }
      : answer;
}

function decidePercent(candidate: Candidate): Decision {
  const { values, heading, readerOf } = candidate;
  const found = choose(candidate, ['percent'], ['percent', 'point'], ['percent', 'comma']);
  if (typeof found === 'string') {
    return found;
  }
  const isSigned = values.every((value) => typeof value === 'string' && value.trimEnd().endsWith('%'));
  const [, ...mark] = found;
  const fraction = ['fraction', ...mark] as const;
  const said = unitIn(heading, 'percent');
  if (said !== undefined || isSigned) {
    return said === 'fraction' ? fraction : found;
  }
  const [asPercent, asFraction] = [readerOf(found), readerOf(fraction)];
  // A fraction above 1 would be more than all, where a field has a maximum.
  const open = values.filter((value) => ![undefined, asPercent(value)].includes(asFraction(value)));
  const shown = open.find((value) => Math.abs(Number(asPercent(value))) <= 1) ?? open[0];
  return shown === undefined ? found : askMeaning(candidate, shown, [found, fraction]);
}

function decideNotation(candidate: Candidate): Decision {
  const { field, values, readerOf } = candidate;
  const reads = (...words: Word[]): number => values.length - misfitsOf(values, readerOf(words)).length;
  switch (field.kind) {
    case 'cents':
      return decideAmount(candidate);
    case 'percent':
      return decidePercent(candidate);
    case 'count':
      return reads() === values.length
        ? []
        : choose(candidate, ['number'], ['number', 'point'], ['number', 'comma']);
    case 'date': {
      const base: Word[] = reads() >= reads('date') ? [] : ['date'];
      return choose(candidate, base, ...dateOrders.map((order) => [order]));
    }
    default: {
      const [word] = wordsFor(field.kind);
      const isList =
        word === 'list' && values.some((value) => typeof value === 'string' && /^\s*[[{]|[;|\n]/.test(value));
      return word === undefined || (reads() >= reads(word) && !isList) ? [] : [word];
    }
  }
}

const isNoName = (value: unknown): boolean =>
  typeof value !== 'string' || /^\s*(https?:\/\/|www\.)|^[\d.,\s]+$/i.test(value);
const isHandle = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*(@|(https?:\/\/)?(www\.)?(x|twitter)\.com\/)/i.test(value);

/**
 * Proposes how the values of a column are written, for the field that its heading names.
 *
 * @param currency what a column of currencies says, if there is one: money other than US dollars.
 * @param isChosen whether people have chosen the field: then its texts are asked, however many are not allowed.
 */
export function propose(
  column: TableColumn,
  field: StoredStartupField,
  isCsv: boolean,
  currency: string | undefined,
  isChosen = false,
): Proposal {
  const { path } = field;
  const leaveOut = (reason: string): Proposal => ({ answer: { path: '', words: [], reason }, texts: {} });
  const values = column.cells.map(({ value }) => value).filter((value) => !saysNothing(value, field));
  if (values.length === 0) {
    return leaveOut('it has no values');
  }
  const handle = path === 'founderName' && !isChosen ? values.find(isHandle) : undefined;
  if (handle !== undefined) {
    const question = `${showValue(handle)} is a handle, not a name: is it xHandle?`;
    return { answer: { path: 'xHandle', words: [], question }, texts: {} };
  }
  const readerOf = (words: readonly Word[]): Reader => createReader(field, new Set(words), isCsv);
  const heading = headingOf(column);
  const words = decideNotation({ column, field, values, currency, heading, readerOf });
  if (typeof words === 'string') {
    return { answer: { path, words: [], question: words }, texts: {} };
  }
  const read = readerOf(words);
  const misfits = values.filter((value) => read(value) === undefined || (path === 'name' && isNoName(value)));
  const texts = textsOf(column, field, read);
  const areAsked = isChosen && Object.keys(texts).length > 0;
  return 2 * misfits.length > values.length && !areAsked
    ? leaveOut(
        `${misfits.length} of ${values.length} values ${values.length === 1 ? 'is' : 'are'} not allowed in ${path}: ${showValue(misfits[0])}`,
      )
    : { answer: { path, words }, texts };
}

/** The texts of a column that are no values of its field: those that say nothing, and those that are asked. */
export function textsOf({ cells }: TableColumn, field: StoredStartupField, read: Reader): Proposal['texts'] {
  const texts = cells.flatMap(({ value }) =>
    typeof value !== 'string' || read(value) === null
      ? []
      : saysNothing(value, field)
        ? [[value, '']]
        : read(value) === undefined && field.kind !== 'string'
          ? [[value, '?']]
          : [],
  );
  return Object.fromEntries(texts);
}

import { amount } from '../../../lib/errors.ts';
import type { StoredStartupField } from '../../model/fields.ts';
import { firstCells, showValue } from '../errors.ts';
import { decimalMarks } from '../options.ts';
import type { TableColumn } from '../rows/sample.ts';
import { ASKED, createCheck, showStored } from '../values/checks.ts';
import { dateOrders } from '../values/dates.ts';
import {
  type Notation,
  notations,
  placesOf,
  type StoredValue,
  unitIn,
  type Word,
  wordsFor,
} from '../values/notation-words.ts';
import { simplify } from '../values/text-checks.ts';
import type { Answer } from './answers.ts';
import { otherCurrencyIn, spaced } from './headings.ts';

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

type Reader = (value: unknown) => StoredValue | undefined;

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

/** An answer, a column that is left out, and a question, without texts. */
export const done = (answer: Answer): Proposal => ({ answer, texts: {} });
export const leaveOut = (reason: string): Proposal => done({ path: '', words: [], reason });
export const ask = (path: string, question: string): Proposal => done({ path, words: [], question });

const misfitsOf = (values: readonly unknown[], read: Reader): unknown[] =>
  values.filter((value) => read(value) === undefined);

/** A column of which a field is known, by whose values its notation is decided. */
type Candidate = ReturnType<typeof candidateOf>;

/**
 * @param currency what a column of currencies says, if there is one: money other than US dollars.
 * @param meanings what its texts were answered to mean.
 */
export function candidateOf(
  column: TableColumn,
  field: StoredStartupField,
  isCsv: boolean,
  currency: string | undefined,
  meanings: Readonly<Record<string, string>> = {},
) {
  return {
    ...{ column, field, currency, meanings },
    /** Those that say something. */
    values: column.cells.map(({ value }) => value).filter((value) => !saysNothing(value, field)),
    /** What its heading says of its units. */
    heading: `${spaced(column.heading)} ${column.unit}`,
    readerOf: (words: readonly Word[]) => createReader(field, new Set(words), isCsv, meanings),
  };
}

/** How the values of a column are written, or the question about that. */
type Decision = readonly Word[] | string;

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
  return open === undefined ? base : askMeaning(candidate, open.value, ways);
}

/** Asks which of its notations a value has, by what it would be. */
function askMeaning(
  { field: { path, kind }, readerOf }: Candidate,
  value: unknown,
  ways: readonly (readonly Word[])[],
): string {
  const meanings = ways.map((way) => {
    const exact = way.filter((word) => word !== 'round');
    const words = readerOf(exact)(value) === undefined ? way : exact;
    const stored = readerOf(words)(value);
    return `${stored === undefined || stored === null ? 'nothing' : showStored(kind, stored)} (${path}:${words.join()})`;
  });
  return `${showValue(value)} is ${meanings.join(' or ')}`;
}

const DOLLAR_CELL = /^[-−+(]*\s*(us\s?)?\$|\$\)?$|usd/i;

/** What is asked of amounts that are not US dollars, by a heading, cells or a column of currencies. */
function currencyQuestion({ column, heading, currency }: Candidate): string | undefined {
  // Of a column of currencies also where the heading says dollars: one of the two columns is wrong.
  const all = otherCurrencyIn(heading) ?? currency;
  return all === undefined
    ? foreignCells(column.cells)
    : `these are ${all}: convert them to US dollars, or leave the column out`;
}

/** What is asked of cells that are not US dollars; undefined if all are. */
function foreignCells(cells: TableColumn['cells']): string | undefined {
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
  const { column, field, values, heading, readerOf } = candidate;
  const foreign = currencyQuestion(candidate);
  if (foreign !== undefined) {
    return foreign;
  }
  if (column.heading === field.path && misfitsOf(values, readerOf([])).length === 0) {
    return [];
  }
  const areDollars = values.every((value) => typeof value === 'string' && DOLLAR_CELL.test(value));
  const unit = unitIn(heading, 'cents') ?? (areDollars ? 'dollars' : undefined);
  return unit === undefined
    ? 'which unit: dollars, cents, thousands or millions?'
    : decideDecimals(candidate, [unit]);
}

/**
 * What separates the decimals of amounts whose unit is known, and whether they are rounded: as their values show, or a
 * question, once for the column.
 */
function decideDecimals(candidate: Candidate, given: readonly Word[]): Decision {
  const { values, field, readerOf } = candidate;
  const base = given.filter((word) => word !== 'round');
  const hasMark = decimalMarks.some((mark) => base.includes(mark));
  // Fractions of a cent decide nothing.
  const ways = hasMark ? [] : decimalMarks.map((mark): Word[] => [...base, mark, 'round']);
  const found = choose(candidate, [...base, 'round'], ...ways);
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

function decidePercent(candidate: Candidate): Decision {
  const { values, heading, readerOf } = candidate;
  const found = choose(candidate, ['percent'], ...decimalMarks.map((mark): Word[] => ['percent', mark]));
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
  const { values, readerOf } = candidate;
  const { kind } = candidate.field;
  if (kind === 'cents' || kind === 'percent') {
    return kind === 'cents' ? decideAmount(candidate) : decidePercent(candidate);
  }
  const misfits = (...words: Word[]): number => misfitsOf(values, readerOf(words)).length;
  const style = wordsFor(kind).find((word) => notations[word].group === 'style');
  const isList =
    style === 'list' && values.some((value) => typeof value === 'string' && /^\s*[[{]|[;|\n]/.test(value));
  const base = style === undefined || (misfits() <= misfits(style) && !isList) ? [] : [style];
  const orders = kind === 'date' ? dateOrders.map((order): Word[] => [order]) : [];
  const marks = kind === 'count' ? decimalMarks.map((mark): Word[] => ['number', mark]) : [];
  return choose(candidate, base, ...orders, ...marks);
}

/**
 * What the values of an answered column say: how the decimals of amounts are written, texts and foreign money.
 *
 * @param notation of the field, with the words that other columns have in common.
 */
export function proposeAnswered(candidate: Candidate, answer: Answer, notation: Notation): Proposal {
  const { column, field, values, meanings, readerOf } = candidate;
  const given = [...notation];
  const read = readerOf(given);
  const reason = field.kind === 'cents' ? currencyQuestion(candidate) : undefined;
  const meant = new Set(
    Object.keys(meanings).flatMap((text) => (meanings[text] === ASKED ? [] : simplify(text))),
  );
  const open = column.cells.filter(
    ({ value }) => read(value) === undefined && !meant.has(simplify(String(value))),
  );
  const isOpen =
    field.kind === 'cents' && placesOf(notation) !== undefined && misfitsOf(values, read).length > 0;
  const words = (reason && foreignCells(open)) ?? (isOpen ? decideDecimals(candidate, given) : given);
  if (typeof words === 'string') {
    return ask(field.path, words);
  }
  const found = words.length > given.length ? { ...answer, words } : answer;
  return {
    answer: reason === undefined ? found : { ...found, reason },
    texts: textsOf(candidate, readerOf(words)),
  };
}

const isNoName = (value: unknown): boolean =>
  typeof value !== 'string' || /^\s*(https?:\/\/|www\.)|^[\d.,\s]+$/i.test(value);
const isHandle = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*(@|(https?:\/\/)?(www\.)?(x|twitter)\.com\/)/i.test(value);

/**
 * Proposes how the values of a column are written.
 *
 * @param isChosen whether people have chosen the field: then its texts are asked, however many are not allowed.
 */
export function propose(candidate: Candidate, isChosen = false): Proposal {
  const { values, readerOf } = candidate;
  const { path } = candidate.field;
  if (values.length === 0) {
    return leaveOut('it has no values');
  }
  const handle = path === 'founderName' && !isChosen ? values.find(isHandle) : undefined;
  if (handle !== undefined) {
    return ask('xHandle', `${showValue(handle)} is a handle, not a name: is it xHandle?`);
  }
  const words = decideNotation(candidate);
  if (typeof words === 'string') {
    return ask(path, words);
  }
  const read = readerOf(words);
  const misfits = values.filter((value) => read(value) === undefined || (path === 'name' && isNoName(value)));
  const texts = textsOf(candidate, read);
  const areAsked = isChosen && Object.keys(texts).length > 0;
  return 2 * misfits.length > values.length && !areAsked
    ? leaveOut(
        `${misfits.length} of ${values.length} values ${values.length === 1 ? 'is' : 'are'} not allowed in ${path}: ${showValue(misfits[0])}`,
      )
    : { answer: { path, words }, texts };
}

/** The texts of a column that are no values of its field: those that say nothing, and those that are asked. */
function textsOf({ column, field }: Candidate, read: Reader): Proposal['texts'] {
  const texts = column.cells.flatMap(({ value }) => {
    const stored = typeof value === 'string' ? read(value) : null;
    return stored === null
      ? []
      : saysNothing(value, field)
        ? [[value, '']]
        : stored === undefined && field.kind !== 'string'
          ? [[value, ASKED]]
          : [];
  });
  return Object.fromEntries(texts);
}

import {
  type StartupField,
  type StartupFieldPath,
  type StoredStartupField,
  storedStartupFields,
} from '../../model/fields.ts';
import { showValue } from '../errors.ts';
import type { TableColumn } from '../rows/sample.ts';
import { cellReader, createCheck } from '../values/checks.ts';
import { dateOrders, readWrittenDates } from '../values/dates.ts';
import type { StoredValue } from '../values/notations.ts';
import { type Answer, type Notation, placesOf, unitIn, type Word, wordsFor } from '../values/notations.ts';
import { type DecimalMark, decimalMarks, readAmounts, readNumbers } from '../values/numbers.ts';
import { otherCurrencyIn, spaced } from './headings.ts';

/** What the proposals of a table have in common. */
export interface ProposalContext {
  readonly isCsv: boolean;
  /** What a column of currencies says, if there is one: money other than US dollars. */
  readonly currency?: string | undefined;
}

/** A proposal for a column, with the texts of it that are no values of its field. */
export interface Proposal {
  readonly answer: Answer;
  /** Empty for a text that says that there is no value, `?` for one that is to be answered. */
  readonly texts: Readonly<Record<string, string>>;
}

/** What tables write for no value, in English, German and French. */
const NOTHING =
  /^([-–—?.]+|n\.?\s?\/?\s?[ad]\.?|k\.?\s?a\.?|none|null|nil|unknown|tbd|unbekannt|keine?|inconnu|aucune?)$/i;

const saysNothing = (value: unknown): boolean => typeof value === 'string' && NOTHING.test(value.trim());

/** The stored value of a value of a column; undefined if it is not allowed. */
export function createReader(
  field: StoredStartupField,
  notation: Notation,
  isCsv: boolean,
  texts: Readonly<Record<string, string>> = {},
): (value: unknown) => StoredValue | undefined {
  const check = createCheck(field, notation, texts);
  const read = isCsv ? cellReader(field, notation) : undefined;
  return (value) => check.read(read === undefined || typeof value !== 'string' ? value : read(value));
}

/** Of the texts of a column that mean nothing known. */
const MOST_TEXTS = 50;

/** Proposes how the values of a column are written, for the field that its heading names. */
export function propose(column: TableColumn, field: StoredStartupField, context: ProposalContext): Proposal {
  const { path, nullable } = field;
  const cells = column.cells.filter(({ value }) => !(nullable && saysNothing(value)));
  const nothing = column.cells.filter(({ value }) => nullable && saysNothing(value));
  const leaveOut = (reason: string): Proposal => ({ answer: { path: '', words: [], reason }, texts: {} });
  if (cells.length === 0) {
    return leaveOut('it has no values');
  }
  const values = cells.map(({ value }) => value);
  const answer = proposeWords(column, values, field, context);
  if (answer.question !== undefined) {
    return { answer, texts: {} };
  }
  const misfits = misfitsOf(values, field, answer.words, context.isCsv);
  if (2 * misfits.length > values.length) {
    return leaveOut(
      `${misfits.length} of ${values.length} values ${values.length === 1 ? 'is' : 'are'} not allowed in ${path}: ${showValue(misfits[0])}`,
    );
  }
  return { answer, texts: textsOf(nothing, misfits, field) };
}

/** The texts of a column whose answer is known that no value of its field, nor any of the known texts, is. */
export function proposeTexts(
  { cells }: TableColumn,
  field: StoredStartupField,
  notation: Notation,
  isCsv: boolean,
  known: Readonly<Record<string, string>>,
): Proposal['texts'] {
  const given = Object.fromEntries(Object.entries(known).filter(([, value]) => value !== '?'));
  const read = createReader(field, notation, isCsv, given);
  const odd = cells.filter(({ value }) => read(value) === undefined);
  const isNothing = ({ value }: TableColumn['cells'][number]): boolean =>
    field.nullable && saysNothing(value);
  return textsOf(
    odd.filter(isNothing),
    odd.filter((cell) => !isNothing(cell)).map(({ value }) => value),
    field,
  );
}

function misfitsOf(
  values: readonly unknown[],
  field: StoredStartupField,
  words: readonly Word[],
  isCsv: boolean,
) {
  const read = createReader(field, new Set(words), isCsv);
  return values.filter((value) => read(value) === undefined || (field.path === 'name' && isNoName(value)));
}

/** Texts that mean no value, and those that are asked. */
function textsOf(
  nothing: TableColumn['cells'],
  misfits: readonly unknown[],
  { kind }: StoredStartupField,
): Proposal['texts'] {
  const asked = misfits.filter((value) => typeof value === 'string' && kind !== 'string') as string[];
  const texts = [...nothing.map(({ value }) => [String(value), '']), ...asked.map((text) => [text, '?'])];
  return Object.fromEntries(texts.slice(0, MOST_TEXTS));
}

const isNoName = (value: unknown): boolean =>
  typeof value !== 'string' || /^(https?:\/\/|www\.)/i.test(value.trim()) || /^[\d.,\s]+$/.test(value.trim());

function proposeWords(
  column: TableColumn,
  values: readonly unknown[],
  field: StoredStartupField,
  context: ProposalContext,
): Answer {
  const { path, kind } = field;
  const answer = (...words: (Word | undefined)[]): Answer => ({
    path,
    words: words.filter((word) => word !== undefined),
  });
  const ask = (question: string): Answer => ({ path, words: [], question });
  const missing = (words: readonly Word[]): number => {
    const read = createReader(field, new Set(words), context.isCsv);
    return values.filter((value) => read(value) === undefined).length;
  };
  switch (kind) {
    case 'cents':
      return proposeAmount(column, values, path, missing([]) === 0, context, answer, ask);
    case 'percent':
      return proposePercent(column, values, field, answer, ask);
    case 'count': {
      const mark = markOf(values, (text, decimal) =>
        readNumbers(text, decimal).some((one) => Number.isInteger(Number(one))),
      );
      return missing([]) === 0 ? answer() : answer('number', mark === 'both' ? undefined : mark);
    }
    case 'date': {
      const orders = dateOrders.filter(
        (order) => missing([order]) <= missing(['date']) && missing([order]) < values.length,
      );
      const open = values.find((value) => typeof value === 'string' && readWrittenDates(value).length > 1);
      if (open === undefined) {
        return missing([]) <= missing(['date']) ? answer() : answer('date');
      }
      const [order, other] = orders.filter(
        (one) => missing([one]) === Math.min(...orders.map((each) => missing([each]))),
      );
      const [first, second] = readWrittenDates(String(open));
      return order !== undefined && other === undefined
        ? answer(order)
        : ask(`${String(open)} is ${first} (${path}:day-first) or ${second} (${path}:month-first)`);
    }
    default: {
      const [word] = wordsFor(kind);
      const isList =
        word === 'list' && values.some((value) => typeof value === 'string' && /^\s*[[{]|[;|\n]/.test(value));
      return word === undefined || (missing([]) <= missing([word]) && !isList) ? answer() : answer(word);
    }
  }
}

/** The decimal mark with which all of the texts that are numbers have a reading, if that is one of the two. */
function markOf(
  values: readonly unknown[],
  isRead: (text: string, mark: DecimalMark) => boolean,
): DecimalMark | 'both' | undefined {
  const texts = values.filter((value) => typeof value === 'string') as string[];
  const numbers = texts.filter((text) => decimalMarks.some((mark) => isRead(text, mark)));
  const [first, second] = decimalMarks.filter((mark) => numbers.every((text) => isRead(text, mark)));
  return second === undefined ? first : 'both';
}

const DOLLAR_CELL = /^[-−+(]*\s*(us\s?)?\$|\$\)?$|usd/i;

function proposeAmount(
  { name, unit }: TableColumn,
  values: readonly unknown[],
  path: StartupFieldPath,
  areCents: boolean,
  context: ProposalContext,
  answer: (...words: (Word | undefined)[]) => Answer,
  ask: (question: string) => Answer,
): Answer {
  const heading = `${spaced(name)} ${unit}`;
  const texts = values.map((value) => (typeof value === 'string' ? value : ''));
  const said = unitIn(heading, 'cents');
  const currency =
    otherCurrencyIn(heading) ??
    texts.map(otherCurrencyIn).find((one) => one !== undefined) ??
    (said === undefined ? context.currency : undefined);
  if (currency !== undefined) {
    return ask(`these are ${currency}: convert them to US dollars, or leave the column out`);
  }
  if (name === path && areCents) {
    return answer();
  }
  const word = said ?? (texts.every((text) => DOLLAR_CELL.test(text)) ? 'dollars' : undefined);
  if (word === undefined) {
    return ask(`${path}:dollars, :cents, :thousands or :millions`);
  }
  const places = placesOf(new Set([word]));
  const readings = values.map((value) => ({ value, all: readAmounts(value, { places }) }));
  const isExact = (value: unknown, decimal: DecimalMark): boolean =>
    readAmounts(value, { places, decimal }).some(({ difference }) => difference === 0);
  const mark = markOf(values, isExact);
  const open = readings.find(({ all }) => all.length > 1);
  const exactEverywhere =
    mark !== undefined &&
    (mark === 'both' || readings.every(({ value, all }) => all.length === 0 || isExact(value, mark)));
  if (open !== undefined && (mark === 'both' || !exactEverywhere)) {
    const [point, comma] = open.all.map(({ written }) => written);
    return ask(
      `${showValue(open.value)} is ${point} (${path}:${word},point) or ${comma} (${path}:${word},comma)`,
    );
  }
  const inexact = readings.find(({ all: [one] }) => one !== undefined && one.difference > 0);
  if (open === undefined && inexact !== undefined) {
    return ask(`${showValue(inexact.value)} has a fraction of a cent: round it with ${path}:${word},round`);
  }
  return answer(word, mark === 'both' ? undefined : mark);
}

function proposePercent(
  { name, unit }: TableColumn,
  values: readonly unknown[],
  { path, maximum }: StartupField & { path: StartupFieldPath },
  answer: (...words: (Word | undefined)[]) => Answer,
  ask: (question: string) => Answer,
): Answer {
  const bare = values.map((value) => (typeof value === 'string' ? value.replace(/\s?%$/, '') : value));
  const mark = markOf(bare, (text, decimal) => readNumbers(text, decimal).length > 0);
  const open = bare.find((value) => typeof value === 'string' && readNumbers(value).length > 1);
  if (open !== undefined && mark === 'both') {
    const [point, comma] = readNumbers(String(open));
    return ask(`${showValue(open)} is ${point} (${path}:percent,point) or ${comma} (${path}:percent,comma)`);
  }
  const decimal = mark === 'both' ? undefined : mark;
  const isSigned = values.every((value) => typeof value === 'string' && /%\s*$/.test(value));
  const said = unitIn(`${spaced(name)} ${unit}`, 'percent') ?? (isSigned ? 'percent' : undefined);
  if (said !== undefined) {
    return answer(said, decimal);
  }
  const numbers = bare.map((value) =>
    Number(typeof value === 'string' ? (readNumbers(value, decimal)[0] ?? value) : value),
  );
  const shown =
    numbers.find((number) => number !== 0 && Math.abs(number) <= 1) ??
    numbers.find((number) => number !== 0 && !Number.isNaN(number));
  // A fraction above 1 would be more than all.
  if (
    shown === undefined ||
    numbers.every((number) => number === 0 || (maximum !== undefined && number > maximum / 100))
  ) {
    return answer('percent', decimal);
  }
  return ask(`${shown} is ${shown} % (${path}:percent) or ${Number(`${shown}e2`)} % (${path}:fraction)`);
}

/** The field of whose few values every value of a column is one. */
export function fieldByValues(
  { cells }: TableColumn,
  taken: ReadonlySet<string>,
): StoredStartupField | undefined {
  return storedStartupFields.find((field) => {
    if (field.kind !== 'choice' || taken.has(field.path)) {
      return false;
    }
    const check = createCheck(field);
    return (
      cells.length > 0 &&
      cells.every(({ value }) => check.read(value) !== undefined) &&
      cells.some(({ value }) => /\p{L}/u.test(String(value)))
    );
  });
}

import { decimalText, shift } from '../../../lib/text/decimals.ts';
import { count, exactText } from '../../../lib/text/figures.ts';
import { type Wording, withOptions } from '../../../lib/text/wording.ts';
import type { StartupField } from '../../model/fields.ts';
import { MAX_CENTS } from '../../model/vocabulary.ts';
import {
  type Check,
  type DecimalMark,
  DOLLARS,
  decimalMarks,
  type Notation,
  powerOf,
  suffixes,
  unitOf,
} from './notations.ts';

/** No number is written with more characters. */
const MOST_CHARACTERS = 40;

// The same separator between all groups of three digits, or of two before the last three as in India; white space is a
// plain space, or one that does not break.
const grouped = (marks: string): string =>
  `[1-9]\\d{0,2}(?:(?<mark>[${marks}\\s'’])\\d{3})(?:\\k<mark>\\d{3})*`;
const INDIAN = '[1-9]\\d?(?:,\\d\\d)+,\\d{3}';
const patterns: Readonly<Record<DecimalMark, RegExp>> = {
  point: new RegExp(`^(?<sign>[-−+]?)(?<whole>${grouped(',')}|${INDIAN}|\\d+)(?:\\.(?<fraction>\\d+))?$`),
  comma: new RegExp(`^(?<sign>[-−+]?)(?<whole>${grouped('.')}|\\d+)(?:,(?<fraction>\\d+))?$`),
};

/**
 * What a written number can mean: `1,250.00` is 1250, `1.250` is 1.25 with a decimal point or 1250 with a comma.
 *
 * @returns JSON numbers as text without superfluous zeros, at most one if `decimal` is given; none if it is no number.
 */
function readNumbers(text: string, decimal?: DecimalMark): string[] {
  const marks = decimal === undefined ? decimalMarks : [decimal];
  const trimmed = text.length > MOST_CHARACTERS ? '' : text.trim();
  const found = marks.flatMap((mark) => {
    const { sign = '', whole = '', fraction = '' } = patterns[mark].exec(trimmed)?.groups ?? {};
    return whole === '' ? [] : decimalText(/[-−]/.test(sign), whole.replace(/\D/g, ''), fraction);
  });
  return found.length === 2 && found[0] === found[1] ? found.slice(1) : found;
}

/** A number of JSON, which always has a decimal point. Those close to 0 are not written with an exponent. */
function readJsonNumber(value: unknown): string[] {
  const text = typeof value !== 'number' ? '' : Math.abs(value) < 1e-6 ? value.toFixed(20) : String(value);
  return readNumbers(text, 'point');
}

const CURRENCY = /^([-−+]?)\s*(?:(?:US\s?)?\$|USD)?\s*([-−+]?)\s*(.*?)\s*(?:(?:US)?\$|USD)?$/i;
const EXPONENT = /^(.*\d)e([+-]?\d{1,2})$/i;

/** What a text such as `$1,250.00`, `12.5k`, `1.2E+05`, `(120.00)` or `$-` can mean, as {@link readNumbers}. */
function readWritten(text: string, decimal: DecimalMark | undefined, isShort: boolean): string[] {
  const trimmed = text.length > MOST_CHARACTERS ? '' : text.trim();
  const [, bracketed] = /^\((.*\d.*)\)$/.exec(trimmed) ?? [];
  const [, before = '', after = '', body = ''] = CURRENCY.exec(bracketed ?? trimmed) ?? [];
  if (bracketed !== undefined && before + after !== '') {
    return [];
  }
  // How accounting formats show zero.
  if (body === '' && before + after === '-' && trimmed.startsWith('$')) {
    return ['0'];
  }
  const sign = bracketed === undefined ? before + after : '-';
  const [, mantissa, exponent] = EXPONENT.exec(body) ?? [];
  const [short, power = 0] = (isShort && suffixes.find(([end]) => end.test(body))) || [];
  const number = mantissa ?? (short === undefined ? body : body.replace(short, ''));
  return readNumbers(sign + number, decimal).map((one) => shift(one, Number(exponent ?? power)));
}

/** The amounts that were rounded to whole cents. */
export interface Rounding {
  count: number;
  /** The largest difference, in cents. */
  largest: number;
}

/** Adds what was rounded elsewhere. */
export function addRounding(sum: Rounding, { count, largest }: Rounding): void {
  sum.count += count;
  sum.largest = Math.max(sum.largest, largest);
}

export function decimalOf(notation: Notation): DecimalMark | undefined {
  return decimalMarks.find((mark) => notation.has(mark));
}

/** Cents have neither a sign of a currency nor groups: with these, an amount is probably one of dollars. */
const PLAIN_CENTS = /^[-−+]?\d+([.,]\d+)?$/;
const GROUPED_CENTS = /^[-−+]?\d[\d.,\s'’]*$/;

/** What an amount can mean, in the unit of its column: with a decimal point, `$1,250.00` is 1250. */
function readAmounts(value: unknown, places: number | undefined, decimal: DecimalMark | undefined): string[] {
  if (typeof value !== 'string') {
    return readJsonNumber(value);
  }
  if (places !== undefined && places > 0) {
    // 12.5k in a column of thousands has two meanings.
    return readWritten(value, decimal, places === DOLLARS);
  }
  const isCents = (places === undefined ? PLAIN_CENTS : GROUPED_CENTS).test(value.trim());
  const readings = isCents ? readNumbers(value, decimal) : [];
  // Cents are whole, so that commas and spaces only group them. A point may begin a fraction, as programs write it.
  return places === 0 && readings.length > 1 && !value.includes('.') ? readings.slice(0, 1) : readings;
}

/** The cents of a number, rounded half to even, and the difference that this makes. */
function toCents(written: string, places: number): { cents: number; difference: number } {
  if (written.startsWith('-')) {
    const { cents, difference } = toCents(written.slice(1), places);
    // Never a negative zero.
    return { cents: 0 - cents, difference };
  }
  const [whole, rest = ''] = shift(written, places).split('.');
  const cents = Number(whole);
  const part = Number(`0.${rest}`);
  // As text, which has no zeros at its end: a number could round it to a half.
  const isUp = rest > '5' || (rest === '5' && cents % 2 !== 0);
  return { cents: cents + Number(isUp), difference: isUp ? 1 - part : part };
}

/** The check of amounts, as numbers of JSON or as text with one meaning. Without a unit, they are cents. */
export function checkAmount({ minimum = 0 }: StartupField, notation: Notation, rounding?: Rounding): Check {
  const unit = unitOf(notation);
  const places = unit?.power;
  const [decimal, round] = [decimalOf(notation), notation.has('round')];
  const isCents = places === undefined || places === 0;
  return {
    allowed:
      unit === undefined || isCents
        ? `an integer number of cents from ${minimum} to ${MAX_CENTS}`
        : `an amount in ${unit.what} from ${exactText(minimum)} to ${exactText(MAX_CENTS)}, exact to the cent`,
    read(value) {
      if (isCents && Number.isSafeInteger(value)) {
        return (value as number) >= minimum ? (value as number) : undefined;
      }
      if (places === undefined && !round) {
        return undefined;
      }
      const [amount, other] = readAmounts(value, places, decimal);
      const isTooSmall = minimum >= 0 && amount?.startsWith('-') === true && amount !== '-0';
      if (amount === undefined || other !== undefined || isTooSmall) {
        return undefined;
      }
      const { cents, difference } = toCents(amount, places ?? 0);
      if (!Number.isSafeInteger(cents) || (difference > 0 && !round)) {
        return undefined;
      }
      if (difference > 0 && rounding !== undefined) {
        addRounding(rounding, { count: 1, largest: difference });
      }
      return cents;
    },
    fix: (value) => explainAmount(value, places, decimal),
  };
}

/** A number of dollars with all of its decimals. */
function showDollars(written: string): string {
  const [whole = '', fraction = ''] = written.replace('-', '').split('.');
  return `${written.startsWith('-') ? '−' : ''}$${count(BigInt(whole))}.${fraction.padEnd(2, '0')}`;
}

/** How a surface says that a notation is to be chosen. */
interface Advice {
  readonly useDollars: string;
  readonly mark: (mark: DecimalMark) => string;
  readonly roundIt: string;
  readonly orRound: string;
}

const advice: { readonly [Surface in 'command' | 'page']: Advice } = {
  command: {
    useDollars: 'use --dollars',
    mark: (mark) => `--decimal ${mark}`,
    roundIt: 'round it with --round',
    orRound: 'or --round',
  },
  page: {
    useDollars: 'choose the notation dollars',
    mark: (mark) => `the notation ${mark}`,
    roundIt: 'round it with the notation round',
    orRound: 'or round',
  },
};

const advise = (text: (say: Advice) => string): Wording => ({
  command: text(advice.command),
  page: text(advice.page),
});

/** What to do about an amount that has two meanings or a fraction of a cent, or one of cents that seems to be in dollars. */
function explainAmount(value: unknown, places = 0, decimal?: DecimalMark): Wording | undefined {
  const text = Number.isInteger(value) ? '' : String(value).trim();
  const isCents = places === 0;
  if (isCents && (text.length > MOST_CHARACTERS || !/^[^-−]*\d.*\D|\$|USD/i.test(text))) {
    return undefined;
  }
  const unit = isCents ? DOLLARS : places;
  const [dollars, other] = readAmounts(value, unit, decimal).map((one) => shift(one, unit - DOLLARS));
  const cents = dollars && shift(dollars, DOLLARS);
  if (isCents && (cents === undefined || other !== undefined || Number(cents) > MAX_CENTS)) {
    return advise(
      ({ useDollars }) => `amounts are whole cents without separators: for amounts in dollars, ${useDollars}`,
    );
  }
  if (dollars !== undefined && other !== undefined) {
    const [point, comma] = [showDollars(dollars), showDollars(other)];
    return advise(({ mark }) => `it is ${point} with ${mark('point')}, and ${comma} with ${mark('comma')}`);
  }
  if (cents?.includes('.')) {
    return advise(({ roundIt, useDollars }) => {
      const orDollars = isCents ? `, or for amounts in dollars, ${useDollars}` : '';
      return `it has a fraction of a cent: ${roundIt}${orDollars}`;
    });
  }
  const mayBeCents = /^\d+[.,]\d+$/.test(text);
  return isCents
    ? advise(({ useDollars, orRound }) => {
        const round = mayBeCents ? ` (${orRound}, if it is cents)` : '';
        return `${text} looks like dollars: write ${cents}, or ${useDollars}${round}`;
      })
    : undefined;
}

/** How to write a number that is text with separators. */
function explainNumber(value: unknown): Wording | undefined {
  const meant =
    typeof value === 'string' && /[,.\s'’]/.test(value) ? readNumbers(value.replace(/\s?%$/, '')) : [];
  return meant.length === 0
    ? undefined
    : withOptions(
        (option) => `write ${meant.join(' or ')}, or say how numbers are written with ${option('decimal')}`,
      );
}

/**
 * The check of counts and percentages. A text must have one meaning: of counts, as a whole number. Those with a percent
 * sign are never fractions.
 */
export function checkNumber({ kind, minimum, maximum }: StartupField, notation: Notation): Check {
  const [decimal, places] = [decimalOf(notation), powerOf(notation) ?? 0];
  const [isCount, isShort] = [kind === 'count', notation.has('number')];
  const isWritten = isShort || places > 0 || notation.has('percent') || decimal !== undefined;
  const [least, most] = [minimum ?? -Number.MAX_VALUE, maximum ?? Number.MAX_VALUE];
  // By its digits, as 0.07 * 100 is not 7.
  const only = ([first, other]: readonly string[], power: number): number =>
    first === undefined || other !== undefined ? Number.NaN : Number(shift(first, power));
  const readText = (text: string): number => {
    const [, signed] = (kind === 'percent' && /^(.*?)\s?%$/.exec(text.trim())) || [];
    if (signed !== undefined) {
      return only(readNumbers(signed, decimal), 0);
    }
    if (!isWritten || (isCount && /[$]|USD/i.test(text))) {
      return Number.NaN;
    }
    const readings = isShort ? readWritten(text, decimal, true) : readNumbers(text, decimal);
    return only(isCount ? readings.filter((one) => !one.includes('.')) : readings, places);
  };
  const numberOf = (value: unknown): unknown =>
    typeof value === 'string' ? readText(value) : places > 0 ? only(readJsonNumber(value), places) : value;
  return {
    allowed: isCount
      ? `an integer from ${minimum} to ${maximum}`
      : minimum !== undefined && maximum !== undefined
        ? `a number from ${minimum} to ${maximum}`
        : 'a finite number',
    ...(decimal === undefined && !isShort && { fix: explainNumber }),
    read(value) {
      const number = numberOf(value);
      // Infinity, which JSON can hold as 1e999, is beyond either bound.
      const isNumber = typeof number === 'number' && number >= least && number <= most;
      return isNumber && (!isCount || Number.isSafeInteger(number)) ? number : undefined;
    },
  };
}

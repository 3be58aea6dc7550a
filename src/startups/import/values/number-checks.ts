import { exactText } from '../../../lib/text/figures.ts';
import type { StartupField } from '../../model/fields.ts';
import { MAX_CENTS } from '../../model/vocabulary.ts';
import { type Check, type Notation, placesOf } from './notations.ts';
import {
  type AmountReading,
  type DecimalMark,
  decimalMarks,
  LongNumber,
  MOST_CHARACTERS,
  readAmounts,
  readNumbers,
  readWritten,
  shift,
} from './numbers.ts';

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

/** The check of amounts, as numbers of JSON or as text with one meaning. Without a unit, they are cents. */
export function checkAmount({ minimum = 0 }: StartupField, notation: Notation, rounding?: Rounding): Check {
  const [places, decimal, round] = [placesOf(notation), decimalOf(notation), notation.has('round')];
  const isCents = places === undefined || places === 0;
  const isPlain = places === undefined && !round;
  return {
    allowed: isCents
      ? `an integer number of cents from ${minimum} to ${MAX_CENTS}`
      : `an amount in ${places === 2 ? '' : places === 5 ? 'thousands of ' : 'millions of '}US dollars from $0.00 to ${exactText(MAX_CENTS)}, exact to the cent`,
    read(value) {
      if (isCents && Number.isSafeInteger(value)) {
        return (value as number) >= minimum ? (value as number) : undefined;
      }
      if (isPlain || isBeyondDigits(value, places)) {
        return undefined;
      }
      const [amount, ...others] = readAmounts(value, { places, decimal });
      if (amount === undefined || others.length > 0) {
        return undefined;
      }
      const { cents, difference, written } = amount;
      const isNegative = written.startsWith('-') && (cents !== 0 || difference > 0);
      if (isNegative || !Number.isSafeInteger(cents) || (difference > 0 && !round)) {
        return undefined;
      }
      if (difference > 0 && rounding !== undefined) {
        addRounding(rounding, { count: 1, largest: difference });
      }
      return cents;
    },
    fix: (value) =>
      isBeyondDigits(value, places)
        ? 'a JSON number keeps 15 digits only: write it as text'
        : isCents
          ? explainCents(value, decimal, round)
          : explainDollars(readAmounts(value, { places, decimal }), places),
  };
}

/** Fifteen digits, less those of the cents. */
const MOST_DIGITS = 15;

/** Whether a number of JSON has more digits than the program that wrote it can have had, down to the cent. */
function isBeyondDigits(value: unknown, places = 0): boolean {
  const [whole = ''] = places > 0 && value instanceof LongNumber ? value.text.split('.') : [];
  return whole.replace('-', '').length > MOST_DIGITS - places;
}

function explainDollars([point, comma]: AmountReading[], places: number): string | undefined {
  return point === undefined
    ? undefined
    : comma !== undefined
      ? `it is ${show(point, places)} with --decimal point, and ${show(comma, places)} with --decimal comma`
      : point.difference > 0
        ? 'it has a fraction of a cent: round it with --round'
        : undefined;
}

/** A number of dollars with all of its decimals. */
function show({ written }: AmountReading, places: number): string {
  const [whole, fraction = ''] = shift(written, places - 2).split('.');
  return `$${Number(whole).toLocaleString('en')}.${fraction.padEnd(2, '0')}`;
}

/** What to write for an amount of cents that has a fraction, or seems to be in dollars. */
function explainCents(value: unknown, decimal: DecimalMark | undefined, round: boolean): string | undefined {
  const isNumber = typeof value !== 'string';
  const text = value instanceof LongNumber ? value.text : Number.isInteger(value) ? '' : String(value).trim();
  if (text.length > MOST_CHARACTERS || !/^[^-−]*\d.*\D|\$|USD/i.test(text)) {
    return undefined;
  }
  const readings = readAmounts(isNumber ? value : text, { places: 2, decimal });
  const [amount] = readings.length === 1 ? readings : [];
  const hasFraction = /^\d+[.,]\d+$/.test(text);
  if (amount === undefined || !Number.isSafeInteger(amount.cents)) {
    return round && hasFraction && readings.length > 1
      ? 'it has two meanings: name the decimal sign with --decimal'
      : 'amounts are whole cents without separators: for amounts in dollars, use --dollars';
  }
  return amount.difference > 0
    ? 'it has a fraction of a cent: round it with --round, or for amounts in dollars, use --dollars'
    : `${text} looks like dollars: write ${amount.cents}, or use --dollars${hasFraction ? ' (or --round, if it is cents)' : ''}`;
}

/** How to write a number that is text with separators. */
function explainNumber(value: unknown): string | undefined {
  const meant =
    typeof value === 'string' && /[,.\s'’]/.test(value) ? readNumbers(value.replace(/\s?%$/, '')) : [];
  return meant.length === 0
    ? undefined
    : `write ${meant.join(' or ')}, or say how numbers are written with --decimal`;
}

/** The check of counts: a text of which one reading is a whole number has one meaning. */
export function checkCount(
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: StartupField,
  notation: Notation,
): Check {
  const decimal = decimalOf(notation);
  const isWritten = notation.has('number');
  const textOf = (text: string): number => {
    const readings = isWritten ? readWritten(text, decimal, true) : readNumbers(text, decimal);
    const whole = readings.map(Number).filter(Number.isInteger);
    return whole.length === 1 ? (whole[0] as number) : Number.NaN;
  };
  const isRead = isWritten || decimal !== undefined;
  return {
    allowed: `an integer from ${minimum} to ${maximum}`,
    ...(!isRead && { fix: explainNumber }),
    read(value) {
      const number = isRead && typeof value === 'string' && !/[$]|USD/i.test(value) ? textOf(value) : value;
      return Number.isSafeInteger(number) && (number as number) >= minimum && (number as number) <= maximum
        ? (number as number)
        : undefined;
    },
  };
}

/** The check of percentages, of which those with a percent sign are never fractions. */
export function checkPercent({ minimum, maximum }: StartupField, notation: Notation): Check {
  const decimal = decimalOf(notation);
  const [isFraction, isWritten] = [
    notation.has('fraction'),
    notation.has('percent') || decimal !== undefined,
  ];
  const least = minimum ?? -Number.MAX_VALUE;
  const most = maximum ?? Number.MAX_VALUE;
  const isBounded = minimum !== undefined && maximum !== undefined;
  const only = (readings: readonly string[]): number =>
    readings.length === 1 ? Number(readings[0]) : Number.NaN;
  const toPercent = (value: number): number => {
    // By its digits, as 0.07 * 100 is not 7.
    const shifted = Number(`${value}e2`);
    return Number.isNaN(shifted) ? value * 100 : shifted;
  };
  const percentOf = (value: unknown): unknown => {
    if (typeof value !== 'string') {
      return isFraction && typeof value === 'number' ? toPercent(value) : value;
    }
    const [, signed] = /^(.*?)\s?%$/.exec(value.trim()) ?? [];
    return signed !== undefined
      ? only(readNumbers(signed, decimal))
      : isFraction
        ? toPercent(only(readNumbers(value, decimal)))
        : isWritten
          ? only(readNumbers(value, decimal))
          : value;
  };
  return {
    allowed: isBounded ? `a number from ${minimum} to ${maximum}` : 'a finite number',
    ...(decimal === undefined && { fix: explainNumber }),
    read(value) {
      const number = percentOf(value);
      // Infinity, which JSON can hold as 1e999, is beyond either bound.
      return typeof number === 'number' && number >= least && number <= most ? number : undefined;
    },
  };
}

import { exactText } from '../../../lib/text/figures.ts';
import type { StartupField } from '../../model/fields.ts';
import { MAX_CENTS } from '../../model/vocabulary.ts';
import { type Check, type Notation, placesOf } from './notations.ts';
import {
  type DecimalMark,
  decimalMarks,
  LongNumber,
  MOST_CHARACTERS,
  readJsonNumber,
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
    return readWritten(value, decimal, places === 2);
  }
  const isCents = (places === undefined ? PLAIN_CENTS : GROUPED_CENTS).test(value.trim());
  const readings = isCents ? readNumbers(value, decimal) : [];
  // Cents are whole, so that commas and spaces only group them. A point may begin a fraction, as programs write it.
  return places === 0 && readings.length > 1 && !value.includes('.') ? readings.slice(0, 1) : readings;
}

/** The cents of a number that is not negative, rounded half to even, and the difference that this makes. */
function toCents(written: string, places: number): { cents: number; difference: number } {
  const [whole = '', fraction = ''] = written.split('.');
  const cents = Number(whole + fraction.slice(0, places).padEnd(places, '0'));
  // Without zeros at its end, so that texts compare as numbers do.
  const rest = fraction.slice(places);
  const part = rest === '' ? 0 : Number(`0.${rest}`);
  return rest > '5' || (rest === '5' && cents % 2 !== 0)
    ? { cents: cents + 1, difference: 1 - part }
    : { cents: cents + 0, difference: part };
}

const UNITS: Readonly<Record<number, string>> = { 2: '', 5: 'thousands of ', 8: 'millions of ' };

/** The check of amounts, as numbers of JSON or as text with one meaning. Without a unit, they are cents. */
export function checkAmount({ minimum = 0 }: StartupField, notation: Notation, rounding?: Rounding): Check {
  const [places, decimal, round] = [placesOf(notation), decimalOf(notation), notation.has('round')];
  const isCents = places === undefined || places === 0;
  return {
    allowed: isCents
      ? `an integer number of cents from ${minimum} to ${MAX_CENTS}`
      : `an amount in ${UNITS[places]}US dollars from $0.00 to ${exactText(MAX_CENTS)}, exact to the cent`,
    read(value) {
      if (isCents && Number.isSafeInteger(value)) {
        return (value as number) >= minimum ? (value as number) : undefined;
      }
      if ((places === undefined && !round) || isBeyondDigits(value, places)) {
        return undefined;
      }
      const [amount, other] = readAmounts(value, places, decimal);
      if (amount === undefined || other !== undefined || (amount.startsWith('-') && amount !== '-0')) {
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
    fix: (value) =>
      isBeyondDigits(value, places)
        ? 'a JSON number keeps 15 digits only: write it as text'
        : isCents
          ? explainCents(value, decimal)
          : explainDollars(readAmounts(value, places, decimal), places),
  };
}

/** Fifteen digits, less those of the cents. */
const MOST_DIGITS = 15;

/** Whether a number of JSON has more digits than the program that wrote it can have had, down to the cent. */
function isBeyondDigits(value: unknown, places = 0): boolean {
  const [whole = ''] = places > 0 && value instanceof LongNumber ? value.text.split('.') : [];
  return whole.replace('-', '').length > MOST_DIGITS - places;
}

function explainDollars(readings: string[], places: number): string | undefined {
  const [point, comma] = readings.map((one) => shift(one, places - 2));
  return point === undefined
    ? undefined
    : comma !== undefined
      ? `it is ${showDollars(point)} with --decimal point, and ${showDollars(comma)} with --decimal comma`
      : (point.split('.')[1] ?? '').length > 2
        ? 'it has a fraction of a cent: round it with --round'
        : undefined;
}

/** A number of dollars with all of its decimals. */
function showDollars(written: string): string {
  const [whole, fraction = ''] = written.split('.');
  return `$${Number(whole).toLocaleString('en')}.${fraction.padEnd(2, '0')}`;
}

/** What to write for an amount of cents that has a fraction, or seems to be in dollars. */
function explainCents(value: unknown, decimal: DecimalMark | undefined): string | undefined {
  const text = value instanceof LongNumber ? value.text : Number.isInteger(value) ? '' : String(value).trim();
  if (text.length > MOST_CHARACTERS || !/^[^-−]*\d.*\D|\$|USD/i.test(text)) {
    return undefined;
  }
  const [amount, other] = readAmounts(typeof value === 'string' ? text : value, 2, decimal);
  const cents = amount && shift(amount, 2);
  if (cents === undefined || other !== undefined || Number(cents) > MAX_CENTS) {
    return 'amounts are whole cents without separators: for amounts in dollars, use --dollars';
  }
  return cents.includes('.')
    ? 'it has a fraction of a cent: round it with --round, or for amounts in dollars, use --dollars'
    : `${text} looks like dollars: write ${cents}, or use --dollars${/^\d+[.,]\d+$/.test(text) ? ' (or --round, if it is cents)' : ''}`;
}

/** How to write a number that is text with separators. */
function explainNumber(value: unknown): string | undefined {
  const meant =
    typeof value === 'string' && /[,.\s'’]/.test(value) ? readNumbers(value.replace(/\s?%$/, '')) : [];
  return meant.length === 0
    ? undefined
    : `write ${meant.join(' or ')}, or say how numbers are written with --decimal`;
}

/** The only one of several readings. */
const only = ([first, other]: readonly string[]): number =>
  first === undefined || other !== undefined ? Number.NaN : Number(first);

/** The check of counts: a text of which one reading is a whole number has one meaning. */
export function checkCount(
  { minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: StartupField,
  notation: Notation,
): Check {
  const decimal = decimalOf(notation);
  const isWritten = notation.has('number');
  const isRead = isWritten || decimal !== undefined;
  const textOf = (text: string): number =>
    only(
      (isWritten ? readWritten(text, decimal, true) : readNumbers(text, decimal)).filter(
        (one) => !one.includes('.'),
      ),
    );
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
  const isFraction = notation.has('fraction');
  const isWritten = isFraction || notation.has('percent') || decimal !== undefined;
  const [least, most] = [minimum ?? -Number.MAX_VALUE, maximum ?? Number.MAX_VALUE];
  // By its digits, as 0.07 * 100 is not 7.
  const toPercent = (readings: readonly string[]): number => only(readings.map((one) => shift(one, 2)));
  const percentOf = (value: unknown): unknown => {
    if (typeof value !== 'string') {
      return isFraction ? toPercent(readJsonNumber(value)) : value;
    }
    const signed = value.trimEnd().endsWith('%') ? value.trimEnd().replace(/\s?%$/, '') : undefined;
    const readings = signed === undefined && !isWritten ? [] : readNumbers(signed ?? value, decimal);
    return signed === undefined && isFraction ? toPercent(readings) : only(readings);
  };
  return {
    allowed:
      minimum !== undefined && maximum !== undefined
        ? `a number from ${minimum} to ${maximum}`
        : 'a finite number',
    ...(decimal === undefined && { fix: explainNumber }),
    read(value) {
      const number = percentOf(value);
      // Infinity, which JSON can hold as 1e999, is beyond either bound.
      return typeof number === 'number' && number >= least && number <= most ? number : undefined;
    },
  };
}

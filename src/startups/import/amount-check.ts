import { exactText } from '../../lib/text/figures.ts';
import type { StartupField } from '../model/fields.ts';
import { MAX_CENTS } from '../model/vocabulary.ts';
import type { Check } from './check.ts';
import { type AmountReading, LongNumber, MOST_CHARACTERS, type Notation, readAmounts } from './notation.ts';

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

/** The check of amounts, as numbers of JSON or as text with one meaning. Without a unit, they are cents. */
export function checkAmount({ minimum = 0 }: StartupField, notation: Notation, rounding?: Rounding): Check {
  const { dollars = false, round = false } = notation;
  const isPlain = !dollars && !round;
  return {
    allowed: dollars
      ? `an amount in US dollars from $0.00 to ${exactText(MAX_CENTS)}, exact to the cent`
      : `an integer number of cents from ${minimum} to ${MAX_CENTS}`,
    read(value) {
      if (!dollars && Number.isSafeInteger(value)) {
        return (value as number) >= minimum ? (value as number) : undefined;
      }
      if (isPlain || isBeyondDigits(value, dollars)) {
        return undefined;
      }
      const [amount, ...others] = readAmounts(value, notation);
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
      isBeyondDigits(value, dollars)
        ? 'a JSON number keeps 15 digits only: write it as text'
        : dollars
          ? explainDollars(readAmounts(value, notation))
          : explainCents(value, notation),
  };
}

/** Fifteen digits of dollars with both of their cents. */
const MOST_WHOLE_DIGITS = 13;

/** Whether a number of JSON has more digits than the program that wrote it can have had, down to the cent. */
function isBeyondDigits(value: unknown, dollars: boolean): boolean {
  const [whole = ''] = dollars && value instanceof LongNumber ? value.text.split('.') : [];
  return whole.replace('-', '').length > MOST_WHOLE_DIGITS;
}

function explainDollars([point, comma]: AmountReading[]): string | undefined {
  return point === undefined
    ? undefined
    : comma !== undefined
      ? `it is ${show(point)} with --decimal point, and ${show(comma)} with --decimal comma`
      : point.difference > 0
        ? 'it has a fraction of a cent: round it with --round'
        : undefined;
}

/** A number of dollars with all of its decimals. */
function show({ written }: AmountReading): string {
  const [whole, fraction = ''] = written.split('.');
  return `$${Number(whole).toLocaleString('en')}.${fraction.padEnd(2, '0')}`;
}

/** What to write for an amount of cents that has a fraction, or seems to be in dollars. */
function explainCents(value: unknown, { decimal, round }: Notation): string | undefined {
  const isNumber = typeof value !== 'string';
  const text = value instanceof LongNumber ? value.text : Number.isInteger(value) ? '' : String(value).trim();
  if (text.length > MOST_CHARACTERS || !/^[^-−]*\d.*\D|\$|USD/i.test(text)) {
    return undefined;
  }
  const readings = readAmounts(isNumber ? value : text, { dollars: true, decimal });
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

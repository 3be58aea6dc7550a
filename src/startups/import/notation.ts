/** How the values of an input are written, where that is not as in a record. */
export interface Notation {
  /** Percentages are fractions: 0.24 is 24 %. */
  readonly percentAsFraction?: boolean | undefined;
  /** For each field, its values by the texts that mean them, in any case. Empty: such a text means no value. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Amounts are in US dollars, not in cents. */
  readonly dollars?: boolean | undefined;
  /** Amounts with a fraction of a cent are rounded half to even. */
  readonly round?: boolean | undefined;
  /** What separates the fraction in numbers that are text. Unknown by default: `1.250` is an error then. */
  readonly decimal?: DecimalMark | undefined;
}

export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** No number is written with more characters. */
export const MOST_CHARACTERS = 40;

// The same separator between all groups of three digits; white space is a plain space, or one that does not break.
const grouped = (marks: string): string =>
  `[1-9]\\d{0,2}(?:(?<mark>[${marks}\\s'’])\\d{3})(?:\\k<mark>\\d{3})*`;
const patterns: Readonly<Record<DecimalMark, RegExp>> = {
  point: new RegExp(`^(?<sign>[-−+]?)(?<whole>${grouped(',')}|\\d+)(?:\\.(?<fraction>\\d+))?$`),
  comma: new RegExp(`^(?<sign>[-−+]?)(?<whole>${grouped('.')}|\\d+)(?:,(?<fraction>\\d+))?$`),
};

/**
 * What a written number can mean: `1,250.00` is 1250, `1.250` is 1.25 with a decimal point or 1250 with a comma.
 *
 * @returns JSON numbers as text without superfluous zeros, at most one if `decimal` is given; none if it is no number.
 */
export function readNumbers(text: string, decimal?: DecimalMark): string[] {
  const marks = decimal === undefined ? decimalMarks : [decimal];
  const found = marks.flatMap((mark) => {
    const {
      sign = '',
      whole = '',
      fraction = '',
    } = patterns[mark].exec(text.length > MOST_CHARACTERS ? '' : text.trim())?.groups ?? {};
    if (whole === '') {
      return [];
    }
    const digits = whole.replace(/\D/g, '').replace(/^0+(?=\d)/, '');
    const rest = fraction.replace(/0+$/, '');
    return `${/[-−]/.test(sign) ? '-' : ''}${digits}${rest === '' ? '' : `.${rest}`}`;
  });
  return [...new Set(found)];
}

/** An amount of JSON with more digits than a JavaScript number keeps, as it is written. */
export class LongNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** What an amount can mean. */
export interface AmountReading {
  /** Rounded half to even; beyond 2^53 − 1, it is not exact. */
  readonly cents: number;
  /** How far the written amount is from that, in cents. */
  readonly difference: number;
  /** The written number, of dollars or cents, as a JSON number. */
  readonly written: string;
}

const CURRENCY = /^([-−+]?)\s*(?:(?:US\s?)?\$|USD)?\s*(.*?)\s*(?:(?:US)?\$|USD)?$/i;
/** Cents have neither a sign of a currency nor groups: with these, an amount is probably one of dollars. */
const PLAIN = /^[-−+]?\d+([.,]\d+)?$/;

/**
 * What an amount can mean: with a decimal point, `$1,250.00`, `1 250` and 1250 dollars are 125000 cents. No other value
 * decides what it means.
 *
 * @returns at most one reading of a number, or if `decimal` is given; two of a text such as `12.345`; none if it is no amount.
 */
export function readAmounts(
  value: unknown,
  { dollars = false, decimal }: Pick<Notation, 'dollars' | 'decimal'>,
): AmountReading[] {
  if (typeof value !== 'string') {
    const text = value instanceof LongNumber ? value.text : typeof value === 'number' ? plainText(value) : '';
    return readNumbers(text, 'point').map((number) => toReading(number, dollars));
  }
  const text = value.length > MOST_CHARACTERS ? '' : value.trim();
  if (!dollars) {
    return PLAIN.test(text) ? readNumbers(text, decimal).map((number) => toReading(number, false)) : [];
  }
  const [, sign = '', number = ''] = CURRENCY.exec(text) ?? [];
  return readNumbers(sign + number, decimal).map((one) => toReading(one, true));
}

/** Numbers close to 0 are not written with an exponent. */
function plainText(value: number): string {
  return Math.abs(value) < 1e-6 ? value.toFixed(20) : String(value);
}

function toReading(written: string, isDollars: boolean): AmountReading {
  const [whole = '', fraction = ''] = written.split('.');
  const digits = isDollars ? 2 : 0;
  const cents = Number(whole + fraction.slice(0, digits).padEnd(digits, '0'));
  // Without zeros at its end, so that texts compare as numbers do.
  const rest = fraction.slice(digits);
  const isUp = rest > '5' || (rest === '5' && cents % 2 !== 0);
  const part = Number(`0.${rest}0`);
  return {
    cents: isUp ? cents + (written.startsWith('-') ? -1 : 1) : cents,
    difference: isUp ? 1 - part : part,
    written,
  };
}

/** What an amount in dollars can mean, in cents, where that is exact to the cent and at most 2^53 − 1. */
export function readDollars(text: string, decimal?: DecimalMark): number[] {
  return readAmounts(text, { dollars: true, decimal })
    .filter(({ cents, difference }) => difference === 0 && Number.isSafeInteger(cents))
    .map(({ cents }) => cents);
}

/** How the values of an input are written, where that is not as in a record. */
export interface Notation {
  /** Percentages are fractions: 0.24 is 24 %. */
  readonly percentAsFraction?: boolean | undefined;
  /** For each field, its values by the texts that mean them, in any case. Empty: such a text means no value. */
  readonly values?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined;
  /** Amounts are in US dollars, not in cents. */
  readonly dollars?: boolean | undefined;
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

const CURRENCY = /^([-−+]?)\s*(?:(?:US\s?)?\$|USD)?\s*(.*?)\s*(?:(?:US)?\$|USD)?$/i;

/**
 * What an amount in dollars can mean, in cents: `$1,250.00`, `1.250,00 USD` and `1 250` are 125000.
 *
 * @returns at most one amount if `decimal` is given; none if it is not exact to the cent, or beyond 2^53 − 1.
 */
export function readDollars(text: string, decimal?: DecimalMark): number[] {
  const [, sign = '', number = ''] = CURRENCY.exec(text.length > MOST_CHARACTERS ? '' : text.trim()) ?? [];
  return readNumbers(sign + number, decimal).flatMap((dollars) => {
    const [whole = '', fraction = ''] = dollars.split('.');
    const cents = Number(whole + fraction.padEnd(2, '0'));
    return fraction.length <= 2 && Number.isSafeInteger(cents) ? [cents] : [];
  });
}

/** An amount of cents as people write it, exactly: `$1,250.00`. */
export function showDollars(cents: number): string {
  const rest = cents % 100;
  return `$${((cents - rest) / 100).toLocaleString('en')}.${String(rest).padStart(2, '0')}`;
}

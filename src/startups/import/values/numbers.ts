/** What separates the fraction in numbers that are text. Unknown by default: `1.250` is an error then. */
export const decimalMarks = ['point', 'comma'] as const;
export type DecimalMark = (typeof decimalMarks)[number];

/** No number is written with more characters. */
export const MOST_CHARACTERS = 40;

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
export function readNumbers(text: string, decimal?: DecimalMark): string[] {
  const marks = decimal === undefined ? decimalMarks : [decimal];
  const found = marks.flatMap((mark) => {
    const {
      sign = '',
      whole = '',
      fraction = '',
    } = patterns[mark].exec(text.length > MOST_CHARACTERS ? '' : text.trim())?.groups ?? {};
    return whole === '' ? [] : toJson(/[-−]/.test(sign), whole.replace(/\D/g, ''), fraction);
  });
  return [...new Set(found)];
}

function toJson(isNegative: boolean, whole: string, fraction: string): string {
  const digits = whole.replace(/^0+(?=\d)/, '');
  const rest = fraction.replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${digits}${rest === '' ? '' : `.${rest}`}`;
}

/** A JSON number without an exponent, times a power of ten: exact, as it moves the point. */
export function shift(number: string, places: number): string {
  const [, sign = '', whole = '', fraction = ''] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(number) ?? [];
  const digits = `${'0'.repeat(Math.max(0, -places))}${whole}${fraction}${'0'.repeat(Math.max(0, places))}`;
  const point = whole.length + Math.max(0, -places) + places;
  return toJson(sign === '-', digits.slice(0, point), digits.slice(point));
}

/** An amount of JSON with more digits than a JavaScript number keeps, as it is written. */
export class LongNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const CURRENCY = /^([-−+]?)\s*(?:(?:US\s?)?\$|USD)?\s*([-−+]?)\s*(.*?)\s*(?:(?:US)?\$|USD)?$/i;
/** How people shorten thousands, millions and billions, in English, German and French. */
const scales: readonly (readonly [RegExp, number])[] = [
  [/\s?(k|tsd\.?|thousand)$/i, 3],
  [/\s?(mm|m|mn|mio\.?|million|millions|millionen)$/i, 6],
  [/\s?(b|bn|mrd\.?)$/i, 9],
];
const EXPONENT = /^(.*\d)e([+-]?\d{1,2})$/i;

/** What a text such as `$1,250.00`, `12.5k`, `1.2E+05`, `(120.00)` or `$-` can mean, as {@link readNumbers}. */
export function readWritten(text: string, decimal: DecimalMark | undefined, isShort: boolean): string[] {
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
  const [short, places = 0] = (isShort && scales.find(([end]) => end.test(body))) || [];
  const number = mantissa ?? (short === undefined ? body : body.replace(short, ''));
  return readNumbers(sign + number, decimal).map((one) => shift(one, Number(exponent ?? places)));
}

/** What an amount can mean. */
export interface AmountReading {
  /** Rounded half to even; beyond 2^53 − 1, it is not exact. */
  readonly cents: number;
  /** How far the written amount is from that, in cents. */
  readonly difference: number;
  /** The written number, in the unit of its column, as a JSON number. */
  readonly written: string;
}

/** How amounts are written: by default as whole cents without separators. */
export interface AmountNotation {
  /** The power of ten that makes cents of the unit: 2 for dollars, 0 for cents that people write. */
  readonly places?: number | undefined;
  readonly decimal?: DecimalMark | undefined;
}

/** Cents have neither a sign of a currency nor groups: with these, an amount is probably one of dollars. */
const PLAIN = /^[-−+]?\d+([.,]\d+)?$/;
const DOLLARS = 2;

/**
 * What an amount can mean: with a decimal point, `$1,250.00`, `1 250` and 1250 dollars are 125000 cents. No other value
 * decides what it means.
 *
 * @returns at most one reading of a number, or if `decimal` is given; two of a text such as `12.345`; none if it is no amount.
 */
export function readAmounts(value: unknown, { places, decimal }: AmountNotation): AmountReading[] {
  if (typeof value !== 'string') {
    const text = value instanceof LongNumber ? value.text : typeof value === 'number' ? plainText(value) : '';
    return readNumbers(text, 'point').map((number) => toReading(number, places ?? 0));
  }
  const text = value.length > MOST_CHARACTERS ? '' : value.trim();
  const isPlain = places === undefined || places === 0;
  if (isPlain && !(places === undefined ? PLAIN : /^[-−+]?\d[\d.,\s'’]*$/).test(text)) {
    return [];
  }
  // 12.5k in a column of thousands has two meanings.
  const numbers = isPlain ? readNumbers(text, decimal) : readWritten(text, decimal, places === DOLLARS);
  const readings = numbers.map((number) => toReading(number, places ?? 0));
  // Cents are whole, so that commas and spaces only group them. A point may begin a fraction, as programs write it.
  return places === 0 && readings.length > 1 && !text.includes('.') ? readings.slice(0, 1) : readings;
}

/** Numbers close to 0 are not written with an exponent. */
function plainText(value: number): string {
  return Math.abs(value) < 1e-6 ? value.toFixed(20) : String(value);
}

function toReading(written: string, places: number): AmountReading {
  const [whole = '', fraction = ''] = written.split('.');
  const cents = Number(whole + fraction.slice(0, places).padEnd(places, '0'));
  // Without zeros at its end, so that texts compare as numbers do.
  const rest = fraction.slice(places);
  const isUp = rest > '5' || (rest === '5' && cents % 2 !== 0);
  const part = Number(`0.${rest}0`);
  return {
    cents: isUp ? cents + (written.startsWith('-') ? -1 : 1) : cents,
    difference: isUp ? 1 - part : part,
    written,
  };
}

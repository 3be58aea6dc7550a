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
  const trimmed = text.length > MOST_CHARACTERS ? '' : text.trim();
  const found = marks.flatMap((mark) => {
    const { sign = '', whole = '', fraction = '' } = patterns[mark].exec(trimmed)?.groups ?? {};
    return whole === '' ? [] : toJson(/[-−]/.test(sign), whole.replace(/\D/g, ''), fraction);
  });
  return found.length === 2 && found[0] === found[1] ? found.slice(1) : found;
}

function toJson(isNegative: boolean, whole: string, fraction: string): string {
  const rest = fraction.replace(/0+$/, '');
  return `${isNegative ? '-' : ''}${whole.replace(/^0+(?=\d)/, '')}${rest === '' ? '' : `.${rest}`}`;
}

/** A JSON number without an exponent, times a power of ten: exact, as it moves the point. */
export function shift(number: string, places: number): string {
  if (places === 0) {
    return number;
  }
  const isNegative = number.startsWith('-');
  const [whole = '', fraction = ''] = (isNegative ? number.slice(1) : number).split('.');
  const digits = `${'0'.repeat(Math.max(0, -places))}${whole}${fraction.padEnd(places, '0')}`;
  const point = whole.length + Math.max(0, -places) + places;
  return toJson(isNegative, digits.slice(0, point), digits.slice(point));
}

/** An amount of JSON with more digits than a JavaScript number keeps, as it is written. */
export class LongNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** A number of JSON, which always has a decimal point. Those close to 0 are not written with an exponent. */
export function readJsonNumber(value: unknown): string[] {
  const text = typeof value !== 'number' ? '' : Math.abs(value) < 1e-6 ? value.toFixed(20) : String(value);
  return readNumbers(value instanceof LongNumber ? value.text : text, 'point');
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

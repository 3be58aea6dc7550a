import { shift } from './decimals.ts';

/** A number, or its digits, which may be more than a number has. */
type Digits = number | bigint | string;

/** A number as text. Its format is made at the first use: it takes over 1 ms, and each thread that imports loads this file. */
function formatter(options: Intl.NumberFormatOptions = {}): (number: Digits) => string {
  let format: Intl.NumberFormat | undefined;
  return (number) => {
    format ??= new Intl.NumberFormat('en-US', options);
    // Digits are read exactly, which TypeScript's types for the browser do not have yet.
    return format.format(number as number);
  };
}
const dollars = (options: Intl.NumberFormatOptions) =>
  formatter({ style: 'currency', currency: 'USD', ...options });
const millions = dollars({ notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });
const whole = dollars({ maximumFractionDigits: 0 });
// TypeScript's types for the browser do not have it yet.
const small = dollars({ trailingZeroDisplay: 'stripIfInteger' } as Intl.NumberFormatOptions);
const exact = dollars({});
const plain = formatter();
const precise = formatter({ maximumFractionDigits: 12 });
const preciseDollars = formatter({ minimumFractionDigits: 2, maximumFractionDigits: 12 });
const decimal = formatter({ maximumFractionDigits: 1 });
const signed = formatter({ maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/**
 * An amount of US cents in dollars, as a decimal number with all of its digits. Its digits are those that JSON has, and no
 * division rounds them: it would be a cent off above $70 trillion, and sums of amounts are higher.
 */
export function inDollars(cents: number): string {
  // Without a sign where nothing is left of an amount.
  return Number.isInteger(cents) ? shift(plain(cents || 0).replaceAll(',', ''), -2) : String(cents / 100);
}

/** An amount of whole US cents, such as $1,234.50. */
export function exactText(cents: number): string {
  return withMinus(exact(inDollars(Math.round(cents))));
}

/**
 * An amount of US cents, as all amounts of pages and embedded elements: $4.25, from $10 on whole dollars such as $94,900,
 * which line up in a column, and from a million on $1.2M.
 */
export function moneyText(cents: number): string {
  return Math.abs(cents) < 99_999_950 ? dollarText(cents) : withMinus(millions(inDollars(cents)));
}

/** The same with all dollars, also from a million on: for values that are compared with each other. */
export function dollarText(cents: number): string {
  return withMinus((Math.abs(cents) < 1_000 ? small : whole)(inDollars(cents)));
}

export function count(number: number | bigint): string {
  return plain(number);
}

/** A decimal number with all of its digits, as a form has it; one of dollars has no single digit after the point. */
export function preciseText(number: string, kind: 'plain' | 'dollars' = 'plain'): string {
  return (kind === 'plain' || !number.includes('.') ? precise : preciseDollars)(number);
}

/** A percentage where 24 means 24%. That of a change has a sign. */
export function percentText(number: number, kind: 'plain' | 'change' = 'plain'): string {
  return `${withMinus((kind === 'change' ? signed : decimal)(number))}%`;
}

/** A number with at most one digit after the point. */
export function rounded(number: number): string {
  return decimal(number);
}

const acronyms = new Map(Object.entries({ mrr: 'MRR', x: 'X', url: 'URL', google: 'Google' }));

/** The label of a field of the API: revenue.last30Days becomes Revenue last 30 days. */
export function nameInWords(name: string): string {
  const words = name
    .replaceAll('.', ' ')
    .replace(/([a-z])([A-Z0-9])|([A-Z])([0-9])|([0-9])([A-Z])/g, '$1$3$5 $2$4$6')
    .split(' ')
    .map((word) => acronyms.get(word.toLowerCase()) ?? word.toLowerCase());
  const [first = ''] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...words.slice(1)].join(' ');
}

/** A formatted number with a minus sign in place of a hyphen. */
export function withMinus(text: string): string {
  return text.replace('-', '−');
}

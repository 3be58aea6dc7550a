import type { Html } from './jsx.ts';

const dollars = (options: Intl.NumberFormatOptions): Intl.NumberFormat =>
  new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', ...options });
const exact = dollars({});
const millions = dollars({ notation: 'compact', minimumFractionDigits: 0, maximumFractionDigits: 1 });
const whole = dollars({ maximumFractionDigits: 0 });
const small = dollars({ trailingZeroDisplay: 'stripIfInteger' });
const plain = new Intl.NumberFormat('en-US');
const decimal = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1 });
const signed = new Intl.NumberFormat('en-US', { maximumFractionDigits: 1, signDisplay: 'exceptZero' });

/** An amount of US cents for people, with the exact one as its title. */
export function money(cents: number): Html {
  return (
    <data value={cents} title={exact.format(cents / 100)}>
      {moneyText(cents)}
    </data>
  );
}

/**
 * An amount of US cents, as all amounts of the pages: $4.25, from $10 on whole dollars such as $94,900, which line up in a
 * column, and from a million on $1.2M.
 */
export function moneyText(cents: number): string {
  const dollars = Math.abs(cents) / 100;
  return withMinus((dollars < 10 ? small : dollars < 999_999.5 ? whole : millions).format(cents / 100));
}

/** A number with thousands separators. */
export function count(number: number): string {
  return plain.format(number);
}

/** A percentage where 24 means 24 %. */
export function percent(number: number, kind: 'plain' | 'change' = 'plain'): Html {
  return <data value={number}>{withMinus((kind === 'change' ? signed : decimal).format(number))} %</data>;
}

/** A number with at most one digit after the point. */
export function rounded(number: number): string {
  return decimal.format(number);
}

/** A part of a whole from 0 to 1 as a percentage; what is not quite nothing, or not quite all, is not rounded to it. */
export function share(part: number): string {
  const [shown, rest] = [part, 1 - part].map((one) => rounded(one * 100));
  return shown === '0' && part > 0 ? '< 0.1 %' : rest === '0' && part < 1 ? '> 99.9 %' : `${shown} %`;
}

/** A multiple, such as 2.4×. */
export function times(number: number): Html {
  return (
    <data value={number} title={number}>
      {rounded(number)}×
    </data>
  );
}

const acronyms: Readonly<Record<string, string>> = { mrr: 'MRR', x: 'X', url: 'URL', google: 'Google' };

/** The label of a field of the API: revenue.last30Days becomes Revenue last 30 days. */
export function wordsOf(name: string): string {
  const words = name
    .replaceAll('.', ' ')
    .replace(/([a-z])([A-Z0-9])|([A-Z])([0-9])|([0-9])([A-Z])/g, '$1$3$5 $2$4$6')
    .split(' ')
    .map((word) => acronyms[word.toLowerCase()] ?? word.toLowerCase());
  const [first = ''] = words;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...words.slice(1)].join(' ');
}

/** A formatted number with a minus sign in place of a hyphen. */
function withMinus(text: string): string {
  return text.replace('-', '−');
}

import { exactText, moneyText, percentText, rounded } from '../../lib/text/figures.ts';
import type { Html } from './jsx.ts';

export { count, dollarText, moneyText, nameInWords, rounded } from '../../lib/text/figures.ts';

/** An amount of US cents for people, with the exact one as its title. */
export function money(cents: number): Html {
  return (
    <data value={cents} title={exactText(cents)}>
      {moneyText(cents)}
    </data>
  );
}

/** A percentage where 24 means 24%. */
export function percent(number: number, kind?: 'plain' | 'change'): Html {
  return <data value={number}>{percentText(number, kind)}</data>;
}

/** A part of a whole from 0 to 1 as a percentage; what is not quite nothing, or not quite all, is not rounded to it. */
export function share(part: number): string {
  const [shown, rest] = [part, 1 - part].map((one) => rounded(one * 100));
  return shown === '0' && part > 0 ? '< 0.1%' : rest === '0' && part < 1 ? '> 99.9%' : `${shown}%`;
}

/** A multiple, such as 2.4×. */
export function times(number: number): Html {
  return (
    <data value={number} title={number}>
      {rounded(number)}×
    </data>
  );
}

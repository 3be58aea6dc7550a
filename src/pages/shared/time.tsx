import type { Html } from './jsx.ts';

type Precision = 'day' | 'minute';

/** A moment in UTC as text. */
export function timeText(at: Date, precision: Precision): string {
  const iso = at.toISOString();
  return precision === 'day' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

/** A moment in UTC, as all times of the pages. */
export function time(at: Date, precision: Precision = 'day'): Html {
  return <time datetime={at.toISOString()}>{timeText(at, precision)}</time>;
}

/** The same, or a word if there is no time. */
export function timeOr(word: string, at: Date | null, precision: Precision = 'day'): Html {
  return at === null ? <span class="soft">{word}</span> : time(at, precision);
}

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

const DAY_MS = 86_400_000;

/** How long ago something was, in days: a date if that is more than a month. */
export function sinceText(at: Date, now: number): string {
  const days = Math.floor(now / DAY_MS) - Math.floor(at.getTime() / DAY_MS);
  return days > 30 ? timeText(at, 'day') : days > 1 ? `${days} days ago` : days === 1 ? 'yesterday' : 'today';
}

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

/** Figures that nobody has confirmed for more days are marked. */
const FRESH_DAYS = 30;

function daysSince(at: Date, now: number): number {
  return Math.floor(now / DAY_MS) - Math.floor(at.getTime() / DAY_MS);
}

/** Whether figures that were confirmed then are old by now. */
export function isStale(at: Date, now: number): boolean {
  return daysSince(at, now) > FRESH_DAYS;
}

/** How long ago something was, in days. */
export function sinceText(at: Date, now: number): string {
  const days = daysSince(at, now);
  return days > 1 ? `${days} days ago` : days === 1 ? 'yesterday' : 'today';
}

/** The same of figures that were confirmed then, marked if that is long ago. */
export function freshness(at: Date, now: number): Html {
  return (
    <time datetime={at.toISOString()} class={isStale(at, now) ? 'badge warn' : undefined}>
      {sinceText(at, now)}
    </time>
  );
}

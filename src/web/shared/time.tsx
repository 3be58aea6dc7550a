import { rounded } from './figures.tsx';
import type { Content, Html } from './jsx.ts';

type Precision = 'day' | 'minute';

/** A moment in UTC as text. */
export function timeText(at: Date, precision: Precision): string {
  const iso = at.toISOString();
  return precision === 'day' ? iso.slice(0, 10) : `${iso.slice(0, 10)} ${iso.slice(11, 16)} UTC`;
}

const days = new Intl.DateTimeFormat('en-US', { month: 'short', day: 'numeric', timeZone: 'UTC' });

/** A moment in UTC below a chart, as short as it can be: Nov 27, or Nov 27, 22:00. */
export function tickText(at: Date, precision: Precision): string {
  return days.format(at) + (precision === 'day' ? '' : `, ${at.toISOString().slice(11, 16)}`);
}

/** A text whose dates stay whole. */
export const withWholeDates = (text: string): Content =>
  text.split(/(\d{4}-\d\d-\d\d)/).map((part, index) => (index % 2 === 1 ? <time>{part}</time> : part));

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

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

/** A number of seconds, such as 1.3 s. @param ms a duration. */
export function secondsText(ms: number): string {
  return ms < 50 ? '< 0.1 s' : `${rounded(ms / 1_000)} s`;
}

/** A number of minutes, hours or days in short words, such as 23 h. @param ms a duration. */
export function durationText(ms: number): string {
  return ms < HOUR_MS
    ? `${Math.max(0, Math.floor(ms / MINUTE_MS))} min`
    : ms < 2 * DAY_MS
      ? `${Math.floor(ms / HOUR_MS)} h`
      : `${Math.floor(ms / DAY_MS)} days`;
}

/** How long ago something was, in words; the exact time is its title. */
export function ago(at: Date, now: number): Html {
  return (
    <time datetime={at.toISOString()} title={timeText(at, 'minute')}>
      {now - at.getTime() < MINUTE_MS ? 'just now' : `${durationText(now - at.getTime())} ago`}
    </time>
  );
}

/** The same of figures that were confirmed then, marked if that is long ago. */
export function freshness(at: Date, now: number): Html {
  return (
    <time datetime={at.toISOString()} class={isStale(at, now) ? 'badge warn' : undefined}>
      {sinceText(at, now)}
    </time>
  );
}

/** A calendar day in UTC as `YYYY-MM-DD`, of the years 1 to 9999. Such texts compare as their days do. */
export type Day = string;

/** The format that {@link isDay} accepts. */
export const ALLOWED_DAY = 'a valid date as YYYY-MM-DD';

/** The first valid day; the database has none before it. */
const FIRST_DAY: Day = '0001-01-01';
const DAY = /^\d{4}-\d\d-\d\d$/;
const MS_PER_DAY = 86_400_000;

/** Whether a text is a valid day of the calendar. */
export function isDay(text: string): boolean {
  if (!DAY.test(text) || text < FIRST_DAY) {
    return false;
  }
  const instant = toInstant(text);
  // A day that does not exist is parsed as invalid or as one of the next month.
  return !Number.isNaN(instant.getTime()) && dayOf(instant) === text;
}

/** Days by their number since 1970. Responses repeat the same days, and finding one takes a tenth of `toISOString`. */
const daysByNumber = new Map<number, Day>();
const MOST_DAYS = 10_000;

/** The day of an instant, in ms since 1970 if it is a number. */
export function dayOf(instant: Date | number): Day {
  const number = Math.floor(Number(instant) / MS_PER_DAY);
  const known = daysByNumber.get(number);
  if (known !== undefined) {
    return known;
  }
  const day = new Date(number * MS_PER_DAY).toISOString().slice(0, 10);
  if (daysByNumber.size === MOST_DAYS) {
    daysByNumber.clear();
  }
  daysByNumber.set(number, day);
  return day;
}

export function toInstant(day: Day): Date {
  return new Date(`${day}T00:00:00.000Z`);
}

/** This many days later, or earlier; never before the first valid day. */
export function addDays(day: Day, count: number): Day {
  const instant = toInstant(day).getTime() + count * MS_PER_DAY;
  return instant < toInstant(FIRST_DAY).getTime() ? FIRST_DAY : dayOf(instant);
}

/** The days from one to another, both included. */
export function daysFrom(from: Day, to: Day): Day[] {
  const days: Day[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) {
    days.push(day);
  }
  return days;
}

/** Numbers below 60 in two digits. */
const two = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'));

/** The text of an instant, in ms since 1970, as `toISOString` writes it: that takes four times as long. */
export function writeInstant(instant: number): string {
  const day = dayOf(instant);
  if (instant % MS_PER_DAY === 0) {
    return `${day}T00:00:00.000Z`;
  }
  const time = instant - Math.floor(instant / MS_PER_DAY) * MS_PER_DAY;
  const seconds = Math.floor(time / 1_000);
  const minutes = Math.floor(seconds / 60);
  const ms = String(time % 1_000).padStart(3, '0');
  return `${day}T${two[Math.floor(minutes / 60)]}:${two[minutes % 60]}:${two[seconds % 60]}.${ms}Z`;
}

const DATE_TIME =
  /^(\d{4}-\d\d-\d\d)(?:T([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?))?$/;

const FIRST = Date.parse('0001-01-01T00:00:00Z');
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** The format that {@link readDate} accepts. */
export const ALLOWED_DATE =
  'a date of the years 1 to 9999 (2024-05-01) or a date-time with its offset (2024-05-01T12:00:00Z), ISO 8601';

/**
 * An ISO 8601 calendar date, which is midnight UTC, or a date-time with an offset. Fractions of a
 * millisecond are cut off.
 *
 * @returns undefined for anything else, a day that does not exist included, and a time without an offset,
 * because its instant would depend on the time zone of the machine.
 */
export function readDate(text: string): Date | undefined {
  const parts = DATE_TIME.exec(text);
  if (parts === null || !isDay(parts[1] as string)) {
    return undefined;
  }
  const [, day, h = '00', min = '00', s = '00', fraction = '', sign = '+', ahead = '00', rest = '00'] = parts;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  const date = new Date(`${day}T${h}:${min}:${s}.${ms}${sign}${ahead}:${rest}`);
  return date.getTime() < FIRST || date.getTime() > LAST ? undefined : date;
}

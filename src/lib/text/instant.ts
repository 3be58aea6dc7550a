import { isDay } from './days.ts';

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
  const [
    ,
    day,
    hour = '00',
    minute = '00',
    second = '00',
    fraction = '',
    sign = '+',
    ahead = '00',
    rest = '00',
  ] = parts;
  const ms = fraction.slice(0, 3).padEnd(3, '0');
  const date = new Date(`${day}T${hour}:${minute}:${second}.${ms}${sign}${ahead}:${rest}`);
  return date.getTime() < FIRST || date.getTime() > LAST ? undefined : date;
}

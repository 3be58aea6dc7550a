const DATE_TIME =
  /^(\d{4})-(\d\d)-(\d\d)(?:T(\d\d):(\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?(?:Z|([+-])(\d\d)(?::?(\d\d))?))?$/;

const FIRST = new Date(0).setUTCFullYear(1, 0, 1);
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
  if (parts === null) {
    return undefined;
  }
  const [
    ,
    year,
    month,
    day,
    hour = 0,
    minute = 0,
    second = 0,
    fraction = '',
    sign,
    offsetHour = 0,
    offsetMinute = 0,
  ] = parts;
  if (+hour > 23 || +minute > 59 || +second > 59 || +offsetHour > 23 || +offsetMinute > 59) {
    return undefined;
  }
  const date = new Date(0);
  // Not Date.UTC, which interprets the years 0 to 99 as 1900 to 1999.
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) {
    return undefined;
  }
  const ahead = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const milliseconds = Number(fraction.slice(0, 3).padEnd(3, '0'));
  const time = date.setUTCHours(Number(hour), Number(minute) - ahead, Number(second), milliseconds);
  return time < FIRST || time > LAST ? undefined : date;
}

import { writeInstant } from '../../../lib/text/days.ts';
import { ALLOWED_DATE, readDate } from '../../../lib/text/instant.ts';
import { foldText } from '../../../lib/text/words.ts';
import type { StartupField } from '../../model/fields.ts';
import type { Check, Notation } from './notations.ts';

/** Which part of `03/04/2024` is the day. */
export const dateOrders = ['day-first', 'month-first'] as const;
type DateOrder = (typeof dateOrders)[number];

/** A day as it is written where a point separates its parts: the order is the same everywhere. */
const DOTTED_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;
const SLASHED_DAY = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;
const YEAR_FIRST = /^(\d{4})[/.](\d{1,2})[/.](\d{1,2})$/;
const YEAR = /^(1[89]|20)\d\d$/;
/** Without an offset, only midnight is one day everywhere. */
const LOCAL_MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?$/;
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d.*(?:Z|[+-]\d\d.*))$/;
const DAY_MONTH = /^(\d{1,2})(?:\.|st|nd|rd|th|er)? (?:of )?(\p{L}+)\.?,? (\d{4})$/u;
const MONTH_DAY = /^(\p{L}+)\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})$/u;
const MONTH = /^(\p{L}+)\.?,?[ -](\d{4})$/u;

let months: ReadonlyMap<string, number> | undefined;

/** The number of a month by its name in English, German or French, in full or short. */
function monthOf(name: string): number | undefined {
  months ??= new Map(
    ['en', 'de', 'fr'].flatMap((language) =>
      (['long', 'short'] as const).flatMap((month) => {
        const format = new Intl.DateTimeFormat(language, { month, timeZone: 'UTC' });
        return Array.from({ length: 12 }, (_, index): [string, number] => [
          foldText(format.format(Date.UTC(2024, index))).replace('.', ''),
          index + 1,
        ]);
      }),
    ),
  ).set('sept', 9);
  return months.get(foldText(name));
}

const isoOf = (year: string, month: string | number, day: string | number): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

/** What a date that people write can mean, as ISO 8601: two dates for `03/04/2024` without an order. */
export function readWrittenDates(written: string, order?: DateOrder): string[] {
  const text = written.trim().replace(/\s+/g, ' ');
  const [, dayOrMonth = '', , other = '', slashedYear] = SLASHED_DAY.exec(text) ?? [];
  if (slashedYear !== undefined) {
    const both = [
      order !== 'month-first' && isoOf(slashedYear, other, dayOrMonth),
      order !== 'day-first' && isoOf(slashedYear, dayOrMonth, other),
    ].filter((one) => one !== false && readDate(one) !== undefined);
    return [...new Set(both)] as string[];
  }
  const [, year, month = '', day = ''] = YEAR_FIRST.exec(text) ?? [];
  const [, dayOf = '', monthName = '', yearOf] = DAY_MONTH.exec(text) ?? [];
  const [, monthFirst = '', dayAfter = '', yearAfter] = MONTH_DAY.exec(text) ?? [];
  const [, monthAlone = '', yearAlone] = MONTH.exec(text) ?? [];
  const iso =
    year !== undefined
      ? isoOf(year, month, day)
      : yearOf !== undefined
        ? isoOf(yearOf, monthOf(monthName) ?? 0, dayOf)
        : yearAfter !== undefined
          ? isoOf(yearAfter, monthOf(monthFirst) ?? 0, dayAfter)
          : yearAlone !== undefined
            ? isoOf(yearAlone, monthOf(monthAlone) ?? 0, 1)
            : YEAR.test(text)
              ? isoOf(text, 1, 1)
              : dotted(text).replace(LOCAL_MIDNIGHT, '$1').replace(WITH_OFFSET, '$1T$2');
  return readDate(iso) === undefined ? [] : [iso];
}

const dotted = (text: string): string =>
  text.replace(DOTTED_DAY, (_, day: string, month: string, year: string) => isoOf(year, month, day));

/** The check of days, in the documented format, or as people write them where that has one meaning. */
export function checkDate({ past }: StartupField, notation: Notation): Check {
  const order = dateOrders.find((one) => notation.has(one));
  const isWritten = order !== undefined || notation.has('date');
  const textsOf = (value: string): string[] => (isWritten ? readWrittenDates(value, order) : [dotted(value)]);
  return {
    allowed: `${ALLOWED_DATE}${past === true ? ', not in the future' : ''}`,
    read(value) {
      // Such as a year of JSON.
      const text = isWritten && typeof value === 'number' ? String(value) : value;
      const [iso, ...others] = typeof text === 'string' ? textsOf(text) : [];
      const ms = iso === undefined || others.length > 0 ? undefined : readDate(iso)?.getTime();
      return ms === undefined || (past === true && ms > Date.now()) ? undefined : writeInstant(ms);
    },
    fix(value) {
      const [first, second] = typeof value === 'string' ? readWrittenDates(value) : [];
      return first === undefined || first === value
        ? undefined
        : second !== undefined
          ? `it is ${first} with the notation day-first, and ${second} with month-first`
          : isWritten
            ? undefined
            : `write ${first}, or give its column the notation date`;
    },
  };
}

import { ALLOWED_DATE, readDate, writeInstant } from '../../../lib/text/days.ts';
import { foldText } from '../../../lib/text/words.ts';
import type { StartupField } from '../../model/fields.ts';
import type { Check, Notation } from './notations.ts';

/** Which part of `03/04/2024` is the day. */
export const dateOrders = ['day-first', 'month-first'] as const;
type DateOrder = (typeof dateOrders)[number];

const SLASHED = /^(\d{1,2})([/-])(\d{1,2})\2(\d{4})$/;
/** How people write days, months and years, if there is one meaning. Where a point separates them, the day is first. */
const forms = [
  /^(?<day>\d{1,2})\.(?<month>\d{1,2})\.(?<year>\d{4})$/,
  /^(?<year>\d{4})[/.](?<month>\d{1,2})[/.](?<day>\d{1,2})$/,
  /^(?<day>\d{1,2})(?:\.|st|nd|rd|th|er)? (?:of )?(?<name>\p{L}+)\.?,? (?<year>\d{4})$/u,
  /^(?<name>\p{L}+)\.? (?<day>\d{1,2})(?:st|nd|rd|th)?,? (?<year>\d{4})$/u,
  /^(?<name>\p{L}+)\.?,?[ -](?<year>\d{4})$/u,
  /^(?<year>(?:1[89]|20)\d\d)$/,
];
/** Without an offset, only midnight is one day everywhere. */
const LOCAL_MIDNIGHT = /^(\d{4}-\d\d-\d\d)[T ]00:00(:00(\.0+)?)?$/;
const WITH_OFFSET = /^(\d{4}-\d\d-\d\d) (\d\d:\d\d.*(?:Z|[+-]\d\d.*))$/;

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

const isoOf = (year = '', month: string | number = 1, day: string | number = 1): string =>
  `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;

const inForm = (text: string, form: RegExp | undefined): string | undefined => {
  const { year, name, month = name && (monthOf(name) ?? 0), day } = form?.exec(text)?.groups ?? {};
  return year === undefined ? undefined : isoOf(year, month, day);
};

/** What a date that people write can mean, as ISO 8601: two dates for `03/04/2024` without an order. */
export function readWrittenDates(written: string, order?: DateOrder): string[] {
  const text = written.trim().replace(/\s+/g, ' ');
  const [, first, , second, year] = SLASHED.exec(text) ?? [];
  const found =
    year === undefined
      ? [
          forms.reduce<string | undefined>((iso, form) => iso ?? inForm(text, form), undefined) ??
            text.replace(LOCAL_MIDNIGHT, '$1').replace(WITH_OFFSET, '$1T$2'),
        ]
      : [
          ...(order === 'month-first' ? [] : [isoOf(year, second, first)]),
          ...(order === 'day-first' ? [] : [isoOf(year, first, second)]),
        ];
  return [...new Set(found)].filter((iso) => readDate(iso) !== undefined);
}

/** The check of days, in the documented format, or as people write them where that has one meaning. */
export function checkDate({ past }: StartupField, notation: Notation): Check {
  const order = dateOrders.find((one) => notation.has(one));
  const isWritten = order !== undefined || notation.has('date');
  return {
    allowed: `${ALLOWED_DATE}${past === true ? ', not in the future' : ''}`,
    read(value) {
      // Such as a year of JSON.
      const text = isWritten && typeof value === 'number' ? String(value) : value;
      if (typeof text !== 'string') {
        return undefined;
      }
      const [iso, other] = isWritten ? readWrittenDates(text, order) : [inForm(text, forms[0]) ?? text];
      const ms = iso === undefined || other !== undefined ? undefined : readDate(iso)?.getTime();
      return ms === undefined || (past === true && ms > Date.now()) ? undefined : writeInstant(ms);
    },
    fix(value) {
      const [first, second] = typeof value === 'string' ? readWrittenDates(value, order) : [];
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

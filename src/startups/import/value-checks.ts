import { writeInstant } from '../../lib/text/days.ts';
import { ALLOWED_DATE, readDate } from '../../lib/text/instant.ts';
import { parseUrl } from '../../lib/text/url.ts';
import type { StartupField, StoredStartupField } from '../model/fields.ts';
import { checkAmount, type Rounding } from './amount-check.ts';
import type { Check } from './check.ts';
import { checkChoice, checkCountry, withTexts } from './choice-checks.ts';
import { type DecimalMark, type Notation, readNumbers } from './notation.ts';

/**
 * The rule of a field, derived from its description.
 *
 * @param rounding counts the amounts that are rounded.
 */
export function createCheck(field: StoredStartupField, notation: Notation, rounding?: Rounding): Check {
  const check = withTexts(createPlainCheck(field, notation, rounding), field, notation);
  return { ...check, allowed: field.nullable ? `${check.allowed}, or null` : check.allowed };
}

function createPlainCheck(
  field: StoredStartupField,
  notation: Notation,
  rounding: Rounding | undefined,
): Check {
  const { decimal, percentAsFraction } = notation;
  switch (field.kind) {
    case 'string':
      return checkText(field);
    case 'slug':
      return checkPattern(
        field,
        `lower-case letters and digits in words joined by single dashes, at most ${field.maxLength}`,
      );
    case 'handle':
      return checkPattern(field, `1 to ${field.maxLength} letters, digits and underscores, without @`);
    case 'url':
      return checkUrl(field);
    case 'country':
      return checkCountry();
    case 'texts':
      return checkList(field, checkPattern(field, `a text of 1 to ${field.maxLength} characters`));
    case 'handles':
      return checkList(field, checkPattern(field, 'a handle of letters, digits and underscores, without @'));
    case 'date':
      return checkDate(field);
    case 'choice':
      return checkChoice(field.values ?? []);
    case 'boolean':
      return { allowed: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) };
    case 'cents':
      return checkAmount(field, notation, rounding);
    case 'count':
      return readWritten(checkInteger(field, 'an integer'), decimal);
    case 'percent':
      return readPercent(checkNumber(field), decimal, percentAsFraction === true);
    case 'ratio':
      return readWritten(checkNumber(field), decimal);
  }
}

const SUSPECT = /[\0\ud800-\udfff]/;
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Whether the database can store it: neither NUL nor a lone surrogate. */
function isStorable(text: string): boolean {
  return !SUSPECT.test(text) || !UNSTORABLE.test(text);
}

function checkText({ minLength = 0, maxLength = Number.POSITIVE_INFINITY }: StartupField): Check {
  return {
    allowed: `text of ${minLength} to ${maxLength} characters, without NUL or lone surrogates`,
    read: (value) =>
      typeof value === 'string' && value.length >= minLength && value.length <= maxLength && isStorable(value)
        ? value
        : undefined,
  };
}

function checkPattern(
  { pattern = '', maxLength = Number.POSITIVE_INFINITY }: StartupField,
  allowed: string,
): Check {
  const whole = new RegExp(pattern);
  return {
    allowed,
    read: (value) =>
      typeof value === 'string' && value.length <= maxLength && whole.test(value) && isStorable(value)
        ? value
        : undefined,
  };
}

/** The check of a list, as an array or as one text with commas. An empty one is stored as null. */
function checkList({ maxItems = 0 }: StartupField, item: Check): Check {
  return {
    allowed: `a list of at most ${maxItems} values without commas, each ${item.allowed}`,
    read(value) {
      const given = typeof value === 'string' ? value.split(',') : value;
      if (!Array.isArray(given) || given.length > maxItems) {
        return undefined;
      }
      const items = given.map((one) => (typeof one === 'string' ? item.read(one.trim()) : undefined));
      return items.some((one) => one === undefined)
        ? undefined
        : items.length === 0
          ? null
          : `{${items.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join()}}`;
    },
  };
}

/** A day as it is written where a point separates its parts: the order is the same everywhere. */
const DOTTED_DAY = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/;

function checkDate({ past }: StartupField): Check {
  return {
    allowed: `${ALLOWED_DATE}${past === true ? ', not in the future' : ''}`,
    read(value) {
      const text = String(value).replace(
        DOTTED_DAY,
        (_, day: string, month: string, year: string) =>
          `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`,
      );
      const ms = typeof value === 'string' ? readDate(text)?.getTime() : undefined;
      return ms === undefined || (past === true && ms > Date.now()) ? undefined : writeInstant(ms);
    },
  };
}

// The URL parser accepts white space, missing slashes and more that other clients would not.
const HTTP_URL = /^https?:\/\/[^\s/?#\\<>"\p{Cc}][^\s\\<>"\p{Cc}]*$/iu;

function checkUrl({ maxLength = Number.POSITIVE_INFINITY }: StartupField): Check {
  return {
    allowed: `an http or https URL of at most ${maxLength} characters`,
    read: (value) =>
      typeof value === 'string' &&
      value.length <= maxLength &&
      HTTP_URL.test(value) &&
      isStorable(value) &&
      parseUrl(value) !== undefined
        ? value
        : undefined,
  };
}

/** How to write a number that is text with separators. */
function explainNumber(value: unknown): string | undefined {
  const meant =
    typeof value === 'string' && /[,.\s'’]/.test(value) ? readNumbers(value.replace(/\s?%$/, '')) : [];
  return meant.length === 0
    ? undefined
    : `write ${meant.join(' or ')}, or say how numbers are written with --decimal`;
}

/** The check of percentages, of which those with a percent sign are never fractions. */
function readPercent(check: Check, decimal: DecimalMark | undefined, isFraction: boolean): Check {
  const written = readWritten(check, decimal);
  const toPercent = (value: number): number => {
    // By its digits, as 0.07 * 100 is not 7.
    const shifted = Number(`${value}e2`);
    return Number.isNaN(shifted) ? value * 100 : shifted;
  };
  const percentOf = (value: unknown): unknown => {
    const [, text] = (typeof value === 'string' && /^(.*?)\s?%$/.exec(value.trim())) || [];
    const [number, ...others] = text === undefined ? [] : readNumbers(text, decimal);
    if (number !== undefined) {
      return others.length === 0 ? Number(number) : value;
    }
    if (!isFraction) {
      return value;
    }
    const [fraction] = typeof value === 'string' && decimal !== undefined ? readNumbers(value, decimal) : [];
    return typeof value === 'number'
      ? toPercent(value)
      : fraction === undefined
        ? value
        : toPercent(Number(fraction));
  };
  return { ...written, read: (value) => written.read(percentOf(value)) };
}

/** The check of numbers that may be text with these decimals. */
function readWritten(check: Check, decimal: DecimalMark | undefined): Check {
  if (decimal === undefined) {
    return { ...check, fix: explainNumber };
  }
  return {
    ...check,
    read: (value) => check.read(typeof value === 'string' ? Number(readNumbers(value, decimal)[0]) : value),
  };
}

function checkInteger({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }: StartupField, what: string): Check {
  return {
    allowed: `${what} from ${minimum} to ${maximum}`,
    read: (value) =>
      Number.isSafeInteger(value) && (value as number) >= minimum && (value as number) <= maximum
        ? (value as number)
        : undefined,
  };
}

function checkNumber({ minimum, maximum }: StartupField): Check {
  const least = minimum ?? -Number.MAX_VALUE;
  const most = maximum ?? Number.MAX_VALUE;
  const isBounded = minimum !== undefined && maximum !== undefined;
  return {
    allowed: isBounded ? `a number from ${minimum} to ${maximum}` : 'a finite number',
    // Infinity, which JSON can hold as 1e999, is beyond either bound.
    read: (value) => (typeof value === 'number' && value >= least && value <= most ? value : undefined),
  };
}

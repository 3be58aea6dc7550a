import { countries, isCountry } from '../countries.ts';
import type { StartupField, StoredStartupField } from '../fields.ts';
import { ALLOWED_DATE, readDate, writeInstant } from '../instant.ts';
import { createSuggester, didYouMean } from '../requests/suggest.ts';

/** A value in the format of the staging table: dates as ISO 8601 in UTC. */
export type StoredValue = string | number | boolean | null;

/** The rule of one field. */
export interface Check {
  /** The allowed values, in words. */
  readonly allowed: string;
  /** The value to store, or undefined when it is not allowed. Never sees null or undefined. */
  read(value: unknown): StoredValue | undefined;
  /** How to fix an invalid value, if that can be guessed. */
  fix?(value: unknown): string | undefined;
}

/** The rule of a field, derived from its description. */
export function createCheck(field: StoredStartupField): Check {
  const check = createPlainCheck(field);
  return { ...check, allowed: field.nullable ? `${check.allowed}, or null` : check.allowed };
}

function createPlainCheck(field: StoredStartupField): Check {
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
      return {
        allowed: 'an ISO 3166-1 alpha-2 code in capitals, such as DE',
        read: (value) => (typeof value === 'string' && isCountry(value) ? value : undefined),
        fix: suggestOf(countries),
      };
    case 'date':
      return {
        allowed: ALLOWED_DATE,
        read(value) {
          const date = typeof value === 'string' ? readDate(value) : undefined;
          return date && writeInstant(date.getTime());
        },
      };
    case 'choice':
      return checkChoice(field.values ?? []);
    case 'boolean':
      return { allowed: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) };
    case 'cents':
      return { ...checkInteger(field, 'an integer number of cents'), fix: explainCents };
    case 'count':
      return { ...checkInteger(field, 'an integer'), fix: explainComma };
    case 'percent':
    case 'ratio':
      return { ...checkNumber(field), fix: explainComma };
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
      typeof value === 'string' && value.length <= maxLength && whole.test(value) ? value : undefined,
  };
}

// The URL parser accepts white space, missing slashes and more that other clients would not.
const HTTP_URL = /^https?:\/\/[^\s/?#\\]+[^\s\\<>"\p{Cc}]*$/iu;

function checkUrl({ maxLength = Number.POSITIVE_INFINITY }: StartupField): Check {
  return {
    allowed: `an http or https URL of at most ${maxLength} characters`,
    read: (value) =>
      typeof value === 'string' &&
      value.length <= maxLength &&
      HTTP_URL.test(value) &&
      isStorable(value) &&
      isUrl(value)
        ? value
        : undefined,
  };
}

/** `URL.canParse` rejects letters such as ü after some thousand calls, in Node 20 and 22. */
function isUrl(text: string): boolean {
  try {
    new URL(text);
    return true;
  } catch {
    return false;
  }
}

function checkChoice(values: readonly string[]): Check {
  const known = new Set<unknown>(values);
  return {
    allowed: `one of ${values.join(', ')}`,
    read: (value) => (known.has(value) ? (value as string) : undefined),
    fix: suggestOf(values),
  };
}

function suggestOf(values: readonly string[]): (value: unknown) => string | undefined {
  const suggest = createSuggester(values);
  return (value) =>
    typeof value === 'string' || typeof value === 'number' ? didYouMean(suggest(`${value}`)) : undefined;
}

/** With points between thousands, or without. */
const DECIMAL_COMMA = /^(-?(?:\d{1,3}(?:\.\d{3})+|\d{1,15})),(\d{1,15})$/;

/** The number with a decimal point, of a text with a decimal comma. */
function fromDecimalComma(value: unknown): string | undefined {
  const [, whole, fraction] = (typeof value === 'string' && DECIMAL_COMMA.exec(value.trim())) || [];
  return whole === undefined ? undefined : `${whole.replaceAll('.', '')}.${fraction}`;
}

function explainComma(value: unknown): string | undefined {
  const number = fromDecimalComma(value);
  return number === undefined ? undefined : `it has a decimal comma: write ${number}`;
}

const DOLLARS = /^(?:US)?\$? ?(\d{1,3}(?:,\d{3})+|\d{1,15})(?:\.(\d{1,2}))? ?(?:USD)?$/i;
const WHOLE_CENTS = 'amounts are whole US cents';

/** The value in cents of an amount that seems to be in dollars. */
function explainCents(value: unknown): string | undefined {
  const decimal = fromDecimalComma(value);
  // Three digits after a comma are thousands.
  if (decimal !== undefined && !/^-?\d{1,3},\d{3}$/.test(String(value).trim())) {
    return `it has a decimal comma, and ${explainCents(decimal) ?? WHOLE_CENTS}`;
  }
  const text = typeof value === 'string' ? value.trim() : String(value);
  const seemsDollars =
    typeof value === 'number'
      ? value > 0 && Number.isFinite(value) && !Number.isInteger(value)
      : /^\d.*[.,]|\$|USD/i.test(text);
  if (!seemsDollars || text.length > MOST_AMOUNT) {
    return undefined;
  }
  const [, whole, fraction = ''] = DOLLARS.exec(text) ?? [];
  if (whole === undefined) {
    return WHOLE_CENTS;
  }
  const amount = Number(whole.replaceAll(',', '') + fraction.padEnd(2, '0'));
  const shown = `$${whole}${fraction === '' ? '' : `.${fraction}`}`;
  return Number.isSafeInteger(amount) ? `${WHOLE_CENTS}: ${shown} is ${amount}` : WHOLE_CENTS;
}

/** No amount is written with more characters. */
const MOST_AMOUNT = 40;

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

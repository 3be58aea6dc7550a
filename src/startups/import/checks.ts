import { isCountry } from '../countries.ts';
import type { StartupField, StoredStartupField } from '../fields.ts';
import { ALLOWED_DATE, readDate } from './dates.ts';

/** A value as the staging table takes it: dates as ISO 8601 in UTC. */
export type StoredValue = string | number | boolean | null;

/** The rule of one field. */
export interface Check {
  /** What may stand there, in words. */
  readonly allowed: string;
  /** The value to store, or undefined when it is not allowed. Never sees null or undefined. */
  read(value: unknown): StoredValue | undefined;
}

/** The rule of a field, worked out from its description. */
export function createCheck(field: StoredStartupField): Check {
  const { allowed, read } = createPlainCheck(field);
  return { read, allowed: field.nullable ? `${allowed}, or null` : allowed };
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
      };
    case 'date':
      return {
        allowed: ALLOWED_DATE,
        read: (value) => (typeof value === 'string' ? readDate(value) : undefined),
      };
    case 'choice':
      return checkChoice(field.values ?? []);
    case 'boolean':
      return { allowed: 'true or false', read: (value) => (typeof value === 'boolean' ? value : undefined) };
    case 'cents':
      return checkInteger(field, 'an integer number of cents');
    case 'count':
      return checkInteger(field, 'an integer');
    case 'percent':
    case 'ratio':
      return checkNumber(field);
  }
}

const SUSPECT = /[\0\ud800-\udfff]/;
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** Whether the database can hold it: neither NUL nor half of a surrogate pair. */
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

// The URL parser forgives white space, missing slashes and more that other clients would not.
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

/** `URL.canParse` refuses letters such as ü after some thousand calls, in Node 20 and 22. */
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

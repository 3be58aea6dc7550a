import { parseUrl } from '../../../lib/http/addresses.ts';
import { countries, findCountry } from '../../model/countries.ts';
import type { StartupField } from '../../model/fields.ts';
import { MOST_CHOICES } from '../../model/own-fields.ts';
import { createSuggester, didYouMean } from '../../model/requests/suggest.ts';
import { listItems } from '../../model/stored-value.ts';
import { labelOf, otherNamesOf, teamSizes } from '../../model/vocabulary.ts';
import type { Check, Notation } from './notations.ts';

const SUSPECT = /[\0\ud800-\udfff]/;
const UNSTORABLE = /\0|\p{Surrogate}/u;

/** The check of texts that the database can store: with neither NUL nor a lone surrogate. */
function checkTexts(
  { minLength = 0, maxLength = Number.POSITIVE_INFINITY }: StartupField,
  allowed: string,
  isAllowed: (text: string) => boolean = () => true,
): Check {
  return {
    allowed,
    read: (value) =>
      typeof value === 'string' &&
      value.length >= minLength &&
      value.length <= maxLength &&
      isAllowed(value) &&
      (!SUSPECT.test(value) || !UNSTORABLE.test(value))
        ? value
        : undefined,
  };
}

function checkPattern(field: StartupField, allowed: string): Check {
  const whole = new RegExp(field.pattern ?? '');
  return checkTexts(field, allowed, (text) => whole.test(text));
}

/** The same check of values that people write as text in another way. */
const readAs = (check: Check, convert: (text: string) => unknown): Check => ({
  ...check,
  read: (value) => check.read(typeof value === 'string' ? convert(value) : value),
});

export function checkText(field: StartupField): Check {
  const length = `text of ${field.minLength ?? 0} to ${field.maxLength} characters`;
  return field.known === undefined
    ? checkTexts(field, `${length}, without NUL or lone surrogates`)
    : checkOpenChoice(field, field.known, length);
}

/** The check of a choice whose values are those of the data: others are new values, as long as these are not too many. */
function checkOpenChoice(field: StartupField, known: readonly string[], length: string): Check {
  const values = new Set(known);
  const plain = checkTexts(
    field,
    `${length} without commas and line breaks, which is one of at most ${MOST_CHOICES} different ones`,
    (text) => !/[,\p{Cc}\u2028\u2029]/u.test(text),
  );
  return {
    ...plain,
    read(value) {
      const text = typeof value === 'string' ? plain.read(value.trim()) : undefined;
      if (typeof text !== 'string' || (!values.has(text) && values.size >= MOST_CHOICES)) {
        return undefined;
      }
      values.add(text);
      return text;
    },
    fix: (value) =>
      typeof value === 'string' && plain.read(value.trim()) !== undefined
        ? `there are ${MOST_CHOICES} others already`
        : undefined,
  };
}

export const checkSlug = (field: StartupField): Check =>
  checkPattern(
    field,
    `lower-case letters and digits in words joined by single dashes, at most ${field.maxLength}`,
  );

const plainHandle = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/|^@/i, '')
    .replace(/(?<=\w)\/$/, '');

export function checkHandle(field: StartupField, notation: Notation): Check {
  const check = checkPattern(field, `1 to ${field.maxLength} letters, digits and underscores, without @`);
  return notation.has('handle') ? readAs(check, plainHandle) : check;
}

// The URL parser accepts white space, missing slashes and more that other clients would not.
const HTTP_URL = /^https?:\/\/[^\s/?#\\<>"\p{Cc}][^\s\\<>"\p{Cc}]*$/iu;
const HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/?#]|$)/u;
const withScheme = (text: string): string => text.trim().replace(HOST, 'https://$&');

export function checkUrl(field: StartupField, notation: Notation): Check {
  const check = checkTexts(
    field,
    `an http or https URL of at most ${field.maxLength} characters`,
    (text) => HTTP_URL.test(text) && parseUrl(text) !== undefined,
  );
  return notation.has('address') ? readAs(check, withScheme) : check;
}

export const checkCountry = (): Check => ({
  allowed: 'an ISO 3166-1 alpha-2 code such as DE, or the name in English, German or French',
  read: (value) => (typeof value === 'string' ? findCountry(value) : undefined),
  fix: suggestOf(countries),
});

/** The form in which texts of a vocabulary or a mapping are compared. */
const simplify = (text: string): string => text.trim().toLowerCase();

const SHORT_NUMBER = /^-?(?=[\d.]{1,15}$)(0|[1-9]\d*)(\.\d+)?$/;

/** By what a value is found among the texts of a mapping: `-0.250` and the number -0.25 are the same. */
export function textKey(value: unknown): string | undefined {
  if (!['string', 'number', 'boolean'].includes(typeof value)) {
    return undefined;
  }
  const text = simplify(String(value));
  return SHORT_NUMBER.test(text) ? String(Number(text)) : text;
}

/** The form in which names of a vocabulary's values are compared: `E-Commerce` and `ecommerce`, `HR and X` and `HR & X`. */
const nameKey = (text: string): string =>
  simplify(text)
    .replace(/\s*&\s*/g, ' and ')
    .replace(/(?<=\p{L})[-\s_](?=\p{L})/gu, '')
    .trim();

/** The check of a vocabulary's values, which may be given by their labels and other names, in any case. */
export function checkChoice({ values = [] }: StartupField): Check {
  const suggest = suggestOf(values);
  const known = new Map(
    values.flatMap((value) =>
      [...otherNamesOf(value), labelOf(value) ?? value, value].map((name) => [nameKey(name), value] as const),
    ),
  );
  return {
    allowed: `one of ${values.join(', ')}`,
    read: (value) => (typeof value === 'string' ? known.get(nameKey(value)) : undefined),
    fix: (value) => (isPeople(values, value) ? PEOPLE : suggest(value)),
  };
}

const PEOPLE = {
  command: 'for numbers of people, add --map teamSize=teamSize:people',
  page: 'for numbers of people, choose the notation people',
};
const isPeople = (values: readonly string[], value: unknown): boolean =>
  values === teamSizes && !values.includes(`${value}`) && /^\d+$/.test(`${value}`);

function suggestOf(values: readonly string[]): (value: unknown) => string | undefined {
  const suggest = createSuggester(values);
  return (value) =>
    typeof value === 'number' && values.includes(`${value}`)
      ? `write it as text: "${value}"`
      : typeof value === 'string' || typeof value === 'number'
        ? didYouMean(suggest(`${value}`))
        : undefined;
}

/** An element of a list in the detail record of the public API. */
const elementOf = (value: unknown): unknown =>
  typeof value === 'object' && value !== null
    ? ((value as { slug?: unknown }).slug ?? (value as { xHandle?: unknown }).xHandle)
    : value;

/** A list that people or databases write as text: `a; b`, `{a,b}` or `["a","b"]`. */
function splitList(text: string): unknown {
  const trimmed = text.trim();
  if (trimmed.startsWith('[')) {
    try {
      return JSON.parse(trimmed);
    } catch {
      return undefined;
    }
  }
  const [, inner = trimmed] = /^\{([^"\\{}]*)\}$/.exec(trimmed) ?? [];
  return inner.split(/[,;|\n]/).filter((part) => part.trim() !== '');
}

/** The check of a list of texts or handles, as an array or as one text with commas. An empty one is stored as null. */
export function checkList(field: StartupField, notation: Notation): Check {
  const { kind, maxItems = 0, maxLength } = field;
  const isWritten = notation.has('list');
  const what =
    kind === 'handles'
      ? 'a handle of letters, digits and underscores, without @'
      : `a text of 1 to ${maxLength} characters`;
  const plain = checkPattern(field, what);
  const item = kind === 'handles' && isWritten ? readAs(plain, plainHandle) : plain;
  const split = isWritten ? splitList : (text: string) => text.split(',');
  return {
    allowed: `a list of at most ${maxItems} values without commas, each ${item.allowed}`,
    read(value) {
      const given = typeof value === 'string' ? split(value) : value;
      if (!Array.isArray(given) || given.length > maxItems) {
        return undefined;
      }
      const items = given.map((one) => {
        const element = elementOf(one);
        return typeof element === 'string' ? item.read(element.trim()) : undefined;
      });
      return items.some((one) => one === undefined)
        ? undefined
        : items.length === 0
          ? null
          : `{${items.map((one) => `"${String(one).replace(/["\\]/g, '\\$&')}"`).join()}}`;
    },
  };
}

/** The elements of a list as it is staged. */
export const showList = (literal: string): string => listItems(literal).join(', ');

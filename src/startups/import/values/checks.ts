import { parseUrl } from '../../../lib/text/url.ts';
import { countries, findCountry } from '../../model/countries.ts';
import type { StartupField, StoredStartupField } from '../../model/fields.ts';
import { createSuggester, didYouMean } from '../../model/requests/suggest.ts';
import { labelOf } from '../../model/vocabulary.ts';
import { checkDate } from './dates.ts';
import type { Check, Notation, StoredValue } from './notations.ts';
import { checkAmount, checkCount, checkPercent, decimalOf, type Rounding } from './number-checks.ts';

/** The texts of a mapping that mean values of a field. */
type Texts = Readonly<Record<string, string>>;

const documented: Notation = new Set();

/**
 * The rule of a field, derived from its description.
 *
 * @param notation of its values: by default the documented one.
 * @param texts that mean its values; an empty value means none.
 * @param rounding counts the amounts that are rounded.
 */
export function createCheck(
  field: StoredStartupField,
  notation: Notation = documented,
  texts: Texts = {},
  rounding?: Rounding,
): Check {
  const plain = createPlainCheck(field, notation, rounding);
  const byText = new Map(
    Object.entries(texts).map(([text, value]) => [
      simplify(text),
      value === '' && field.nullable ? null : readText(field, plain, value, notation),
    ]),
  );
  const read = (value: unknown): StoredValue | undefined => {
    const text = typeof value === 'string' ? simplify(value) : undefined;
    return text !== undefined && byText.has(text) ? byText.get(text) : plain.read(value);
  };
  const allowed = field.nullable ? `${plain.allowed}, or null` : plain.allowed;
  return { ...plain, ...(byText.size > 0 && { read }), allowed };
}

function simplify(text: string): string {
  return text.trim().toLowerCase();
}

/** As spreadsheets write them, in English and German. */
const YES = /^(true|yes|y|wahr|ja)$/i;
const NO = /^(false|no|n|falsch|nein)$/i;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A cell's value by the kind of its field; a text that is none stays text, which the validation rejects. */
function readCell({ kind }: Pick<StartupField, 'kind'>, cell: string): unknown {
  switch (kind) {
    case 'cents':
      // An amount with any separator stays text: `50.000` may be 50, 5,000 or 50,000.
      return /^-?\d+$/.test(cell) ? Number(cell) : cell;
    case 'count':
    case 'percent':
      return JSON_NUMBER.test(cell) ? Number(cell) : cell;
    case 'boolean':
      return YES.test(cell) ? true : NO.test(cell) ? false : cell;
    default:
      return cell;
  }
}

/** How cells of CSV are read before their check; undefined if they stay text, as numbers with a decimal mark do. */
export function cellReader(
  field: Pick<StartupField, 'kind'> | undefined,
  notation: Notation,
): ((cell: string) => unknown) | undefined {
  const kind = field?.kind ?? 'string';
  const isNumber = kind === 'count' || kind === 'percent';
  const isRead = kind === 'cents' || kind === 'boolean' || (isNumber && decimalOf(notation) === undefined);
  return isRead ? (cell) => readCell({ kind }, cell) : undefined;
}

/** The stored value of a text of a mapping, which is written as a cell; undefined if it is not allowed. */
export function readText(
  field: Pick<StartupField, 'kind'>,
  check: Check,
  text: string,
  notation: Notation,
): StoredValue | undefined {
  const isCell = decimalOf(notation) === undefined || field.kind === 'boolean';
  return check.read(text) ?? (isCell ? check.read(readCell(field, text)) : undefined);
}

function createPlainCheck(
  field: StoredStartupField,
  notation: Notation,
  rounding: Rounding | undefined,
): Check {
  switch (field.kind) {
    case 'string':
      return checkText(field);
    case 'slug':
      return checkPattern(
        field,
        `lower-case letters and digits in words joined by single dashes, at most ${field.maxLength}`,
      );
    case 'handle': {
      const check = checkPattern(field, `1 to ${field.maxLength} letters, digits and underscores, without @`);
      return notation.has('handle') ? readAs(check, plainHandle) : check;
    }
    case 'url': {
      const check = checkUrl(field);
      return notation.has('address') ? readAs(check, withScheme) : check;
    }
    case 'country':
      return {
        allowed: 'an ISO 3166-1 alpha-2 code such as DE, or the name in English, German or French',
        read: (value) => (typeof value === 'string' ? findCountry(value) : undefined),
        fix: suggestOf(countries),
      };
    case 'texts':
      return checkList(field, checkPattern(field, `a text of 1 to ${field.maxLength} characters`), notation);
    case 'handles': {
      const item = checkPattern(field, 'a handle of letters, digits and underscores, without @');
      return checkList(field, notation.has('list') ? readAs(item, plainHandle) : item, notation);
    }
    case 'date':
      return checkDate(field, notation);
    case 'choice':
      return checkChoice(field.values ?? []);
    case 'boolean': {
      const check: Check = {
        allowed: 'true or false',
        read: (value) => (typeof value === 'boolean' ? value : undefined),
      };
      return notation.has('words')
        ? readAs(
            { ...check, read: (value) => check.read(value === 1 ? true : value === 0 ? false : value) },
            readYesOrNo,
          )
        : check;
    }
    case 'cents':
      return checkAmount(field, notation, rounding);
    case 'count':
      return checkCount(field, notation);
    case 'percent':
    case 'ratio':
      return checkPercent(field, notation);
  }
}

/** The same check of values that people write as text in another way. */
function readAs(check: Check, convert: (text: string) => unknown): Check {
  return { ...check, read: (value) => check.read(typeof value === 'string' ? convert(value) : value) };
}

const plainHandle = (text: string): string =>
  text
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.|mobile\.)?(?:x|twitter)\.com\/|^@/i, '')
    .replace(/(?<=\w)\/$/, '');

const HOST = /^(?:[\p{L}\p{N}-]+\.)+\p{L}{2,}(?:[/?#]|$)/u;
const withScheme = (text: string): string =>
  HOST.test(text.trim()) ? `https://${text.trim()}` : text.trim();

/** As checkboxes and exports of databases write them, in English, German and French. */
const CHECKED = /^(true|yes|y|t|1|on|wahr|ja|oui|vrai|✓|✔|✔️|☑|✅|x|checked|selected)$/iu;
const UNCHECKED = /^(false|no|n|f|0|off|falsch|nein|non|faux|✗|✘|☐|❌|unchecked|unselected)$/iu;
const readYesOrNo = (text: string): unknown =>
  CHECKED.test(text.trim()) ? true : UNCHECKED.test(text.trim()) ? false : text;

/** The check of a vocabulary's values, which may be given by their labels, in any case. */
function checkChoice(values: readonly string[]): Check {
  const known = new Map<string, string>(
    values.flatMap((value) => [
      [simplify(labelOf(value) ?? value), value] as const,
      [simplify(value), value] as const,
    ]),
  );
  return {
    allowed: `one of ${values.join(', ')}`,
    read: (value) => (typeof value === 'string' ? known.get(simplify(value)) : undefined),
    fix: suggestOf(values),
  };
}

function suggestOf(values: readonly string[]): (value: unknown) => string | undefined {
  const suggest = createSuggester(values);
  return (value) =>
    typeof value === 'number' && values.includes(`${value}`)
      ? `write it as text: "${value}"`
      : typeof value === 'string' || typeof value === 'number'
        ? didYouMean(suggest(`${value}`))
        : undefined;
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

/** The check of a list, as an array or as one text with commas. An empty one is stored as null. */
function checkList({ maxItems = 0 }: StartupField, item: Check, notation: Notation): Check {
  const split = notation.has('list') ? splitList : (text: string) => text.split(',');
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

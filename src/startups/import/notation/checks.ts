import { exactText, withMinus } from '../../../lib/text/figures.ts';
import type { StartupFieldKind } from '../../model/field-kinds.ts';
import type { StartupField } from '../../model/fields.ts';
import type { StoredValue } from '../../model/stored-value.ts';
import { labelOf } from '../../model/vocabulary.ts';
import { checkAmount, checkNumber, decimalOf, type Rounding } from './amount-checks.ts';
import { checkDate } from './dates.ts';
import type { Check, Notation } from './notations.ts';
import { checkPeople } from './people.ts';
import {
  checkChoice,
  checkCountry,
  checkHandle,
  checkList,
  checkSlug,
  checkText,
  checkUrl,
  showList,
  textKey,
} from './text-checks.ts';

/** Yes and no as spreadsheets write them in English and German. */
const [YES, NO] = ['true|yes|y|wahr|ja', 'false|no|n|falsch|nein'];
const meaningOf = (yes: string, no: string) => {
  const [isYes, isNo] = [new RegExp(`^(${yes})$`, 'iu'), new RegExp(`^(${no})$`, 'iu')];
  return (text: string): unknown => (isYes.test(text) ? true : isNo.test(text) ? false : text);
};
/** As checkboxes and exports of databases write them, in French too. */
const readYesOrNo = meaningOf(
  `${YES}|t|1|on|oui|vrai|✓|✔|✔️|☑|✅|x|checked|selected`,
  `${NO}|f|0|off|non|faux|✗|✘|☐|❌|unchecked|unselected`,
);

function checkBoolean(_: StartupField, notation: Notation): Check {
  return {
    allowed: 'true or false',
    read(value) {
      const found = notation.has('words') ? readYesOrNo(String(value).trim()) : value;
      return typeof found === 'boolean' ? found : undefined;
    },
  };
}

/** What a cell of CSV is in JSON; a text that is none stays one, which is an error. */
type CellReader = (cell: string) => unknown;

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** With a decimal mark, numbers are read as people write them. */
const numberCells = (notation: Notation): CellReader | undefined =>
  decimalOf(notation) === undefined ? (text) => (JSON_NUMBER.test(text) ? Number(text) : text) : undefined;

/** How the values of a kind of field are read, documented and shown. */
interface Kind {
  /** The rule of a field, which its `allowed` documents. */
  readonly check: (field: StartupField, notation: Notation, rounding?: Rounding) => Check;
  /** Undefined where cells stay text. */
  readonly cells?: (notation: Notation) => CellReader | undefined;
  /** A stored value as people see it, where that is not its text. */
  readonly show?: (value: never) => string;
}

const kinds: Readonly<Record<StartupFieldKind, Kind>> = {
  string: { check: checkText },
  slug: { check: checkSlug },
  handle: { check: checkHandle },
  url: { check: checkUrl },
  country: { check: checkCountry },
  texts: { check: checkList, show: showList },
  handles: { check: checkList, show: showList },
  choice: {
    check: (field, notation) => (notation.has('people') ? checkPeople(field) : checkChoice(field)),
    show: (value: string) => labelOf(value) ?? value,
  },
  date: { check: checkDate, show: (value: string) => value.replace('T00:00:00.000Z', '') },
  boolean: {
    check: checkBoolean,
    cells: () => meaningOf(YES, NO),
    show: (value: boolean) => (value ? 'yes' : 'no'),
  },
  cents: {
    check: checkAmount,
    // An amount with any separator stays text: `50.000` may be 50, 5,000 or 50,000.
    cells: () => (text) => (/^-?\d+$/.test(text) ? Number(text) : text),
    show: (value: number) => exactText(value),
  },
  count: { check: checkNumber, cells: numberCells, show: (value: number) => value.toLocaleString('en') },
  percent: {
    check: checkNumber,
    cells: numberCells,
    show: (value: number) => `${withMinus(String(value))}%`,
  },
  ratio: { check: checkNumber, cells: numberCells },
};

/** Kinds of fields whose values are figures. */
export const FIGURES: ReadonlySet<string> = new Set(['cents', 'count', 'percent']);

/** Kinds of fields whose values are chosen from a list. */
export const FEW_VALUES: ReadonlySet<string> = new Set(['boolean', 'choice', 'country']);

/** The values that a field may have in the documented format, in words. */
export const allowedIn = (field: StartupField): string => kinds[field.kind].check(field, new Set()).allowed;

/** A stored value as people see it. */
export function showStored(kind: StartupFieldKind, value: NonNullable<StoredValue>): string {
  const { show = String } = kinds[kind];
  return show(value as never);
}

/** How cells of CSV are read before their check; undefined if they stay text. */
export function cellReader({ kind }: StartupField, notation: Notation): CellReader | undefined {
  return kinds[kind].cells?.(notation);
}

/** What a text of a mapping is if it is still to be answered, and if it stays an error. */
export const [ASKED, INVALID] = ['?', '!'];

/** The check of a field whose texts, such as those of a mapping, can be read as cells of CSV. */
interface FieldCheck extends Check {
  readonly readCell: (text: string) => StoredValue | undefined;
}

/**
 * The rule of a field, derived from its description.
 *
 * @param notation of its values: by default the documented one.
 * @param texts that mean its values; an empty value means none.
 * @param rounding counts the amounts that are rounded.
 */
export function createCheck(
  field: StartupField,
  notation: Notation = new Set(),
  texts: Readonly<Record<string, string>> = {},
  rounding?: Rounding,
): FieldCheck {
  const plain = kinds[field.kind].check(field, notation, rounding);
  const toValue = cellReader(field, notation) ?? String;
  const meaning = (value: string): StoredValue | undefined =>
    value === INVALID ? undefined : value === '' && field.nullable ? null : plain.read(toValue(value));
  const byText = new Map(
    Object.entries(texts).flatMap(([text, value]) =>
      value === ASKED ? [] : [[textKey(text), meaning(value)] as const],
    ),
  );
  const readWithTexts = (value: unknown): StoredValue | undefined => {
    const key = textKey(value);
    return byText.has(key) ? byText.get(key) : plain.read(value);
  };
  const read = byText.size > 0 ? readWithTexts : plain.read;
  const allowed = field.nullable ? `${plain.allowed}, or null` : plain.allowed;
  // A text that has a meaning is none of the cells that are a number or a boolean.
  const readCell = (text: string) => read(byText.has(textKey(text)) ? text : toValue(text));
  return { ...plain, allowed, read, readCell };
}

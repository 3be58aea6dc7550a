import type { StartupField } from '../model/fields.ts';
import type { Check, StoredValue } from './check.ts';
import type { Notation } from './notation.ts';

/** As spreadsheets write them, in English and German. */
const YES = /^(true|yes|y|wahr|ja)$/i;
const NO = /^(false|no|n|falsch|nein)$/i;
const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A cell's value by the kind of its field; a text that is none stays text, which the validation rejects. */
export function readCell({ kind }: Pick<StartupField, 'kind'>, cell: string): unknown {
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

/** The stored value of a text of a mapping, which is written as a cell; undefined if it is not allowed. */
export function readText(
  field: Pick<StartupField, 'kind'>,
  check: Check,
  text: string,
  { decimal }: Notation,
): StoredValue | undefined {
  const isCell = decimal === undefined || field.kind === 'boolean';
  return check.read(text) ?? (isCell ? check.read(readCell(field, text)) : undefined);
}

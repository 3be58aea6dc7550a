import { exactText } from '../../../lib/text/figures.ts';
import { type StartupFieldPath, type StoredStartupField, storedStartupFields } from '../../model/fields.ts';
import { labelOf } from '../../model/vocabulary.ts';
import { createFieldNames } from '../columns/field-names.ts';
import type { Mapping } from '../columns/mapping.ts';
import { createCheck, readText } from './checks.ts';
import type { StoredValue } from './notations.ts';
import type { StartupRow } from './validate.ts';

/** A record for people: each field that has a value, in order, with its amounts in dollars. */
export type ShownRecord = readonly { readonly path: string; readonly text: string }[];

/** A valid record as customers will see it, the multiple included, which is computed from it. */
export function showRecord(row: StartupRow): ShownRecord {
  const shown = storedStartupFields.flatMap(({ path, kind }, index) => {
    const value = row[index] ?? null;
    return value === null ? [] : [{ path: path as string, text: showStored(kind, value) }];
  });
  const numberOf = (path: string): number =>
    Number(row[storedStartupFields.findIndex((field) => field.path === path)] ?? Number.NaN);
  const multiple = numberOf('askingPrice') / (12 * numberOf('revenue.last30Days'));
  return Number.isFinite(multiple) ? [...shown, { path: 'multiple', text: multiple.toFixed(1) }] : shown;
}

/** A default as customers would see it; undefined for one that is not valid. */
export function showDefault(path: StartupFieldPath, mapping: Mapping): string | undefined {
  const field = storedStartupFields.find((one) => one.path === path) as StoredStartupField;
  const notation = createFieldNames(mapping).notationOf(path);
  const stored = readText(field, createCheck(field, notation), mapping.defaults?.[path] ?? '', notation);
  return stored === undefined || stored === null ? undefined : showStored(field.kind, stored);
}

/** A stored value as people see it. */
export function showStored(kind: string, value: NonNullable<StoredValue>): string {
  switch (kind) {
    case 'cents':
      return exactText(value as number);
    case 'percent':
      return `${value} %`;
    case 'count':
      return value.toLocaleString('en');
    case 'boolean':
      return value === true ? 'yes' : 'no';
    case 'date':
      return String(value).replace('T00:00:00.000Z', '');
    case 'texts':
    case 'handles':
      return readLiteral(String(value)).join(', ');
    case 'choice':
      return labelOf(value as string) ?? String(value);
    default:
      return String(value);
  }
}

/** The elements of a list as it is staged, which the check of lists writes. */
function readLiteral(literal: string): string[] {
  return [...literal.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));
}

/** A valid record in one line: its slug, and its amounts in dollars. */
export function showAmounts(record: ShownRecord): string {
  const amounts = record.filter(({ text, path }) => /^\$\d/.test(text) && AMOUNTS.has(path));
  return `${record.find(({ path }) => path === 'slug')?.text}: ${amounts.map(({ path, text }) => `${path} ${text}`).join(', ')}`;
}

const AMOUNTS: ReadonlySet<string> = new Set(
  storedStartupFields.filter(({ kind }) => kind === 'cents').map(({ path }) => path),
);

import { type StartupFieldPath, type StoredStartupField, storedStartupFields } from '../../model/fields.ts';
import { createFieldNames } from '../columns/field-names.ts';
import type { Mapping } from '../columns/mapping.ts';
import { createCheck, fieldOf, showStored } from './checks.ts';
import type { StartupRow } from './validate.ts';

/** A record for people: each field that has a value, in order, with its amounts in dollars. */
export type ShownRecord = readonly { readonly path: string; readonly text: string }[];

/**
 * A valid record as customers will see it, the multiple included, which is computed from it.
 *
 * @param open fields whose value is still to be answered where a record has none.
 */
export function showRecord(row: StartupRow, open?: ReadonlySet<string>): ShownRecord {
  const shown = storedStartupFields.flatMap(({ path, kind }, index) => {
    const value = row[index] ?? null;
    const text = value !== null ? showStored(kind, value) : open?.has(path) ? '?' : undefined;
    return text === undefined ? [] : [{ path: path as string, text }];
  });
  const numberOf = (path: StartupFieldPath): number =>
    Number(row[storedStartupFields.findIndex((field) => field.path === path)] ?? Number.NaN);
  const multiple = numberOf('askingPrice') / (12 * numberOf('revenue.last30Days'));
  return Number.isFinite(multiple) ? [...shown, { path: 'multiple', text: multiple.toFixed(1) }] : shown;
}

/** A default as customers would see it; undefined for one that is not valid. */
export function showDefault(path: StartupFieldPath, mapping: Mapping): string | undefined {
  const field = fieldOf(path) as StoredStartupField;
  const stored = createCheck(field, createFieldNames(mapping).notationOf(path)).readCell(
    mapping.defaults?.[path] ?? '',
  );
  return stored === undefined || stored === null ? undefined : showStored(field.kind, stored);
}

/** A valid record in one line: its slug, and its amounts in dollars. */
export function showAmounts(record: ShownRecord): string {
  const amounts = record.filter(({ path }) => fieldOf(path)?.kind === 'cents');
  return `${record.find(({ path }) => path === 'slug')?.text}: ${amounts.map(({ path, text }) => `${path} ${text}`).join(', ')}`;
}

import { isObject } from '../../../lib/text/is-object.ts';
import {
  type StartupFieldPath,
  type StoredStartupField,
  startupFieldList,
  storedStartupFields,
} from '../../model/fields.ts';
import { didYouMean } from '../../model/requests/suggest.ts';
import { createFieldNames, type FieldNames, isIgnored, suggestField } from '../columns/field-names.ts';
import type { Mapping } from '../columns/mapping.ts';
import { type InputError, KNOWN_FIELDS, showName, showValue } from '../errors.ts';
import { JSON_LAYOUTS } from '../rows/json.ts';
import type { Rounding } from './amount-checks.ts';
import { createCheck, fieldOf, showStored } from './checks.ts';
import type { Check, StoredValue } from './notation-words.ts';

const REVENUE = 'revenue.';

/** A valid record's values, in the order of `storedStartupFields`. */
export type StartupRow = StoredValue[];

/** Fields that a rejects file adds: the errors, and text that is not a record. An import ignores them. */
export const REJECT_FIELDS = { errors: '_errors', text: '_line' } as const;

/**
 * Validates one record by the descriptions of the fields.
 *
 * @param value its fields of `revenue` are in that object, or beside the others by their dotted paths.
 * @param line where the record begins.
 * @param errors every error found is added here.
 * @returns the row to store; undefined when there was an error.
 */
export type RecordValidator = (
  value: Record<string, unknown>,
  line: number,
  errors: InputError[],
) => StartupRow | undefined;

/**
 * Creates the validator of records whose values are written as the mapping says.
 *
 * @param rounding counts the amounts that are rounded.
 * @param isPreview whether fields whose default is not known are null: nobody imports such records.
 */
export function createValidator(
  mapping: Mapping = {},
  names = createFieldNames(mapping),
  rounding?: Rounding,
  isPreview = false,
): RecordValidator {
  const rules = storedStartupFields.map((field): Rule => {
    const { path, nullable, default: fallback } = field;
    const check = createCheck(field, names.notationOf(path), mapping.values?.[path], rounding);
    const given = mapping.defaults?.[path] || undefined;
    // No list is null in the database.
    const none =
      typeof fallback === 'boolean' ? fallback : nullable || fallback !== undefined ? null : undefined;
    return {
      path,
      keyInRevenue: path.startsWith(REVENUE) ? path.slice(REVENUE.length) : undefined,
      check,
      absent: given === undefined ? none : (check.readCell(given) ?? (isPreview ? null : undefined)),
    };
  });
  return (value, line, errors) => validateRecord(rules, names, value, line, errors);
}

function validateRecord(
  rules: readonly Rule[],
  names: FieldNames,
  value: Record<string, unknown>,
  line: number,
  errors: InputError[],
): StartupRow | undefined {
  const before = errors.length;
  findUnknown(value, recordNames, '', names, line, errors);
  // In its object, or beside the others by their dotted paths.
  const { revenue = {} } = value;
  const hasRevenue = isObject(revenue);
  if (hasRevenue) {
    findUnknown(revenue, revenueNames, REVENUE, names, line, errors);
  } else {
    errors.push({ line, field: 'revenue', got: showValue(revenue), allowed: ALLOWED_REVENUE });
  }
  const row: StartupRow = new Array(rules.length);
  for (let index = 0; index < rules.length; index += 1) {
    const { path, keyInRevenue, check, absent } = rules[index] as Rule;
    let got = value[path];
    if (keyInRevenue !== undefined) {
      const inner = hasRevenue ? revenue[keyInRevenue] : undefined;
      if (inner !== undefined && got !== undefined) {
        errors.push({ line, field: path, got: showValue(got), allowed: 'each field once' });
        continue;
      }
      if (!hasRevenue) {
        continue;
      }
      got ??= inner;
    }
    const stored = got === undefined || got === null ? absent : check.read(got);
    if (stored === undefined) {
      errors.push({ line, field: path, got: showValue(got), allowed: check.allowed, fix: check.fix?.(got) });
    } else {
      row[index] = stored;
    }
  }
  if (errors.length === before) {
    return row;
  }
  const keys = Object.keys(value);
  if (keys.length > 0 && !keys.some((name) => recordNames.has(name))) {
    // One error says more than one for each field.
    const got = `an object with ${keys.slice(0, 3).map(showName).join(', ')}`;
    errors.splice(before, errors.length, { line, field: 'record', got, allowed: ALLOWED_RECORD });
  }
  return undefined;
}

/** The record's slug where it is a valid one, whatever else is wrong with the record. */
export function findSlug(value: Record<string, unknown>): string | undefined {
  return slugCheck.read(value.slug) as string | undefined;
}

interface Rule {
  readonly path: StartupFieldPath;
  /** Its name in the object `revenue`; undefined for a field outside of it. */
  readonly keyInRevenue: string | undefined;
  readonly check: Check;
  /** The value of an absent or null field; undefined if the field is required. */
  readonly absent: StoredValue | undefined;
}

const slugCheck = createCheck(fieldOf('slug') as StoredStartupField);

/** The names of columns that are fields, those that revgate computes included. */
export const fieldNames: ReadonlySet<string> = new Set(startupFieldList.map(({ path }) => path));
const revenueNames: ReadonlySet<string> = new Set(
  [...fieldNames].flatMap((path) => (path.startsWith(REVENUE) ? path.slice(REVENUE.length) : [])),
);
export const recordNames: ReadonlySet<string> = new Set([
  ...fieldNames,
  'revenue',
  ...Object.values(REJECT_FIELDS),
]);
const ALLOWED_RECORD = `an object with the fields of a startup; several are ${JSON_LAYOUTS}`;
const ALLOWED_REVENUE = `an object with ${[...revenueNames].join(', ')}`;

// A record may hold a hundred thousand unknown names; the first ones get a suggestion.
const SUGGESTIONS = 20;

function findUnknown(
  value: Record<string, unknown>,
  names: ReadonlySet<string>,
  prefix: string,
  columns: FieldNames,
  line: number,
  errors: InputError[],
): void {
  let unknown = 0;
  for (const name of Object.keys(value)) {
    if (names.has(name)) {
      continue;
    }
    const field = prefix + name;
    if (isIgnored(columns, field)) {
      continue;
    }
    unknown += 1;
    const fix = unknown > SUGGESTIONS ? undefined : didYouMean(suggestField(field));
    errors.push({ line, field, got: showValue(value[name]), allowed: KNOWN_FIELDS, fix });
  }
}

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

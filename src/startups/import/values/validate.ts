import { isObject } from '../../../lib/text/is-object.ts';
import { isBlank } from '../../../lib/text/one-line.ts';
import { type Wording, withOptions } from '../../../lib/text/wording.ts';
import type { ImportField, StartupFieldPath } from '../../model/fields.ts';
import { OWN } from '../../model/own-fields.ts';
import type { Given, StartupRow } from '../../model/stored-value.ts';
import { type FieldNames, isIgnored, slugFrom } from '../columns/field-names.ts';
import { type ImportFields, REVENUE } from '../columns/import-fields.ts';
import type { Rounding } from '../notation/amount-checks.ts';
import { createCheck, showStored } from '../notation/checks.ts';
import { unitsOf } from '../notation/notations.ts';
import { type InputError, KNOWN_FIELDS, showName, showText, showValue } from '../rows/errors.ts';
import { JSON_LAYOUTS } from '../rows/json.ts';

/** Validates one record by the descriptions of the fields. */
export type RecordValidator = ReturnType<typeof createValidator>;

/**
 * Creates the validator of records whose values are written as the mapping of the names says.
 *
 * @param isPreview whether fields whose default is not known are null: nobody imports such records.
 */
export function createValidator(names: FieldNames, isPreview = false) {
  const { fields, mapping, isUpdate } = names;
  const [NAME, SLUG] = [indexOf(fields, 'name'), indexOf(fields, 'slug')];
  const rounding: Rounding = { count: 0, largest: 0 };
  const rules = fields.list.map((field) => {
    const { path, nullable, default: fallback } = field;
    const check = createCheck(field, names.notationOf(field), mapping.values?.[path], rounding);
    const other = mapping.defaults?.[path] || undefined;
    // No list is null in the database.
    const none =
      typeof fallback === 'boolean' ? fallback : nullable || fallback !== undefined ? null : undefined;
    /** The value of an absent or null field; undefined if the field is required. */
    const absent = other === undefined ? none : (check.readCell(other) ?? (isPreview ? null : undefined));
    // Of an update in part, what is absent may be stored; what is null is cleared, whatever a new startup has by default.
    return isUpdate && path !== 'slug'
      ? { path, check, absent: absent ?? null, cleared: none }
      : { path, check, absent, cleared: absent };
  });
  const groups = new Set([REVENUE, OWN, ...Object.keys(mapping.columns ?? {}).flatMap(groupsOf)]);
  /**
   * @param value its values by the names of its columns or keys, those of objects in it included.
   * @param line where the record begins.
   * @param errors every error found is added here.
   */
  return (value: Record<string, unknown>, line: number, errors: InputError[]) => {
    const before = errors.length;
    Object.assign(rounding, { count: 0, largest: 0 });
    const values = valuesOf(value, names, groups, line, errors);
    const row: StartupRow = new Array(rules.length);
    const given: boolean[] | undefined = isUpdate ? new Array(rules.length).fill(false) : undefined;
    const isSlugAbsent = values[SLUG] === undefined || values[SLUG] === null;
    const { slug: made } = isSlugAbsent ? slugFrom(values[NAME]) : {};
    // Without a name it has no slug, either: one error says both.
    const isNameMissing =
      rules[NAME]?.absent === undefined && (values[NAME] === undefined || values[NAME] === null);
    values[SLUG] = made ?? (isSlugAbsent && isNameMissing ? REPORTED : values[SLUG]);
    for (let index = 0; index < rules.length; index += 1) {
      const { path, check, absent, cleared } = rules[index] as (typeof rules)[number];
      const got = values[index];
      const stored = got === undefined ? absent : got === null ? cleared : check.read(got);
      if (given !== undefined) {
        given[index] = got !== undefined;
      }
      if (stored !== undefined) {
        row[index] = stored;
      } else if (got !== REPORTED) {
        errors.push({
          line,
          field: path,
          got: showValue(got),
          allowed: check.allowed,
          fix: check.fix?.(got),
        });
      }
    }
    return {
      /** What to store; undefined when there was an error. */
      row: errors.length === before ? row : undefined,
      /** Where it is a valid one, whatever else is wrong with the record. */
      slug: row[SLUG] as string | undefined,
      /** Of an update in part, which fields the record has, in their order. */
      given: given as Given | undefined,
      /** Whether the slug is made from the name, because the record has none. */
      isSlugMade: made !== undefined,
      /** The amounts that were rounded. */
      rounded: rounding.count > 0 ? { ...rounding } : undefined,
    };
  };
}

/** The objects in which a name such as `company.links.website` is: `company`, `company.links`. */
const groupsOf = (name: string): string[] =>
  [...name.matchAll(/\./g)].map(({ index }) => name.slice(0, index));

/** The index of a field that every record has. */
const indexOf = ({ indexes }: ImportFields, path: StartupFieldPath): number => indexes.get(path) as number;

const ALLOWED_RECORD = `an object with the fields of a startup; several are ${JSON_LAYOUTS}`;
/** The value of fields whose error is that of their object, or of the record. */
const REPORTED = Symbol('reported');

// A record may hold a hundred thousand unknown names; the first ones get a suggestion.
const SUGGESTIONS = 20;

/**
 * The values of a record in the order of the fields.
 *
 * @param groups the names of objects whose keys are names.
 * @param errors what is wrong with its names is added here.
 */
function valuesOf(
  value: Record<string, unknown>,
  names: FieldNames,
  groups: ReadonlySet<string>,
  line: number,
  errors: InputError[],
): unknown[] {
  const { fields } = names;
  const values: unknown[] = new Array(fields.list.length);
  const before = errors.length;
  const objects: [prefix: string, object: Record<string, unknown>][] = [['', value]];
  const add = (field: string, got: unknown, allowed: string, fix?: Wording): void => {
    errors.push({ line, field, got: showValue(got), allowed, fix });
  };
  let isRecord = false;
  for (const [prefix, object] of objects) {
    for (const key of Object.keys(object)) {
      const name = prefix + key;
      const got = object[key];
      if (names.unseen.size > 0) {
        names.unseen.delete(name);
      }
      const path = names.of(name);
      const index = fields.indexes.get(path);
      // One that a mapping leaves out is none of ours.
      if (isObject(got) && groups.has(name) && (name !== OWN || path === OWN)) {
        objects.push([`${name}.`, got]);
        isRecord ||= fields.recordNames.has(name);
      } else if (index !== undefined) {
        isRecord = true;
        const foreign = name === path && got !== null ? names.withoutUnit.get(path) : undefined;
        if (foreign !== undefined) {
          const [unit, ...others] = unitsOf((fields.list[index] as ImportField).kind);
          const fix = withOptions(
            (option) => `add ${option('map')} ${path}=${path}:${unit} (or ${others.join(', ')})`,
          );
          add(path, got, `a value whose unit the mapping states, as for ${showText(foreign)}`, fix);
        }
        if (values[index] !== undefined && values[index] !== REPORTED) {
          add(path, values[index], 'each field once');
        }
        values[index] = foreign === undefined ? got : REPORTED;
      } else if (path === REVENUE) {
        isRecord = true;
        const parts = [...fields.indexes].filter(([one]) => one.startsWith(`${REVENUE}.`));
        add(path, got, `an object with ${parts.map(([one]) => one.slice(REVENUE.length + 1)).join(', ')}`);
        for (const [, at] of parts) {
          values[at] = REPORTED;
        }
      } else if (path === OWN && fields.own.length > 0) {
        isRecord = true;
        if (got !== null) {
          add(path, got, `an object with ${fields.own.map(({ own }) => own.name).join(', ')}`);
        }
        for (const one of fields.own) {
          values[fields.indexes.get(one.path) as number] = got === null ? null : REPORTED;
        }
      } else if (fields.recordNames.has(path)) {
        isRecord = true;
      } else if (isIgnored(names, name)) {
        const only = names.onlyOf(name);
        if (only !== undefined && String(got).trim() !== only) {
          add(name, got, `only ${showText(only)}`);
        }
      } else {
        const fix = errors.length - before < SUGGESTIONS ? fields.advise(name) : undefined;
        add(name, got, KNOWN_FIELDS, fix);
      }
    }
  }
  const keys = isRecord ? [] : Object.keys(value);
  if (keys.length === 0) {
    return values;
  }
  // One error says more than one for each field.
  const got = `an object with ${keys.slice(0, 3).map(showName).join(', ')}`;
  errors.splice(before, errors.length, { line, field: 'record', got, allowed: ALLOWED_RECORD });
  return values.fill(REPORTED);
}

/** What a record of an update in part shows of a field that it clears. */
const CLEARED = 'cleared';

/** A record for people: each field that has a value, in order, with its amounts in dollars. */
export type ShownRecord = readonly { readonly path: string; readonly text: string }[];

/**
 * A valid record as customers will see it, the multiple included, which is computed from it.
 *
 * @param open fields whose value is still to be answered where a record has none.
 * @param given of an update in part, the fields that the record has: only these are shown.
 */
export function showRecord(
  fields: ImportFields,
  row: StartupRow,
  { open, given }: { readonly open?: ReadonlySet<string>; readonly given?: Given | undefined } = {},
): ShownRecord {
  const shown = fields.list.flatMap(({ path, kind }, index) => {
    if (given !== undefined && given[index] !== true) {
      return [];
    }
    const value = row[index] ?? null;
    const none = open?.has(path) ? '?' : given === undefined ? '' : CLEARED;
    const text = value === null ? none : showStored(kind, value);
    return isBlank(text) ? [] : [{ path, text }];
  });
  if (given !== undefined) {
    return shown;
  }
  const numberOf = (path: StartupFieldPath): number => Number(row[indexOf(fields, path)] ?? Number.NaN);
  const multiple = numberOf('askingPrice') / (12 * numberOf('revenue.last30Days'));
  return Number.isFinite(multiple) ? [...shown, { path: 'multiple', text: multiple.toFixed(1) }] : shown;
}

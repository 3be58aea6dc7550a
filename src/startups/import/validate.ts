import { isObject } from '../../text/is-object.ts';
import { type StartupFieldPath, startupFieldList, storedStartupFields } from '../fields.ts';
import { createSuggester, didYouMean } from '../requests/suggest.ts';
import { cut, type InputError, showValue } from './errors.ts';
import { type Check, createCheck, type StoredValue } from './value-checks.ts';

/** A valid record's values, in the order of `storedStartupFields`. */
export type StartupRow = StoredValue[];

/** Fields that a rejects file adds: the errors, and text that is not a record. An import ignores them. */
export const REJECT_FIELDS = { errors: '_errors', text: '_line' } as const;

/**
 * Validates one record by the descriptions of the fields.
 *
 * @param line where the record begins.
 * @param errors every error found is added here.
 * @param numberText how the number at a dotted path was written, where that is known.
 * @returns the row to store; undefined when there was an error.
 */
export function validateRecord(
  value: Record<string, unknown>,
  line: number,
  errors: InputError[],
  numberText: (path: StartupFieldPath) => string | undefined = () => undefined,
): StartupRow | undefined {
  const before = errors.length;
  findUnknown(value, recordNames, '', line, errors);
  const revenue = value.revenue;
  const hasRevenue = isObject(revenue);
  if (hasRevenue) {
    findUnknown(revenue, revenueNames, 'revenue.', line, errors);
  } else {
    errors.push({ line, field: 'revenue', got: showValue(revenue), allowed: ALLOWED_REVENUE });
  }
  const row: StartupRow = new Array(rules.length);
  for (let index = 0; index < rules.length; index += 1) {
    const rule = rules[index] as Rule;
    if (rule.inRevenue && !hasRevenue) {
      continue;
    }
    const got = (rule.inRevenue ? (revenue as Record<string, unknown>) : value)[rule.key];
    const stored = got === undefined || got === null ? rule.absent : rule.check.read(got);
    if (stored === undefined) {
      const { allowed, fix } = rule.check;
      const written = typeof got === 'number' ? numberText(rule.path) : undefined;
      const shown = written === undefined ? showValue(got) : cut(written);
      errors.push({ line, field: rule.path, got: shown, allowed, fix: fix?.(got) });
    } else {
      row[index] = stored;
    }
  }
  return errors.length === before ? row : undefined;
}

/** The record's slug where it is a valid one, whatever else is wrong with the record. */
export function findSlug(value: Record<string, unknown>): string | undefined {
  return slugCheck.read(value.slug) as string | undefined;
}

interface Rule {
  readonly path: StartupFieldPath;
  readonly key: string;
  readonly inRevenue: boolean;
  readonly check: Check;
  /** The value of an absent or null field; undefined if the field is required. */
  readonly absent: StoredValue | undefined;
}

const REVENUE = 'revenue.';

const rules: readonly Rule[] = storedStartupFields.map((field) => {
  const inRevenue = field.path.startsWith(REVENUE);
  return {
    path: field.path,
    key: inRevenue ? field.path.slice(REVENUE.length) : field.path,
    inRevenue,
    check: createCheck(field),
    absent: field.default ?? (field.nullable ? null : undefined),
  };
});
const slugCheck = (rules.find(({ path }) => path === 'slug') as Rule).check;

const paths = startupFieldList.map(({ path }) => path);
const revenueNames: ReadonlySet<string> = new Set(
  paths.filter((path) => path.startsWith(REVENUE)).map((path) => path.slice(REVENUE.length)),
);
const recordNames: ReadonlySet<string> = new Set([
  ...paths.filter((path) => !path.startsWith(REVENUE)),
  'revenue',
  ...Object.values(REJECT_FIELDS),
]);
const ALLOWED_REVENUE = `an object with ${[...revenueNames].join(', ')}`;

// A record may hold a hundred thousand unknown names; the first ones get a suggestion.
const SUGGESTIONS = 20;
const suggestPath = createSuggester(paths);

function findUnknown(
  value: Record<string, unknown>,
  names: ReadonlySet<string>,
  prefix: string,
  line: number,
  errors: InputError[],
): void {
  let unknown = 0;
  for (const name of Object.keys(value)) {
    if (names.has(name)) {
      continue;
    }
    unknown += 1;
    const field = prefix + name;
    const fix = unknown > SUGGESTIONS ? undefined : didYouMean(suggestPath(field));
    errors.push({ line, field, got: showValue(value[name]), allowed: 'only known fields', fix });
  }
}

import { OperatorError } from '../../lib/errors.ts';
import { foldText } from '../../lib/text/words.ts';
import {
  type StartupFieldPath,
  type StoredStartupField,
  startupFieldList,
  startupFields,
  storedStartupFields,
} from '../model/fields.ts';
import { createSuggester, orSuggestion } from '../model/requests/suggest.ts';
import { readText } from './cells.ts';
import type { Notation } from './notation.ts';
import { createCheck } from './value-checks.ts';

/** How the columns and values of any table become records. Everything is optional: without it, the input has records. */
export interface Mapping extends Notation {
  /** The fields by the names of the columns or JSON keys that contain them. Empty: the column is left out. */
  readonly columns?: Readonly<Record<string, string>> | undefined;
  /** Leaves columns out that are not fields. */
  readonly ignoreUnknown?: boolean | undefined;
  /** The value of each field in records that lack it, as a cell of CSV has it. Empty: still to be chosen. */
  readonly defaults?: Readonly<Record<string, string>> | undefined;
  /** The list of records in a JSON document, by its key; dotted where it is in objects. Needed only if there are several. */
  readonly path?: string | undefined;
  /** How the text of the input is encoded. */
  readonly encoding?: Encoding | undefined;
  /** How likely each column is right, from 0 to 1, where the mapping was suggested. Says nothing to an import. */
  readonly confidence?: Readonly<Record<string, number>> | undefined;
}

export const encodings = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

const paths = storedStartupFields.map(({ path }) => path);
const suggestPath = createSuggester(paths);

/**
 * Checks the fields and values that a mapping names.
 *
 * @throws OperatorError for the first that does not exist, or for a field that two columns would fill.
 */
export function checkMapping({ columns = {}, defaults = {}, values = {}, ...notation }: Mapping): void {
  const filled = new Map<string, string>();
  for (const [name, path] of Object.entries(columns).filter(([, field]) => field !== '')) {
    requireField(path, `The column ${JSON.stringify(name)} is mapped to`);
    const other = filled.get(path);
    if (other !== undefined) {
      const both = `${JSON.stringify(other)} and ${JSON.stringify(name)}`;
      throw new OperatorError(`The columns ${both} are both mapped to ${path}: map each field once.`);
    }
    filled.set(path, name);
  }
  for (const path of Object.keys(defaults)) {
    requireField(path, 'A default is given for');
  }
  for (const [path, texts] of Object.entries(values)) {
    const field = requireField(path, 'Values are given for');
    const check = createCheck(field, { ...notation, values: {} });
    for (const [text, value] of Object.entries(texts)) {
      const isEmpty = value === '' && field.nullable;
      if (!isEmpty && readText(field, check, value, notation) === undefined) {
        const fix = check.fix?.(value);
        throw new OperatorError(
          `The ${path} ${JSON.stringify(text)} is mapped to ${JSON.stringify(value)}; allowed: ${check.allowed}${fix === undefined ? '' : `; ${fix}`}`,
        );
      }
    }
  }
}

function requireField(path: string, what: string): StoredStartupField {
  const found = storedStartupFields.find((field) => field.path === path);
  if (found === undefined) {
    const suggestion = orSuggestion(suggestPath(path));
    throw new OperatorError(
      `${what} ${JSON.stringify(path)}, which is no field; allowed: ${paths.join(', ')}${suggestion}`,
    );
  }
  return found;
}

const required = startupFieldList.filter(
  ({ path, nullable, default: fallback }) => !nullable && fallback === undefined && path !== 'slug',
);

/** The required fields that neither a column nor a default has. A slug is made from the name. */
export function missingFields(
  hasColumn: (path: StartupFieldPath) => boolean,
  { defaults = {} }: Mapping,
): StartupFieldPath[] {
  const hasDefault = (path: string): boolean => Object.hasOwn(defaults, path) && defaults[path] !== '';
  return required.map(({ path }) => path).filter((path) => !hasColumn(path) && !hasDefault(path));
}

/** The names of columns as fields, made once for an import. */
export interface FieldNames {
  readonly mapping: Mapping;
  /** Whether any name is mapped or left out. */
  readonly hasAny: boolean;
  /** The names that are mapped to a field. */
  readonly mapped: readonly string[];
  /** The field that a column fills: the mapped one, or the one of its own name; empty for one that is left out. */
  of(name: string): string;
  /** The first names that are not fields and are left out. */
  readonly ignored: Set<string>;
  /** What of the current input was skipped, a phrase each. */
  readonly skipped: string[];
}

/** A name of a column as people see it: without white space around it, line breaks and repeated spaces. */
export function plainName(name: string): string {
  return name.replace(/\s+/g, ' ').trim();
}

/** Names without a field that are listed. */
const MOST_IGNORED = 100;

export function createFieldNames(mapping: Mapping = {}): FieldNames {
  const entries = Object.entries(mapping.columns ?? {});
  const byName = new Map([...entries.map(([name, path]) => [plainName(name), path] as const), ...entries]);
  return {
    mapping,
    hasAny: byName.size > 0,
    mapped: entries.filter(([, path]) => path !== '').map(([name]) => name),
    of: (name) => byName.get(name) ?? name,
    ignored: new Set(),
    skipped: [],
  };
}

/** Whether a name that is not a field is left out. The first ones are remembered. */
export function isIgnored({ mapping, ignored, of }: FieldNames, name: string): boolean {
  if (mapping.ignoreUnknown !== true && of(name) !== '') {
    return false;
  }
  if (ignored.size < MOST_IGNORED) {
    ignored.add(name);
  }
  return true;
}

/** A JSON record with its keys named by their fields, and the first field that two of them name. */
export function renameKeys(
  record: Record<string, unknown>,
  names: FieldNames,
): { record: Record<string, unknown>; repeated?: string } {
  const entries = Object.entries(record)
    .map(([name, value]) => [names.of(name), value, name] as const)
    .filter(([path, , name]) => path !== '' || !isIgnored(names, name));
  const renamed = Object.fromEntries(entries);
  const repeated = entries.find(([path], index) => entries.findIndex(([other]) => other === path) < index);
  return { record: renamed, ...(repeated && { repeated: repeated[0] }) };
}

/** The slug that a name makes: `Élan & Co.` is `elan-co`. None for a name without a letter or digit of ASCII. */
export function slugFrom(name: unknown): { slug?: string } {
  const words = typeof name === 'string' ? foldText(name.slice(0, MOST_NAME)).match(/[a-z0-9]+/g) : null;
  return words === null ? {} : { slug: words.join('-').slice(0, MOST_SLUG).replace(/-$/, '') };
}

/** Gives a record without a slug the one that its name makes. Returns whether it did. */
export function addSlug(value: Record<string, unknown>): boolean {
  const { slug } = value.slug === undefined || value.slug === null ? slugFrom(value.name) : {};
  if (slug !== undefined) {
    value.slug = slug;
  }
  return slug !== undefined;
}

const MOST_NAME = startupFields.name.maxLength;
const MOST_SLUG = startupFields.slug.maxLength;

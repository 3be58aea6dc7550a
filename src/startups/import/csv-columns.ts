import { type NamedStartupField, startupFieldList, storedStartupFields } from '../model/fields.ts';
import { createSuggester, didYouMean } from '../model/requests/suggest.ts';
import { readCell } from './cells.ts';
import { type InputError, KNOWN_FIELDS, showText, UnreadableInput } from './errors.ts';
import { type FieldNames, isIgnored, type Mapping, missingFields, plainName } from './mapping.ts';

/** One column of a CSV file. */
export interface CsvColumn {
  /** As in the header. */
  readonly name: string;
  /** The path of its field; undefined for a column that an import ignores. */
  readonly path: string | undefined;
  /** Converts a cell; undefined if the value is its text. */
  readonly read: ((cell: string) => unknown) | undefined;
}

const fieldsByPath: ReadonlyMap<string, NamedStartupField> = new Map(
  startupFieldList.map((field) => [field.path, field]),
);

/** Those that a column can fill. */
const filled = storedStartupFields.map(({ path }) => path);
const suggestClose = createSuggester(filled);
const ALLOWED_HEADER = `${KNOWN_FIELDS}, separated by commas, semicolons or tabs`;

/** The field that an unknown name seems to mean: a close one, or the only one that contains it. */
function suggestPath(name: string): string | undefined {
  const part = name.trim().toLowerCase();
  const [first, ...others] =
    part.length < 3 ? [] : filled.filter((path) => path.toLowerCase().includes(part));
  return suggestClose(name) ?? (others.length === 0 ? first : undefined);
}

/** How many fields a row names, if it is a header. */
export function countFields(cells: readonly string[], names: FieldNames): number {
  return cells.filter((cell) => fieldsByPath.has(names.of(plainName(cell)))).length;
}

/**
 * The columns that a CSV file's header names.
 *
 * @throws UnreadableInput with every error of it.
 */
export function readCsvHeader(cells: readonly string[], line: number, names: FieldNames): CsvColumn[] {
  const header = cells.map(plainName);
  const errors: InputError[] = [];
  const seen = new Set<string>();
  for (const name of header) {
    const path = names.of(name);
    if (!fieldsByPath.has(path)) {
      if (!isIgnored(names, name)) {
        const fix = didYouMean(suggestPath(name));
        errors.push({ line, field: 'header', got: showText(name), allowed: ALLOWED_HEADER, fix });
      }
    } else if (seen.has(path)) {
      errors.push({ line, field: 'header', got: showText(name), allowed: 'each field once' });
    }
    seen.add(path);
  }
  for (const name of names.mapped.filter((mapped) => !header.includes(plainName(mapped)))) {
    const got = `no column ${showText(name)}`;
    errors.push({ line, field: 'header', got, allowed: 'a header with every mapped column' });
  }
  const missing = missingFields((path) => seen.has(path), names.mapping);
  if (missing.length > 0) {
    const [example] = missing.filter((path) => path !== 'name');
    const fix =
      example === undefined ? undefined : `to set a field that no column has, add --default ${example}=…`;
    const got = `no ${missing.join(', ')}`;
    errors.push({ line, field: 'header', got, allowed: 'a header with every required field', fix });
  }
  const [first, ...more] = errors;
  if (first !== undefined) {
    throw new UnreadableInput(first, ...more);
  }
  return header.map((name) => toColumn(name, fieldsByPath.get(names.of(name)), names.mapping));
}

function toColumn(
  name: string,
  field: NamedStartupField | undefined,
  { decimal }: Pick<Mapping, 'decimal'>,
): CsvColumn {
  const kind = field?.kind;
  const isNumber = kind === 'count' || kind === 'percent';
  // With a decimal mark, numbers are left to the validation.
  const isRead = kind === 'cents' || kind === 'boolean' || (isNumber && decimal === undefined);
  return {
    name,
    path: field?.computed === true || field?.recorded === true ? undefined : field?.path,
    read: isRead ? (cell) => readCell({ kind }, cell) : undefined,
  };
}

/** The record of a row's cells by the paths of their fields; there are as many cells as columns. */
export function toRecord(columns: readonly CsvColumn[], cells: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  // Run for every cell, so no iterator and no closure.
  for (let index = 0; index < columns.length; index += 1) {
    const { path, read } = columns[index] as CsvColumn;
    if (path !== undefined) {
      const cell = cells[index] as string;
      record[path] = cell === '' ? null : read === undefined ? cell : read(cell);
    }
  }
  return record;
}

/** A row as a JSON object by the names of its columns, with each number as it is written in its cell. */
export function toJson(columns: readonly CsvColumn[], cells: readonly string[]): string {
  const members = columns.map(({ name, read = String }, index) => {
    const cell = cells[index] as string;
    const value = cell === '' ? null : read(cell);
    return `${JSON.stringify(name)}:${typeof value === 'number' ? cell : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

import { type NamedStartupField, startupFieldList } from '../fields.ts';
import { createSuggester, didYouMean } from '../requests/suggest.ts';
import { type InputError, showText, UnreadableInput } from './errors.ts';

/** One column of a CSV file. */
export interface CsvColumn {
  /** The field of the record for the cell; undefined for a column that an import ignores. */
  readonly key: string | undefined;
  /** The name inside the object of that key, if the field is nested. */
  readonly inner: string | undefined;
  /** Converts a cell; undefined if the value is its text. */
  readonly read: ((cell: string) => unknown) | undefined;
}

const fieldsByPath: ReadonlyMap<string, NamedStartupField> = new Map(
  startupFieldList.map((field) => [field.path, field]),
);

const suggestClose = createSuggester([...fieldsByPath.keys()]);
const ALLOWED_HEADER = 'only known fields, separated by commas, semicolons or tabs';

/** The field that an unknown name seems to mean: a close one, or the only one that contains it. */
function suggestPath(name: string): string | undefined {
  const part = name.trim().toLowerCase();
  const [first, ...others] =
    part.length < 3 ? [] : [...fieldsByPath.keys()].filter((path) => path.toLowerCase().includes(part));
  return suggestClose(name) ?? (others.length === 0 ? first : undefined);
}

/**
 * The columns that a CSV file's first row names.
 *
 * @throws UnreadableInput with every error of it.
 */
export function readCsvHeader(names: readonly string[], line: number): CsvColumn[] {
  const errors: InputError[] = [];
  const seen = new Set<string>();
  for (const name of names) {
    if (!fieldsByPath.has(name)) {
      const fix = didYouMean(suggestPath(name));
      errors.push({ line, field: 'header', got: showText(name), allowed: ALLOWED_HEADER, fix });
    } else if (seen.has(name)) {
      errors.push({ line, field: 'header', got: showText(name), allowed: 'each field once' });
    }
    seen.add(name);
  }
  const missing = startupFieldList.filter(
    ({ path, nullable, default: fallback }) => !nullable && fallback === undefined && !seen.has(path),
  );
  if (missing.length > 0) {
    const got = `no ${missing.map(({ path }) => path).join(', ')}`;
    errors.push({ line, field: 'header', got, allowed: 'a header with every required field' });
  }
  const [first, ...more] = errors;
  if (first !== undefined) {
    throw new UnreadableInput(first, ...more);
  }
  return names.map((name) => toColumn(fieldsByPath.get(name) as NamedStartupField));
}

function toColumn({ path, kind, computed }: NamedStartupField): CsvColumn {
  const [key, inner] = computed === true ? [] : path.split('.');
  switch (kind) {
    case 'cents':
    case 'count':
    case 'percent':
      return { key, inner, read: readNumber };
    case 'boolean':
      return { key, inner, read: readBoolean };
    default:
      return { key, inner, read: undefined };
  }
}

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A cell that is not a number stays text, which the validation rejects. */
function readNumber(cell: string): unknown {
  return JSON_NUMBER.test(cell) ? Number(cell) : cell;
}

/** Spreadsheets write booleans in capitals. */
function readBoolean(cell: string): unknown {
  return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell;
}

/** The record of a row's cells; there are as many as columns. */
export function toRecord(columns: readonly CsvColumn[], cells: readonly string[]): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  // Run for every cell, so no iterator and no closure.
  for (let index = 0; index < columns.length; index += 1) {
    const { key, inner, read } = columns[index] as CsvColumn;
    if (key === undefined) {
      continue;
    }
    const cell = cells[index] as string;
    const value = cell === '' ? null : read === undefined ? cell : read(cell);
    if (inner === undefined) {
      record[key] = value;
    } else {
      record[key] ??= {};
      (record[key] as Record<string, unknown>)[inner] = value;
    }
  }
  return record;
}

/** Finds the cell of a field in a row. */
export function cellOf(
  columns: readonly CsvColumn[],
  cells: readonly string[],
): (path: string) => string | undefined {
  return (path) => {
    const [key, inner] = path.split('.');
    return cells[columns.findIndex((column) => column.key === key && column.inner === inner)];
  };
}

import { type NamedStartupField, type StartupFieldKind, startupFieldList } from '../fields.ts';
import { createSuggester, didYouMean } from '../requests/suggest.ts';
import { type InputError, showText, UnreadableInput } from './errors.ts';
import type { Notation } from './notation.ts';

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

const suggestClose = createSuggester([...fieldsByPath.keys()]);
const ALLOWED_HEADER = 'only known fields, separated by commas, semicolons or tabs';

/** The field that an unknown name seems to mean: a close one, or the only one that contains it. */
function suggestPath(name: string): string | undefined {
  const part = name.trim().toLowerCase();
  const [first, ...others] =
    part.length < 3 ? [] : [...fieldsByPath.keys()].filter((path) => path.toLowerCase().includes(part));
  return suggestClose(name) ?? (others.length === 0 ? first : undefined);
}

/** Whether a row is a header, and not a title: it names at least two fields. */
export function isHeader(names: readonly string[]): boolean {
  return names.filter((name) => fieldsByPath.has(name)).length > 1;
}

/**
 * The columns that a CSV file's header names.
 *
 * @throws UnreadableInput with every error of it.
 */
export function readCsvHeader(names: readonly string[], line: number, notation: Notation): CsvColumn[] {
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
  return names.map((name) => toColumn(fieldsByPath.get(name) as NamedStartupField, notation));
}

function toColumn({ path, kind, computed }: NamedStartupField, { decimal }: Notation): CsvColumn {
  const isWritten = decimal !== undefined && (kind === 'count' || kind === 'percent');
  return {
    name: path,
    path: computed === true ? undefined : path,
    // With a decimal mark, numbers are left to the validation.
    read: isWritten ? undefined : readers[kind],
  };
}

const readers: Partial<Record<StartupFieldKind, (cell: string) => unknown>> = {
  cents: readCents,
  count: readNumber,
  percent: readNumber,
  boolean: readBoolean,
};

const JSON_NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;

/** A cell that is not a number stays text, which the validation rejects. */
function readNumber(cell: string): unknown {
  return JSON_NUMBER.test(cell) ? Number(cell) : cell;
}

/** An amount with any separator stays text: `50.000` may be 50, 5,000 or 50,000. */
function readCents(cell: string): unknown {
  return /^-?\d+$/.test(cell) ? Number(cell) : cell;
}

/** Spreadsheets write booleans in capitals. */
function readBoolean(cell: string): unknown {
  return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : cell;
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

import { type Wording, withOptions } from '../../../lib/text/wording.ts';
import { type FieldNames, isIgnored, missingFields } from '../columns/field-names.ts';
import { cellReader } from '../notation/checks.ts';
import { textKey } from '../notation/text-checks.ts';
import { nameColumns, plainName } from '../rows/column-names.ts';
import type { CsvTable, Row } from '../rows/csv-rows.ts';
import { endIfAny, type InputError, KNOWN_FIELDS, showText } from '../rows/errors.ts';
import type { RowItem } from '../rows/input.ts';
import { firstCell, oddRow, unitRow } from '../rows/odd-rows.ts';

const ALLOWED_HEADER = `${KNOWN_FIELDS}, separated by commas, semicolons, tabs or bars (|)`;

/**
 * The columns that a CSV file's header names.
 *
 * @throws UnreadableInput with every error of it.
 */
function readCsvHeader(cells: readonly string[], line: number, names: FieldNames) {
  const { fields } = names;
  const header = nameColumns(cells);
  const errors: InputError[] = [];
  const add = (got: string, allowed: string, fix?: Wording): void => {
    errors.push({ line, field: 'header', got, allowed, fix });
  };
  const seen = new Set<string>();
  for (const [index, name] of header.entries()) {
    const path = names.of(name);
    const heading = plainName(cells[index] ?? '');
    if (path === name && name !== heading && fields.paths.has(heading)) {
      const map = showText(`${name}=${heading}`);
      const fix = withOptions(
        (option) => `say what it is: ${option('map')} ${map}, or nothing after = to leave it out`,
      );
      add(showText(name), 'each field once', fix);
    } else if (!fields.paths.has(path)) {
      if (heading !== '' && !isIgnored(names, name)) {
        add(showText(name), ALLOWED_HEADER, fields.advise(name));
      }
    } else if (seen.has(path)) {
      add(showText(name), 'each field once');
    }
    seen.add(path);
  }
  for (const name of names.mapped.filter((mapped) => !header.includes(plainName(mapped)))) {
    add(`no column ${showText(name)}`, 'a header with every mapped column');
  }
  const isNamed = seen.has('slug') || seen.has('name');
  if (names.isUpdate && !isNamed) {
    add('no slug', 'a header with the slug, or the name that makes it');
  }
  const missing = names.isUpdate ? [] : missingFields(fields, (path) => seen.has(path), names.mapping);
  if (missing.length > 0) {
    const example = missing.find((path) => path !== 'name');
    const fix =
      example &&
      withOptions((option) => `to set a field that no column has, add ${option('default')} ${example}=…`);
    add(`no ${missing.join(', ')}`, 'a header with every required field', fix);
  }
  endIfAny(errors);
  return header.map((name, index) => toColumn(name, plainName(cells[index] ?? ''), names));
}

/** One column of a CSV file. */
type CsvColumn = ReturnType<typeof toColumn>;

function toColumn(name: string, heading: string, names: FieldNames) {
  const path = names.of(name);
  const field = names.fields.byPath.get(path);
  const reader = field && cellReader(field, names.notationOf(field));
  const texts = new Set(Object.keys(names.mapping.values?.[path] ?? {}).map(textKey));
  return {
    /** As in the header. */
    name,
    /** Whether it has no heading, and so no values, unless somebody says what it is. */
    isBlank: heading === '' && path === name && !isIgnored(names, name),
    /** Whether it is one of a record. */
    isRead: field !== undefined || names.onlyOf(name) !== undefined,
    /** Converts a cell; undefined if the value is its text, as is one that has a meaning. */
    read:
      reader && texts.size > 0 ? (cell: string) => (texts.has(textKey(cell)) ? cell : reader(cell)) : reader,
  };
}

/** The record of a row's cells by the names of their columns; there are as many cells as columns. */
function toRecord(
  columns: readonly CsvColumn[],
  cells: readonly string[],
  isUpdate: boolean,
): Record<string, unknown> {
  const record: Record<string, unknown> = {};
  // Run for every cell, so no iterator and no closure.
  for (let index = 0; index < columns.length; index += 1) {
    const { name, isRead, read } = columns[index] as CsvColumn;
    const cell = cells[index] as string;
    if (isRead && cell !== '') {
      record[name] = read === undefined ? cell : read(cell);
    } else if (isRead && isUpdate) {
      record[name] = null;
    }
  }
  return record;
}

/** A row as a JSON object by the names of its columns, with each number as it is written in its cell. */
function toJson(columns: readonly CsvColumn[], cells: readonly string[]): string {
  const members = columns.flatMap(({ name, isBlank, read = String }, index) => {
    const cell = cells[index] as string;
    const value = cell === '' ? null : read(cell);
    return isBlank && value === null
      ? []
      : `${JSON.stringify(name)}:${typeof value === 'number' ? cell : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

/**
 * The records of a table whose header has the names of the columns. Rows before it are named in `names.skipped`; rows
 * without a value are left out. An empty cell is no value; cells of numeric and boolean fields are converted.
 *
 * @throws UnreadableInput for an invalid header, or a quoted cell that does not end.
 */
export async function* readCsv(table: CsvTable, names: FieldNames): AsyncGenerator<RowItem[]> {
  const { titles, header } = table;
  endIfAny([...titles, header].flatMap(({ error }) => error ?? []).slice(0, 1));
  const columns = readCsvHeader(header.cells, header.line, names);
  if (titles.length > 0) {
    names.skipped.push({ kind: 'titles skipped', titles: titles.map(({ text }) => text.trim()) });
  }
  for await (const rows of table.rows) {
    const items: RowItem[] = [];
    for (const row of rows) {
      const item = toItem(row, columns, names);
      if (item !== undefined) {
        items.push(item);
      }
    }
    if (items.length > 0) {
      yield items;
    }
  }
}

const NO_ROWS: Readonly<Record<string, string>> = {};

/** @returns undefined for a row that the mapping leaves out. */
function toItem(
  { line, text, cells, error }: Row,
  columns: readonly CsvColumn[],
  { mapping: { rows = NO_ROWS }, skipped, isUpdate }: FieldNames,
): RowItem | undefined {
  const answerOf = (name: string): string | undefined => (Object.hasOwn(rows, name) ? rows[name] : undefined);
  const invalid = (field: string, got: string, allowed: string, fix?: Wording): RowItem => ({
    error: { line, field, got: showText(got), allowed, fix },
    text,
  });
  const odd = oddRow(cells);
  const called = odd ?? (rows === NO_ROWS ? '' : unitRow(cells));
  if (answerOf(called) === 'leave out') {
    skipped.push({ kind: 'row left out', line, row: called });
    return undefined;
  }
  if (error !== undefined) {
    return { error, text };
  }
  if (odd !== undefined && answerOf(odd) !== 'keep') {
    const leaveOut = showText(`${odd}=leave out`);
    const fix = withOptions((option) => `add ${option('row')} ${leaveOut}, or =keep if it is a startup`);
    return invalid('record', odd, 'a startup, not the sum or mean of others', fix);
  }
  if (odd === undefined && answerOf(firstCell(cells)) === 'leave out') {
    const allowed = 'to leave out only a row that seems to be no startup, such as a sum';
    return invalid('row', firstCell(cells), allowed, 'remove this row from the file');
  }
  const blank = columns.findIndex(({ isBlank }, index) => isBlank && cells[index] !== '');
  if (blank !== -1) {
    const { name = '' } = columns[blank] ?? {};
    const fix = withOptions((option) => `leave the column out with ${option('map')} ${showText(`${name}=`)}`);
    return invalid(name, cells[blank] ?? '', 'nothing without a heading', fix);
  }
  return {
    line,
    value: toRecord(columns, cells, isUpdate),
    length: text.length,
    toJson: () => toJson(columns, cells),
  };
}

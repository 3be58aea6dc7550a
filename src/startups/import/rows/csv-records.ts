import { amount } from '../../../lib/text/amount.ts';
import { type NamedStartupField, startupFieldList, storedStartupFields } from '../../model/fields.ts';
import { createSuggester, didYouMean } from '../../model/requests/suggest.ts';
import { type FieldNames, isIgnored, missingFields, plainName } from '../columns/field-names.ts';
import { type InputError, KNOWN_FIELDS, showText, UnreadableInput } from '../errors.ts';
import { cellReader } from '../values/checks.ts';
import { createRowReader, MOST_TITLES, type Row } from './csv-rows.ts';
import { type CurrentLine, peek, type ReadItem } from './input.ts';
import { type Line, readLines } from './lines.ts';

/** One column of a CSV file. */
interface CsvColumn {
  /** As in the header. */
  readonly name: string;
  /** The path of its field; undefined for a column that an import ignores. */
  readonly path: string | undefined;
  /** The only text that its cells may have. */
  readonly only: string | undefined;
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
function countFields(cells: readonly string[], names: FieldNames): number {
  return cells.filter((cell) => fieldsByPath.has(names.of(plainName(cell)))).length;
}

/**
 * The columns that a CSV file's header names.
 *
 * @throws UnreadableInput with every error of it.
 */
function readCsvHeader(cells: readonly string[], line: number, names: FieldNames): CsvColumn[] {
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
  return header.map((name) => toColumn(name, fieldsByPath.get(names.of(name)), names));
}

function toColumn(name: string, field: NamedStartupField | undefined, names: FieldNames): CsvColumn {
  return {
    name,
    only: names.onlyOf(name),
    path: field?.computed === true || field?.recorded === true ? undefined : field?.path,
    read: cellReader(field, field === undefined ? new Set() : names.notationOf(field.path)),
  };
}

/** The record of a row's cells by the paths of their fields; there are as many cells as columns. */
function toRecord(columns: readonly CsvColumn[], cells: readonly string[]): Record<string, unknown> {
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
function toJson(columns: readonly CsvColumn[], cells: readonly string[]): string {
  const members = columns.map(({ name, read = String }, index) => {
    const cell = cells[index] as string;
    const value = cell === '' ? null : read(cell);
    return `${JSON.stringify(name)}:${typeof value === 'number' ? cell : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}

/**
 * Reads CSV (RFC 4180), or the same with semicolons or tabs, whose header has the dotted names of the fields. Rows before
 * the header are named in `names.skipped`; rows without a value are left out. An empty cell is null; cells of numeric and
 * boolean fields are converted.
 *
 * @param current kept at the line that is being read.
 * @throws UnreadableInput for an invalid header, or a quoted cell that does not end.
 */
export async function* readCsv(
  bytes: AsyncGenerator<Buffer>,
  current: CurrentLine,
  names: FieldNames,
): AsyncGenerator<ReadItem[]> {
  const { start, readFrom } = await peek(bytes, (seen) => seen.includes('\n'));
  refuseOldLineEnds(start);
  const table = createTable(names);
  for await (const lines of readLines(readFrom(0), current)) {
    const items = table.read(lines);
    if (items.length > 0) {
      yield items;
    }
  }
  const items = table.end();
  if (items.length > 0) {
    yield items;
  }
}

/** The rows of a table as items, once its header is found among the lines. */
function createTable(names: FieldNames) {
  const reader = createRowReader();
  let columns: CsvColumn[] | undefined;
  let held: Line[] = [];
  const titles: Row[] = [];

  /** Takes the first row with the most names of fields as the header. */
  const findHeader = (): ReadItem[] => {
    const counts = titles.map(({ cells }) => countFields(cells, names));
    const at = Math.max(0, counts.indexOf(Math.max(...counts)));
    const header = titles[at];
    const broken = titles.slice(0, Math.max(...counts) > 0 ? at + 1 : undefined).find(({ error }) => error);
    if (broken?.error !== undefined) {
      throw new UnreadableInput(broken.error);
    }
    if (header === undefined) {
      return [];
    }
    columns = readCsvHeader(header.cells, header.line, names);
    const skipped = titles.slice(0, at).map(({ text }) => showText(text.trim()));
    if (skipped.length > 0) {
      names.skipped.push(`${amount(skipped.length, 'title row')} skipped: ${skipped.join(', ')}`);
    }
    // The rows below it are read again, now that their separator is known.
    const lines = held;
    held = [];
    reader.begin(header, columns.length);
    return read(lines.slice(lines.findIndex(({ number }) => number === header.end) + 1));
  };

  const read = (lines: readonly Line[]): ReadItem[] => {
    const items: ReadItem[] = [];
    for (const [index, line] of lines.entries()) {
      if (columns !== undefined) {
        for (const row of reader.read(lines.slice(index))) {
          items.push(...toItems(row, columns, names));
        }
        return items;
      }
      held.push(line);
      for (const row of reader.read([line])) {
        titles.push(row);
        if (countFields(row.cells, names) > 1 || titles.length > MOST_TITLES) {
          items.push(...findHeader());
        }
      }
    }
    return items;
  };

  return {
    read,
    /** @throws UnreadableInput if the last row has not ended. */
    end(): ReadItem[] {
      const items = columns === undefined ? findHeader() : [];
      reader.end();
      return items;
    },
  };
}

/** @throws UnreadableInput for lines that end as on a Mac before 2001, all of which would be one. */
export function refuseOldLineEnds(start: Buffer): void {
  if (
    !start.includes('\n') &&
    start
      .toString('latin1')
      .replace(/"[^"]*"/g, '')
      .trim()
      .includes('\r')
  ) {
    const allowed = 'lines that end with LF or CR LF';
    const fix = 'in Excel, save it as "CSV UTF-8"';
    throw new UnreadableInput({ line: 1, field: 'file', got: 'lines that end with CR alone', allowed, fix });
  }
}

/** The first cell of a row that is the sum or the mean of others, in English, German and French. */
const TOTAL =
  /^(grand |sub-?)?(total|totals|sum|average|avg|mean|summe|gesamt|gesamtsumme|durchschnitt|mittelwert|somme|totaux|moyenne)[ :.]*$/i;

/** What a row that seems to be no startup is called in a mapping: its first cell with a text. */
export function oddRow(cells: readonly string[]): string | undefined {
  const first = cells[0] || (cells.find((cell) => cell !== '') ?? '');
  // Of several columns a row fills one: a note below the table, or above it.
  const isAlone = cells.length > 2 && cells.filter((cell) => cell !== '').length === 1;
  return isAlone || TOTAL.test(first) ? first : undefined;
}

/** What a row of units below the header is called. */
export const unitRow = (cells: readonly string[]): string =>
  plainName(cells.filter((cell) => cell !== '').join(' '));

/** @returns none for a row that the mapping leaves out. */
function toItems(row: Row, columns: readonly CsvColumn[], names: FieldNames): ReadItem[] {
  const { line, text, cells } = row;
  const { rows } = names.mapping;
  const odd = oddRow(cells);
  const called = odd ?? (rows === undefined ? '' : unitRow(cells));
  const answer = rows !== undefined && Object.hasOwn(rows, called) ? rows[called] : undefined;
  if (answer === 'leave out') {
    names.skipped.push(`line ${line} left out: ${showText(called)}`);
    return [];
  }
  const wrong = columns.findIndex(({ only }, index) => only !== undefined && cells[index] !== only);
  const error =
    row.error ??
    (odd !== undefined && answer !== 'keep'
      ? {
          ...{
            line,
            field: 'record',
            got: showText(odd),
            allowed: 'a startup, not the sum or mean of others',
          },
          fix: `add --row ${showText(`${odd}=leave out`)}, or =keep if it is a startup`,
        }
      : wrong !== -1
        ? {
            ...{ line, field: columns[wrong]?.name ?? '', got: showText(cells[wrong] ?? '') },
            allowed: `only ${showText(columns[wrong]?.only ?? '')}`,
          }
        : undefined);
  return [
    error === undefined
      ? { line, value: toRecord(columns, cells), length: text.length, toJson: () => toJson(columns, cells) }
      : { error, text },
  ];
}

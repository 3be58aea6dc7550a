import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { OperatorError } from '../../../lib/errors.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { columnNames, createFieldNames, plainName } from '../columns/field-names.ts';
import type { Mapping } from '../columns/mapping.ts';
import {
  errorMessage,
  type InputError,
  MOST_COLUMNS,
  showName,
  showText,
  tooManyColumns,
  UnreadableInput,
} from '../errors.ts';
import type { Encoding } from '../options.ts';
import { oddRow, refuseOldLineEnds, unitRow } from './csv-records.ts';
import { openTable, type Row } from './csv-rows.ts';
import { type CurrentLine, type ImportInput, inputName, openInput } from './input.ts';
import { JSON_LAYOUTS } from './json.ts';
import { isListOfObjects } from './json-text.ts';
import { isCutText, readLines } from './lines.ts';
import { findFormat, readingError, readRecords } from './read.ts';

/** The beginning of a table whose columns are not known to be fields. */
export interface TableSample {
  /** The same beginning as an input, which can be read any number of times. */
  readonly input: ImportInput;
  readonly encoding: Encoding;
  readonly isCsv: boolean;
  /** In the order of the table; several may have the same name. */
  readonly columns: readonly TableColumn[];
  /** The rows that seem to be no startups, as a mapping calls them. */
  readonly oddRows: readonly string[];
  /** What people should know of the file, a sentence each. */
  readonly notes: readonly string[];
  /** The records that cannot be read. */
  readonly errors: readonly InputError[];
}

/** A column with the values of its first records. */
export interface TableColumn {
  readonly name: string;
  /** As in the file; its name adds the position where that is not the only one, or empty. */
  readonly heading: string;
  /** What a row of units below the header says. */
  readonly unit: string;
  /** Those that are not empty: text of CSV, values of JSON. */
  readonly cells: readonly { readonly value: unknown; readonly line: number }[];
  /** The lines of the others. */
  readonly empty: readonly number[];
}

/** How many records are read, at most. */
const SAMPLED_ROWS = 1_000;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads the header and the first records of a table.
 *
 * @throws OperatorError for an input that is no table.
 */
export async function sampleTable(
  source: ImportInput,
  given: Mapping,
  signal?: AbortSignal,
): Promise<TableSample> {
  const current: CurrentLine = { line: 1 };
  try {
    const { first, bytes } = await openInput(source, current, undefined, signal);
    const { start, isWhole } = await readStart(bytes);
    const encoding = given.encoding ?? findEncoding(start);
    const text =
      encoding === 'utf-8' ? start : Buffer.from(new TextDecoder(encoding).decode(start, { stream: true }));
    const input = { name: source.name.replace(/\.gz(ip)?$/i, ''), open: () => Readable.from([start]) };
    const isCsv = findFormat(source.name, first) === 'csv';
    if (isCsv) {
      refuseOldLineEnds(start);
    }
    const table = isCsv ? await sampleCsv(text) : await sampleJson(input, { encoding, path: given.path });
    if (table.columns.every(({ cells }) => cells.length === 0)) {
      const allowed = 'the names of columns and at least one record';
      const got = table.columns.length > 0 ? 'only the names of columns' : 'nothing';
      throw new UnreadableInput({ line: 1, field: 'record', got, allowed });
    }
    const notes = [
      ...table.notes,
      ...(encoding === 'utf-8' ? [] : ['The file is no UTF-8 at all: it is read as Windows-1252.']),
    ];
    // The last record of a beginning may be a part of one.
    const errors = table.errors.slice(0, isWhole ? undefined : -1);
    return { input, encoding, isCsv, ...table, notes, errors };
  } catch (error) {
    const failure = readingError(error, source, current);
    if (failure instanceof UnreadableInput) {
      const [line = '', ...more] = failure.errors.map((one) => errorMessage(inputName(source), one));
      throw new OperatorError(line, ...more);
    }
    throw failure;
  }
}

/** Whole lines, where the input is longer than what is read of it; of a longer line, whole characters. */
async function readStart(bytes: AsyncIterable<Buffer>): Promise<{ start: Buffer; isWhole: boolean }> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length >= MOST_BYTES) {
      const start = Buffer.concat(parts);
      const end = start.lastIndexOf('\n') + 1 || start.findLastIndex((byte) => byte < 0x80) + 1;
      return { start: start.subarray(0, end), isWhole: false };
    }
  }
  return { start: Buffer.concat(parts), isWhole: true };
}

/** Only text of which no character outside of ASCII is valid UTF-8 is Windows-1252. */
function findEncoding(text: Buffer): Encoding {
  return isUtf8(text) || isCutText(text) || /[^\0-\x7f\ufffd]/.test(text.toString('utf8'))
    ? 'utf-8'
    : 'windows-1252';
}

type Table = Pick<TableSample, 'columns' | 'oddRows' | 'notes' | 'errors'>;

/** What the cells of a row of units below the header are. */
const UNIT =
  /^\(?(in )?((us)?\$ ?[km]?|[km] ?\$|usd|€|eur|£|gbp|%|percent|pct|cents?|thousands?|millions?|count|number|text|date|url|#|yes\/no)\)?$/i;

async function sampleCsv(text: Buffer): Promise<Table> {
  const lines = readLines(Readable.from([text]), { line: 1 });
  const table = await openTable(lines);
  const rows: Row[] = [];
  reading: for await (const batch of table?.rows ?? []) {
    for (const row of batch) {
      if (rows.push(row) === SAMPLED_ROWS) {
        break reading;
      }
    }
  }
  const [first, ...others] = rows;
  const isUnits = first?.cells.every((cell) => cell === '' || UNIT.test(cell)) === true && others.length > 0;
  const units = isUnits ? first.cells : [];
  const records = (isUnits ? others : rows).filter(
    ({ cells, error }) => error === undefined && oddRow(cells) === undefined,
  );
  // An empty text of JSON is a value.
  const withoutEmpty = records.map(({ line, cells }) => ({ line, cells: cells.map((cell) => cell || null) }));
  const errors = [...(table === undefined ? [] : [table.header]), ...rows].flatMap(
    ({ error }) => error ?? [],
  );
  if (records.length === 0 && errors[0] !== undefined) {
    throw new UnreadableInput(errors[0]);
  }
  const odd = rows.flatMap(({ cells }) => oddRow(cells) ?? []);
  const headings = table?.header.cells.map(plainName) ?? [];
  const titles = (table?.titles ?? []).map((row) => showText(row.text.trim()));
  return {
    columns: columnsOf(headings, withoutEmpty, columnNames(headings), units),
    oddRows: [...new Set([...(isUnits ? [unitRow(units)] : []), ...odd])],
    notes: titles.length > 0 ? [`Skipped above the header: ${titles.join(', ')}.`] : [],
    errors,
  };
}

async function sampleJson(input: ImportInput, mapping: Mapping): Promise<Table> {
  const indexes = new Map<string, number>();
  const records: { line: number; cells: unknown[] }[] = [];
  const errors: InputError[] = [];
  try {
    for await (const items of readRecords(input, { names: createFieldNames(mapping) })) {
      for (const item of items) {
        if ('error' in item) {
          errors.push(item.error);
          continue;
        }
        const cells: unknown[] = [];
        for (const [name, value] of leavesOf(item.value)) {
          const index = indexes.get(name) ?? indexes.size;
          indexes.set(name, index);
          cells[index] = value;
        }
        records.push({ line: item.number ?? item.line, cells });
      }
      if (indexes.size > MOST_COLUMNS || records.length >= SAMPLED_ROWS) {
        break;
      }
    }
  } catch (error) {
    // The end of a long array is missing in its beginning.
    if (!(error instanceof UnreadableInput) || records.length === 0) {
      throw error;
    }
    errors.push(...error.errors);
  }
  if (indexes.size > MOST_COLUMNS) {
    throw tooManyColumns(1, 'header', indexes.size);
  }
  if (records.length === 0 && errors[0] !== undefined) {
    throw new UnreadableInput(errors[0]);
  }
  const columns = columnsOf([...indexes.keys()], records);
  const lists = columns.filter(({ cells: [first] }) => isListOfObjects(first?.value));
  if (records.length === 1 && lists.length > 1 && !indexes.has('name')) {
    const got = `several lists: ${lists.map(({ name }) => showName(name)).join(', ')}`;
    throw new UnreadableInput({ line: 1, field: 'file', got, allowed: JSON_LAYOUTS });
  }
  return { columns, oddRows: [], notes: [], errors };
}

function columnsOf(
  headings: readonly string[],
  records: readonly { readonly line: number; readonly cells: readonly unknown[] }[],
  names = headings,
  units: readonly string[] = [],
): TableColumn[] {
  return headings.map((heading, column) => {
    const all = records.map(({ line, cells }) => ({ line, value: cells[column] ?? null }));
    const empty = all.flatMap(({ line, value }) => (value === null ? line : []));
    const cells = all.filter(({ value }) => value !== null);
    return { name: names[column] ?? '', heading, unit: units[column] ?? '', cells, empty };
  });
}

/** Deeper objects are values. */
const MOST_DEPTH = 8;

/** The values of a record by the dotted paths of their keys. */
function* leavesOf(value: Record<string, unknown>, prefix = '', depth = 0): Generator<[string, unknown]> {
  for (const [key, inner] of Object.entries(value)) {
    if (isObject(inner) && depth < MOST_DEPTH) {
      yield* leavesOf(inner, `${prefix}${key}.`, depth + 1);
    } else {
      yield [prefix + key, inner];
    }
  }
}

import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { OperatorError } from '../../../lib/errors.ts';
import { createFieldNames, isNested, plainName } from '../columns/field-names.ts';
import type { Encoding, Mapping } from '../columns/mapping.ts';
import {
  errorMessage,
  type InputError,
  MOST_COLUMNS,
  showName,
  showText,
  TooManyColumns,
  UnreadableInput,
} from '../errors.ts';
import { oddRow, refuseOldLineEnds, unitRow } from './csv-records.ts';
import { createRowReader, MOST_TITLES, type Row } from './csv-rows.ts';
import { type CurrentLine, type ImportInput, inputName, openInput } from './input.ts';
import { JSON_LAYOUTS } from './json.ts';
import { isListOfObjects } from './json-text.ts';
import { readLines } from './lines.ts';
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
}

/** A column with the values of its first records. */
export interface TableColumn {
  readonly name: string;
  /** What a row of units below the header says. */
  readonly unit: string;
  /** Those that are not empty: text of CSV, values of JSON. */
  readonly cells: readonly { readonly value: unknown; readonly line: number }[];
  readonly empty: number;
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
    const start = await readStart(bytes);
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
      throw new UnreadableInput({ line: 1, field: 'record', got: 'nothing', allowed });
    }
    const notes = [
      ...table.notes,
      ...(encoding === 'utf-8' ? [] : ['The file is no UTF-8 at all: it is read as Windows-1252.']),
    ];
    return { input, encoding, isCsv, ...table, notes };
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
async function readStart(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length >= MOST_BYTES) {
      const start = Buffer.concat(parts);
      return start.subarray(0, start.lastIndexOf('\n') + 1 || wholeCharacters(start));
    }
  }
  return Buffer.concat(parts);
}

/** Without the bytes of a last character of UTF-8 whose end is missing. */
function wholeCharacters(bytes: Buffer): number {
  for (let back = 1; back <= 3; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte >= 0xc0) {
      const size = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return size > back ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

/** Only text of which no character outside of ASCII is valid UTF-8 is Windows-1252. */
function findEncoding(text: Buffer): Encoding {
  return isUtf8(text) || /[^\0-\x7f\ufffd]/.test(text.toString('utf8')) ? 'utf-8' : 'windows-1252';
}

type Table = Pick<TableSample, 'columns' | 'oddRows' | 'notes'>;

async function* readRows(text: Buffer, header?: number): AsyncGenerator<Row> {
  const reader = createRowReader();
  let index = 0;
  for await (const lines of readLines(Readable.from([text]), { line: 1 })) {
    for (const row of reader.read(lines)) {
      if (index === header) {
        reader.begin(row, row.cells.length);
      }
      yield row;
      index += 1;
    }
  }
  reader.end();
}

/** What the cells of a row of units below the header are. */
const UNIT =
  /^\(?(in )?((us)?\$ ?[km]?|[km] ?\$|usd|€|eur|£|gbp|%|percent|pct|cents?|thousands?|millions?|count|number|text|date|url|#|yes\/no)\)?$/i;

async function sampleCsv(text: Buffer): Promise<Table> {
  const filled: number[] = [];
  try {
    for await (const { cells } of readRows(text)) {
      filled.push(cells.filter((cell) => cell.trim() !== '').length);
      if (filled.length > MOST_TITLES) {
        break;
      }
    }
  } catch (error) {
    // A cell of several lines, which is never above the header.
    if (!(error instanceof UnreadableInput) || filled.length === 0) {
      throw error;
    }
  }
  // A title has fewer cells than the table below it.
  const most = Math.max(...filled, 2);
  const header = Math.max(
    0,
    filled.findIndex((count) => count > most / 2),
  );
  const rows: Row[] = [];
  for await (const row of readRows(text, header)) {
    rows.push(row);
    if (rows.length > header + SAMPLED_ROWS) {
      break;
    }
  }
  const titles = rows.slice(0, header).map((row) => showText(row.text.trim()));
  const names = (rows[header]?.cells ?? []).map(plainName);
  const [first, ...others] = rows.slice(header + 1);
  const isUnits = first?.cells.every((cell) => cell === '' || UNIT.test(cell)) === true && others.length > 0;
  const records = (isUnits ? others : rows.slice(header + 1)).filter(
    ({ cells, error }) => error === undefined && oddRow(cells) === undefined,
  );
  const broken = records.length === 0 ? rows.find(({ error }) => error !== undefined) : undefined;
  if (broken?.error !== undefined) {
    throw new UnreadableInput(broken.error);
  }
  const odd = rows.slice(header + 1).flatMap(({ cells }) => oddRow(cells) ?? []);
  return {
    columns: names.map((name, column) => ({
      name,
      unit: isUnits ? (first?.cells[column] ?? '') : '',
      cells: records.flatMap(({ cells, line }) => {
        const value = cells[column] ?? '';
        return value === '' ? [] : [{ value, line }];
      }),
      empty: records.filter(({ cells }) => (cells[column] ?? '') === '').length,
    })),
    oddRows: [...new Set([...(isUnits ? [unitRow(first?.cells ?? [])] : []), ...odd])],
    notes: titles.length > 0 ? [`Skipped above the header: ${titles.join(', ')}.`] : [],
  };
}

async function sampleJson(input: ImportInput, mapping: Mapping): Promise<Table> {
  const columns = new Map<
    string,
    { name: string; unit: string; cells: { value: unknown; line: number }[] }
  >();
  let count = 0;
  let firstError: InputError | undefined;
  try {
    for await (const items of readRecords(input, { names: createFieldNames(mapping) })) {
      for (const item of items) {
        if ('error' in item) {
          firstError ??= item.error;
          continue;
        }
        count += 1;
        for (const [name, value] of leavesOf(item.value)) {
          const column = columns.get(name) ?? { name, unit: '', cells: [] };
          columns.set(name, column);
          if (value !== null && value !== undefined && value !== '') {
            column.cells.push({ value, line: item.number ?? item.line });
          }
        }
      }
      if (columns.size > MOST_COLUMNS) {
        throw new TooManyColumns(1, 'header', columns.size);
      }
      if (count >= SAMPLED_ROWS) {
        break;
      }
    }
  } catch (error) {
    // The end of a long array is missing in its beginning.
    if (!(error instanceof UnreadableInput) || error instanceof TooManyColumns || count === 0) {
      throw error;
    }
  }
  if (count === 0 && firstError !== undefined) {
    throw new UnreadableInput(firstError);
  }
  const lists = [...columns.values()].filter(({ cells }) => isListOfObjects(cells[0]?.value));
  if (count === 1 && lists.length > 1 && !columns.has('name')) {
    throw new UnreadableInput({
      line: 1,
      field: 'file',
      got: `several lists: ${lists.map(({ name }) => showName(name)).join(', ')}`,
      allowed: JSON_LAYOUTS,
    });
  }
  const withEmpty = [...columns.values()].map((column) => ({
    ...column,
    empty: count - column.cells.length,
  }));
  return { columns: withEmpty, oddRows: [], notes: [] };
}

/** The values of a record by the dotted paths of their keys. */
function* leavesOf(value: Record<string, unknown>, prefix = '', depth = 0): Generator<[string, unknown]> {
  for (const [key, inner] of Object.entries(value)) {
    if (isNested(inner, depth)) {
      yield* leavesOf(inner, `${prefix}${key}.`, depth + 1);
    } else {
      yield [prefix + key, inner];
    }
  }
}

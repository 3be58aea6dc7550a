import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { OperatorError } from '../../lib/errors.ts';
import { isObject } from '../../lib/text/is-object.ts';
import { createRowReader, MOST_TITLES, type Row } from './csv-rows.ts';
import { errorMessage, MOST_COLUMNS, TooManyColumns, UnreadableInput } from './errors.ts';
import { type CurrentLine, type ImportInput, inputName, openInput } from './input.ts';
import { readLines } from './lines.ts';
import { type Encoding, plainName } from './mapping.ts';
import { findFormat, readingError, readRecords } from './read.ts';

/** The beginning of a table whose columns are not known to be fields. */
export interface TableSample {
  /** The same beginning as an input, which can be read any number of times. */
  readonly input: ImportInput;
  readonly encoding: Encoding;
  /** In the order of the table; several may have the same name. */
  readonly columns: readonly TableColumn[];
}

/** A column with the values of its first records. */
export interface TableColumn {
  readonly name: string;
  /** Those that are not empty: text of CSV, values of JSON. */
  readonly values: readonly unknown[];
}

/** How many records are read, at most. */
const SAMPLED_ROWS = 1_000;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads the header and the first records of a table.
 *
 * @throws OperatorError for an input that is no table.
 */
export async function sampleTable(source: ImportInput, signal?: AbortSignal): Promise<TableSample> {
  const current: CurrentLine = { line: 1 };
  try {
    const { first, bytes } = await openInput(source, current, undefined, signal, () => {});
    const start = await readStart(bytes);
    const encoding = isUtf8(start) ? 'utf-8' : 'windows-1252';
    const text = encoding === 'utf-8' ? start : Buffer.from(new TextDecoder(encoding).decode(start));
    const input = { name: source.name.replace(/\.gz(ip)?$/i, ''), open: () => Readable.from([start]) };
    const columns =
      findFormat(source.name, first) === 'csv' ? await sampleCsv(text) : await sampleJson(input);
    if (columns.every(({ values }) => values.length === 0)) {
      const allowed = 'the names of columns and at least one record';
      throw new UnreadableInput({ line: 1, field: 'record', got: 'nothing', allowed });
    }
    return { input, encoding, columns };
  } catch (error) {
    const failure = readingError(error, source, current);
    if (failure instanceof UnreadableInput) {
      const [line = '', ...more] = failure.errors.map((one) => errorMessage(inputName(source), one));
      throw new OperatorError(line, ...more);
    }
    throw failure;
  }
}

/** Whole lines, where the input is longer than what is read of it. */
async function readStart(bytes: AsyncIterable<Buffer>): Promise<Buffer> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const part of bytes) {
    parts.push(part);
    length += part.length;
    if (length >= MOST_BYTES) {
      const start = Buffer.concat(parts);
      return start.subarray(0, start.lastIndexOf('\n') + 1 || start.length);
    }
  }
  return Buffer.concat(parts);
}

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
}

async function sampleCsv(text: Buffer): Promise<TableColumn[]> {
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
  const header = filled.findIndex((count) => count > most / 2);
  const rows: string[][] = [];
  for await (const { cells, error } of readRows(text, header)) {
    if (error === undefined) {
      rows.push(cells);
    }
    if (rows.length > header + SAMPLED_ROWS) {
      break;
    }
  }
  const [names = [], ...records] = rows.slice(Math.max(0, header));
  return names.map((name, column) => ({
    name: plainName(name),
    values: records.map((cells) => cells[column] ?? '').filter((cell) => cell !== ''),
  }));
}

async function sampleJson(input: ImportInput): Promise<TableColumn[]> {
  const columns = new Map<string, unknown[]>();
  let count = 0;
  try {
    for await (const items of readRecords(input)) {
      for (const item of items) {
        if ('error' in item) {
          continue;
        }
        const { revenue, ...others } = item.value;
        const nested = isObject(revenue)
          ? Object.entries(revenue).map(([name, value]) => [`revenue.${name}`, value] as const)
          : revenue === undefined
            ? []
            : [['revenue', revenue] as const];
        for (const [name, value] of [...Object.entries(others), ...nested]) {
          const values = columns.get(name) ?? columns.set(name, []).get(name);
          if (value !== null && value !== undefined) {
            values?.push(value);
          }
        }
        count += 1;
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
  return [...columns]
    .filter(([name, values]) => name !== 'revenue' || values.length > 0)
    .map(([name, values]) => ({ name, values }));
}

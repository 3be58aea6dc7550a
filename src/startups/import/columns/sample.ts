import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { OperatorError } from '../../../lib/errors.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { isUnitCell } from '../notation/notations.ts';
import { nameColumns, plainName } from '../rows/column-names.ts';
import { openTable, type Row } from '../rows/csv-rows.ts';
import {
  endIfAny,
  errorMessage,
  MOST_COLUMNS,
  showName,
  tooManyColumns,
  UnreadableInput,
} from '../rows/errors.ts';
import type { Encoding } from '../rows/input.ts';
import { type CurrentLine, type ImportInput, inputName, openInput, peek } from '../rows/input.ts';
import { JSON_LAYOUTS } from '../rows/json.ts';
import { severalLists } from '../rows/json-text.ts';
import { isCutText, readLines } from '../rows/lines.ts';
import { oddRow, unitRow } from '../rows/odd-rows.ts';
import { findFormat, openRows, readingError, takeFirst } from '../rows/open-rows.ts';
import { createFieldNames } from './field-names.ts';
import type { ImportFields } from './import-fields.ts';
import type { Mapping } from './mapping.ts';
import type { Note } from './questions.ts';

/** The beginning of a table whose columns are not known to be fields. */
export type TableSample = Awaited<ReturnType<typeof sampleTable>>;

/** A JSON document has several lists, and nobody has said which one has the records. */
export class SeveralListsError extends OperatorError {
  readonly file: string;
  /** Their dotted keys. */
  readonly lists: readonly string[];

  constructor(file: string, lists: readonly string[]) {
    const got = `several lists: ${lists.map(showName).join(', ')}`;
    super(errorMessage(file, { line: 1, field: 'file', got, allowed: JSON_LAYOUTS }));
    this.file = file;
    this.lists = lists;
  }
}

/** How many records are read, at most. */
export const SAMPLED_ROWS = 1_000;
const MOST_BYTES = 4 * 1024 * 1024;

/**
 * Reads the header and the first records of a table.
 *
 * @throws OperatorError for an input that is no table.
 */
export async function sampleTable(
  fields: ImportFields,
  source: ImportInput,
  given: Mapping,
  signal?: AbortSignal,
) {
  const current: CurrentLine = { line: 1 };
  try {
    const { first, bytes } = await openInput(source, current, undefined, signal);
    const { start, isWhole } = await readStart(bytes);
    const encoding = given.encoding ?? findEncoding(start);
    const text =
      encoding === 'utf-8' ? start : Buffer.from(new TextDecoder(encoding).decode(start, { stream: true }));
    const input = { name: source.name.replace(/\.gz(ip)?$/i, ''), open: () => Readable.from([start]) };
    const isCsv = findFormat(source.name, first) === 'csv';
    const lists = isCsv || first !== '{' || given.path !== undefined ? [] : severalLists(text.toString());
    if (lists.length > 0) {
      throw new SeveralListsError(inputName(source), lists);
    }
    const table = isCsv
      ? await sampleCsv(text)
      : await sampleJson(fields, input, { encoding, path: given.path });
    if (table.columns.every(({ cells }) => cells.length === 0)) {
      const allowed = 'the names of columns and at least one record';
      const got = table.columns.length > 0 ? 'only the names of columns' : 'nothing';
      throw new UnreadableInput({ line: 1, field: 'record', got, allowed });
    }
    const notes: Note[] = [...table.notes, ...(encoding === 'utf-8' ? [] : [{ kind: 'encoding' } as const])];
    // The last record of a beginning may be a part of one.
    const errors = table.errors.slice(0, isWhole ? undefined : -1);
    return {
      /** The same beginning as an input, which can be read any number of times. */
      input,
      encoding,
      isCsv,
      ...table,
      notes,
      errors,
    };
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
async function readStart(bytes: AsyncGenerator<Buffer>): Promise<{ start: Buffer; isWhole: boolean }> {
  const { start } = await peek(bytes, () => false, MOST_BYTES);
  await bytes.return(undefined);
  const isWhole = start.length < MOST_BYTES;
  const end = start.lastIndexOf('\n') + 1 || start.findLastIndex((byte) => byte < 0x80) + 1;
  return { start: isWhole ? start : start.subarray(0, end), isWhole };
}

/** Only text of which no character outside of ASCII is valid UTF-8 is Windows-1252. */
function findEncoding(text: Buffer): Encoding {
  return isUtf8(text) || isCutText(text) || /[^\0-\x7f\ufffd]/.test(text.toString('utf8'))
    ? 'utf-8'
    : 'windows-1252';
}

type Table = Awaited<ReturnType<typeof sampleCsv>>;

async function sampleCsv(text: Buffer) {
  const table = await openTable(readLines(Readable.from([text]), { line: 1 }));
  const rows: Row[] = [];
  reading: for await (const batch of table?.rows ?? []) {
    for (const row of batch) {
      if (rows.push(row) === SAMPLED_ROWS) {
        break reading;
      }
    }
  }
  const [first, ...others] = rows;
  const isUnits = first?.cells.every((cell) => cell === '' || isUnitCell(cell)) === true && others.length > 0;
  const units = isUnits ? first.cells : [];
  const records = (isUnits ? others : rows).filter(
    ({ cells, error }) => error === undefined && oddRow(cells) === undefined,
  );
  const errors = [...(table === undefined ? [] : [table.header]), ...rows].flatMap(
    ({ error }) => error ?? [],
  );
  endIfAny(records.length === 0 ? errors.slice(0, 1) : []);
  const odd = rows.flatMap(({ cells }) => oddRow(cells) ?? []);
  const headings = table?.header.cells.map(plainName) ?? [];
  const names = nameColumns(headings);
  const titles = (table?.titles ?? []).map((row) => row.text.trim());
  const notes: Note[] = titles.length > 0 ? [{ kind: 'titles', titles }] : [];
  return {
    /** In the order of the table; several may have the same name. */
    columns: names.map((name, index) => {
      // An empty text of JSON is a value.
      const values = records.map(({ line, cells }) => ({ line, value: cells[index] || null }));
      return columnOf(name, values, headings[index], units[index]);
    }),
    /** The rows that seem to be no startups, as a mapping calls them. */
    oddRows: [...new Set([...(isUnits ? [unitRow(units)] : []), ...odd])],
    /** What people should know of the file. */
    notes,
    /** The records that cannot be read. */
    errors,
  };
}

async function sampleJson(
  fields: ImportFields,
  input: ImportInput,
  { encoding, path }: Pick<Mapping, 'encoding' | 'path'>,
): Promise<Table> {
  const { mayBeAmount: needsDigits } = createFieldNames(fields);
  const opened = await openRows(input, { line: 1 }, { encoding, path, needsDigits });
  const { records, errors } = await takeFirst(opened.isCsv ? [] : opened.rows, SAMPLED_ROWS);
  endIfAny(records.length === 0 ? errors.slice(0, 1) : []);
  const all = records.map(({ line, number = line, value }) => ({
    line: number,
    leaves: new Map(leavesOf(value)),
  }));
  const names = new Set(all.flatMap(({ leaves }) => [...leaves.keys()]));
  if (names.size > MOST_COLUMNS) {
    throw tooManyColumns(1, 'header', names.size);
  }
  const columns = [...names].map((name) =>
    columnOf(
      name,
      all.map(({ line, leaves }) => ({ line, value: leaves.get(name) ?? null })),
    ),
  );
  return { columns, oddRows: [], notes: [], errors };
}

/** A column with the values of its first records. */
export type TableColumn = ReturnType<typeof columnOf>;

function columnOf(
  name: string,
  values: readonly { readonly value: unknown; readonly line: number }[],
  heading = name,
  unit = '',
) {
  return {
    name,
    /** As in the file; its name adds the position where that is not the only one, or empty. */
    heading,
    /** What a row of units below the header says. */
    unit,
    /** Those that are not empty: text of CSV, values of JSON. */
    cells: values.filter(({ value }) => value !== null),
    /** The lines of the others. */
    empty: values.flatMap(({ line, value }) => (value === null ? line : [])),
  };
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

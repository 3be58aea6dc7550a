import { cannotRead } from '../../../lib/errors.ts';
import { openTable } from './csv-rows.ts';
import { type InputError, UnreadableInput } from './errors.ts';
import {
  type CurrentLine,
  type Encoding,
  type ImportInput,
  inputName,
  openInput,
  type ReadRow,
  type RowItem,
} from './input.ts';
import { readJsonArray, readJsonDocument } from './json.ts';
import { type NeedsDigits, readJsonRows } from './json-rows.ts';
import { readLines } from './lines.ts';

/** How the rows of an input are found. */
interface RowOptions {
  readonly encoding: Encoding | undefined;
  /** The dotted keys of the list in a JSON document. */
  readonly path: string | undefined;
  readonly needsDigits: NeedsDigits;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Opens the rows of an input, in small batches as they come: a table of CSV, undefined if it has no row, or objects of
 * JSON. The format is detected by the name's extension, else by the first character; gzip by its first bytes.
 *
 * @param current kept at the line that is being read.
 * @throws UnreadableInput for bytes that are neither; what its rows throw is for {@link readingError}.
 */
export async function openRows(
  input: ImportInput,
  current: CurrentLine,
  { encoding, path, needsDigits, signal }: RowOptions,
) {
  const { first, bytes } = await openInput(input, current, encoding, signal);
  const format = findFormat(input.name, first);
  if (path !== undefined && format !== 'document') {
    const got = format === 'array' ? 'a list' : 'no JSON object';
    const allowed = 'an object with the list of --path';
    throw new UnreadableInput({ line: 1, field: 'file', got, allowed });
  }
  if (format === 'csv') {
    return { isCsv: true, table: await openTable(readLines(bytes, current)) } as const;
  }
  const lines =
    format === 'document' ? readJsonDocument(bytes, current, path) : readers[format](bytes, current);
  return { isCsv: false, rows: readJsonRows(lines, needsDigits) } as const;
}

type Format = 'ndjson' | 'array' | 'document' | 'csv';

const readers = { ndjson: readLines, array: readJsonArray };

/** The format of an input, by its name and its first character that is not white space. */
export function findFormat(name: string, first: string | undefined): Format {
  const [, extension = ''] = /\.(csv|json|ndjson|jsonl)(?:\.gz|\.gzip)?$/.exec(name.toLowerCase()) ?? [];
  const byContent = first === '[' ? 'array' : first === '{' || first === undefined ? 'document' : 'csv';
  return extension === 'csv'
    ? 'csv'
    : extension.endsWith('l') || extension === 'ndjson'
      ? 'ndjson'
      : extension === 'json' && byContent === 'csv'
        ? 'array'
        : byContent;
}

/** The first rows that can be read, and the errors of the others before them. */
export async function takeFirst(batches: AsyncIterable<RowItem[]> | Iterable<RowItem[]>, most: number) {
  const records: ReadRow[] = [];
  const errors: InputError[] = [];
  try {
    for await (const items of batches) {
      for (const item of items) {
        if ('error' in item) {
          errors.push(item.error);
        } else {
          records.push(item);
        }
      }
      if (records.length >= most) {
        break;
      }
    }
  } catch (error) {
    // Such as a long array, of whose beginning the end is missing.
    if (!(error instanceof UnreadableInput)) {
      throw error;
    }
    errors.push(...error.errors);
  }
  return { records, errors };
}

/** What is thrown for an error of reading: {@link UnreadableInput}, or an OperatorError if the bytes cannot be had. */
export function readingError(error: unknown, input: ImportInput, { line }: CurrentLine): unknown {
  const { code } = error as { code?: unknown };
  if (error instanceof UnreadableInput || typeof code !== 'string') {
    return error;
  }
  if (code.startsWith('Z_')) {
    const isCut = code === 'Z_BUF_ERROR';
    const got = isCut ? 'truncated gzip data' : 'damaged gzip data';
    return new UnreadableInput({ line, field: 'file', got, allowed: 'complete gzip data' });
  }
  return cannotRead(inputName(input), error);
}

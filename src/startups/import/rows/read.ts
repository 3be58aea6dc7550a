import { cannotRead } from '../../../lib/errors.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { createFieldNames, type FieldNames } from '../columns/field-names.ts';
import {
  endIfAny,
  type InputError,
  MOST_COLUMNS,
  showName,
  showText,
  showValue,
  tooManyColumns,
  UnreadableInput,
} from '../errors.ts';
import { fieldOf } from '../values/checks.ts';
import { REJECT_FIELDS } from '../values/validate.ts';
import { readCsv } from './csv-records.ts';
import {
  type CurrentLine,
  type ImportInput,
  inputName,
  openInput,
  type ReadItem,
  type ReadRecord,
} from './input.ts';
import { readJsonArray, readJsonDocument } from './json.ts';
import { keepDigits, repeatedKey } from './json-text.ts';
import { type Line, readLines } from './lines.ts';

/** How an input is read. */
export interface ReadOptions {
  /** By default, columns and keys are named by their fields. */
  names?: FieldNames | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * The records of one input in small batches, as they come. The format is detected by the name's extension,
 * else by the first character; gzip by its first bytes.
 *
 * @throws UnreadableInput when the rest cannot be parsed; OperatorError when the input cannot be read; the
 * signal's reason.
 */
export async function* readRecords(
  input: ImportInput,
  { names = createFieldNames(), signal }: ReadOptions = {},
): AsyncGenerator<ReadItem[]> {
  const current: CurrentLine = { line: 1 };
  try {
    const { first, bytes } = await openInput(input, current, names.mapping.encoding, signal);
    const { path } = names.mapping;
    const format = findFormat(input.name, first);
    if (path !== undefined && format !== 'document') {
      const got = format === 'array' ? 'a list' : 'no JSON object';
      const allowed = 'an object with the list of --path';
      throw new UnreadableInput({ line: 1, field: 'file', got, allowed });
    }
    if (format === 'csv') {
      yield* readCsv(bytes, current, names);
      return;
    }
    for (const name of names.mapped) {
      names.unseen.add(name);
    }
    const lists =
      format === 'document' ? readJsonDocument(bytes, current, path) : readers[format](bytes, current);
    for await (const lines of lists) {
      yield lines
        .filter((line) => line.index !== undefined || !isBlank(line))
        .map((line) => parseRecord(line, names));
    }
    const allowed = 'records with every mapped key';
    endIfAny(
      [...names.unseen].map((name) => ({
        line: 1,
        field: 'record',
        got: `no key ${showText(name)}`,
        allowed,
      })),
    );
  } catch (error) {
    signal?.throwIfAborted();
    throw readingError(error, input, current);
  }
}

/** The first records of an input, and the errors of what else was read. */
export async function readFirst(input: ImportInput, names: FieldNames, most: number) {
  const records: ReadRecord[] = [];
  const errors: InputError[] = [];
  try {
    for await (const items of readRecords(input, { names })) {
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

function isBlank({ text, error }: Line): boolean {
  return error === undefined && text.trim() === '';
}

function parseRecord(line: Line, names: FieldNames): ReadItem {
  const { number, index, text } = line;
  const isList = index !== undefined;
  const allowed = isList ? 'a JSON object' : 'a JSON object on one line';
  if (line.error !== undefined) {
    return { error: { ...line.error, record: index }, text };
  }
  if (isList && isBlank(line)) {
    return invalid(line, 'nothing', allowed);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const isCut = /end of JSON|Unterminated/.test(String(error));
    const why = `${allowed}: this one is ${isCut ? 'truncated' : 'not valid JSON'}`;
    return invalid(line, showText(text.trim()), why);
  }
  if (!isObject(value)) {
    return invalid(line, showValue(value), allowed);
  }
  const data = isDetail(value) ? value.data : value;
  const width = Object.keys(data).length + (isObject(data.revenue) ? Object.keys(data.revenue).length : 0);
  if (width > MOST_COLUMNS) {
    throw tooManyColumns(line.number, 'record', width);
  }
  const repeated = repeatedKey(text, value);
  if (repeated !== undefined) {
    return invalid(line, `two values of ${showName(repeated)}`, 'each key once');
  }
  if (value[REJECT_FIELDS.errors] !== undefined) {
    // Of a rejects file, some records may have none of the keys.
    names.unseen.clear();
  }
  const pathOf = (path: string): string => names.of(data === value ? path : path.replace(/^data\./, ''));
  keepDigits(text, value, (path) => (fieldOf(pathOf(path))?.kind ?? 'cents') === 'cents');
  return {
    line: number,
    number: index,
    value: data,
    length: text.length,
    toJson: () => withoutErrors(text.trim(), value[REJECT_FIELDS.errors]),
  };
}

/** A record's text without the errors that a rejects file added at its end. */
function withoutErrors(text: string, errors: unknown): string {
  if (!Array.isArray(errors) || errors.some((error) => typeof error !== 'string')) {
    return text;
  }
  const added = `"${REJECT_FIELDS.errors}":${JSON.stringify(errors)}}`;
  return text.endsWith(added) ? `${text.slice(0, -added.length).replace(/,$/, '')}}` : text;
}

function invalid({ number, index, text }: Line, got: string, allowed: string): ReadItem {
  return { error: { line: number, record: index, field: 'record', got, allowed }, text };
}

/** The allowed fields of a response with one record, including those that a rejects file adds. */
const BESIDE_DATA: ReadonlySet<string> = new Set(['data', 'meta', ...Object.values(REJECT_FIELDS)]);

/** Whether it is a response of REST with one record. */
function isDetail(value: Record<string, unknown>): value is { data: Record<string, unknown> } {
  return isObject(value.data) && Object.keys(value).every((name) => BESIDE_DATA.has(name));
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

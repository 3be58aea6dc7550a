import { isObject } from '../../../lib/text/is-object.ts';
import { MOST_COLUMNS, showName, showText, showValue, tooManyColumns } from './errors.ts';
import { REJECT_FIELDS, type RowItem } from './input.ts';
import { keepDigits, repeatedKey } from './json-text.ts';
import type { Line } from './lines.ts';

/** Whether a number at the path of a key needs all of its digits, as an amount does. */
export type NeedsDigits = (path: string) => boolean;

/** The objects of lines, without blank lines. */
export async function* readJsonRows(
  batches: AsyncIterable<Line[]>,
  needsDigits: NeedsDigits,
): AsyncGenerator<RowItem[]> {
  for await (const lines of batches) {
    yield lines
      .filter((line) => line.index !== undefined || !isBlank(line))
      .map((line) => parseRow(line, needsDigits));
  }
}

function isBlank({ text, error }: Line): boolean {
  return error === undefined && text.trim() === '';
}

function parseRow(line: Line, needsDigits: NeedsDigits): RowItem {
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
  keepDigits(text, value, (path) => needsDigits(data === value ? path : path.replace(/^data\./, '')));
  const errors = value[REJECT_FIELDS.errors];
  return {
    line: number,
    number: index,
    value: data,
    isRejected: errors !== undefined,
    length: text.length,
    toJson: () => withoutErrors(text.trim(), errors),
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

function invalid({ number, index, text }: Line, got: string, allowed: string): RowItem {
  return { error: { line: number, record: index, field: 'record', got, allowed }, text };
}

/** The allowed fields of a response with one record, including those that a rejects file adds. */
const BESIDE_DATA: ReadonlySet<string> = new Set(['data', 'meta', ...Object.values(REJECT_FIELDS)]);

/** Whether it is a response of REST with one record. */
function isDetail(value: Record<string, unknown>): value is { data: Record<string, unknown> } {
  return isObject(value.data) && Object.keys(value).every((name) => BESIDE_DATA.has(name));
}

import { errorMessage, type InputError } from './errors.ts';
import type { ReadItem } from './input.ts';
import { REJECT_FIELDS } from './validate.ts';

/**
 * A rejected record as one line of NDJSON: the record as it was, and its errors in `_errors`. Text that is
 * not a record is in `_line`. An import ignores both names, so the file can be fixed and imported
 * as it is.
 */
export function rejectLine(file: string, item: ReadItem, errors: readonly InputError[]): string {
  const messages = JSON.stringify(errors.map((error) => errorMessage(file, error)));
  if ('error' in item) {
    return `{"${REJECT_FIELDS.text}":${JSON.stringify(item.text)},"${REJECT_FIELDS.errors}":${messages}}\n`;
  }
  const body = recordText(item.value, item.text).trimEnd().slice(0, -1).trimEnd();
  const comma = body.endsWith('{') ? '' : ',';
  return `${body}${comma}"${REJECT_FIELDS.errors}":${messages}}\n`;
}

/**
 * The record's JSON in one line. Its original text is preferred: numbers keep all digits, and any depth of nesting
 * is possible.
 */
function recordText(value: Record<string, unknown>, text: string | undefined): string {
  if (text === undefined || REJECT_FIELDS.errors in value) {
    try {
      const { [REJECT_FIELDS.errors]: _, ...record } = value;
      return JSON.stringify(record);
    } catch {
      // Nested too deeply, and so it came from JSON.
    }
  }
  // Line ends in JSON occur only between its parts.
  return (text ?? '{}').trim().replace(/[\r\n]+/g, ' ');
}

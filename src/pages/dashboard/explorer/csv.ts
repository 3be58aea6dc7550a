import { shownFields } from './columns.ts';
import { readField } from './fields.tsx';
import type { ShownStartup } from './requests.ts';

/** A spreadsheet runs a text that begins like this as a formula, some also with full-width forms. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * The shown fields of records as CSV (RFC 4180) for spreadsheets, in the units of the API. Texts that a spreadsheet would
 * run begin with an apostrophe, so this is not a format to import.
 */
export function recordsCsv(records: readonly ShownStartup[]): string {
  const rows = records.map((record) => shownFields.map((path) => readField(record, path)));
  return [shownFields, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: unknown): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

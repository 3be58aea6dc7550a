import { startupFields } from '../../../startups/model/fields.ts';
import type { Html } from '../../shared/jsx.ts';
import { nameColumn, type ShownColumn } from './columns.tsx';
import { readField } from './fields.tsx';
import type { ShownStartup } from './requests.ts';

/** A spreadsheet runs a text that begins like this as a formula, some also with full-width forms. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * What a table shows as CSV (RFC 4180) for spreadsheets: its columns under their headings, amounts in dollars. Texts that
 * a spreadsheet would run begin with an apostrophe, so this is not a format to import.
 */
export function recordsCsv(records: readonly ShownStartup[], columns: readonly ShownColumn[]): string {
  const shown = [nameColumn, ...columns].flatMap(({ heading, fields: [path], csv = path }) =>
    csv === undefined ? [] : [{ heading, csv }],
  );
  return csvOf([
    shown.map(({ heading, csv }) =>
      withUnit(heading, typeof csv === 'string' ? startupFields[csv].kind : ''),
    ),
    ...records.map((record) =>
      shown.map(({ csv }) =>
        typeof csv === 'string' ? inUnit(readField(record, csv), startupFields[csv].kind) : csv(record),
      ),
    ),
  ]);
}

/** A heading with the unit of the values below it. */
export const withUnit = (heading: string, unit: string): string =>
  unit === 'cents' ? `${heading} (USD)` : unit === 'percent' ? `${heading} (%)` : heading;

/** Cents as dollars. */
export const inUnit = (value: unknown, unit: string): unknown =>
  unit === 'cents' && typeof value === 'number' ? value / 100 : value;

/** Rows of values as CSV, the headings first. */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A button that saves what the page shows, without a request. */
export function csvLink(name: string, csv: string): Html {
  return (
    <a class="button second" download={name} href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`}>
      Download CSV
    </a>
  );
}

function cell(value: unknown): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

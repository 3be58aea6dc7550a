import { type StartupFieldPath, startupFields } from '../../../startups/fields.ts';
import type { Html } from '../../shared/jsx.ts';
import { readField } from './fields.tsx';
import type { ShownStartup } from './requests.ts';

/** A spreadsheet runs a text that begins like this as a formula, some also with full-width forms. */
const FORMULA = /^[=+\-@＝＋－＠\t\r\n]/;

/**
 * Fields of records as CSV (RFC 4180) for spreadsheets, in the units of the API, which the headings name. Texts that a
 * spreadsheet would run begin with an apostrophe, so this is not a format to import.
 */
export function recordsCsv(records: readonly ShownStartup[], fields: readonly StartupFieldPath[]): string {
  return csvOf([
    fields.map(heading),
    ...records.map((record) => fields.map((path) => readField(record, path))),
  ]);
}

/** Rows of values as CSV, the headings first. */
export function csvOf(rows: readonly (readonly unknown[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

/** A button that saves what the page shows, without a request. */
export function csvLink(name: string, csv: string, count: number, what: 'row' | 'group'): Html {
  return (
    <a class="button second" download={name} href={`data:text/csv;charset=utf-8,${encodeURIComponent(csv)}`}>
      Download {count === 1 ? `this ${what}` : `these ${count} ${what}s`}
    </a>
  );
}

/** Such as revenue_mrr_cents. */
function heading(path: StartupFieldPath): string {
  const { kind, column } = startupFields[path];
  return `${column ?? path}${kind === 'cents' || kind === 'percent' ? `_${kind}` : ''}`;
}

function cell(value: unknown): string {
  const text = typeof value === 'string' && FORMULA.test(value) ? `'${value}` : String(value ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

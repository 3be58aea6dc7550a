import { type StoredStartupField, storedStartupFields } from '../../../startups/model/fields.ts';
import { sampleStartups } from '../../../startups/sample/sample.ts';

/** Invented startups, each as its values by their paths. */
export const sampleRecords = () =>
  [...sampleStartups({ count: 200, seed: 1 })].map((record) => flatten(record));

const SAMPLE_RECORDS = 3;

const SAMPLE_COLUMNS = ['website', 'category', 'country', 'askingPrice', 'growth30d'];

/** A file to begin with: invented startups with the required columns and the most used others. */
export function sampleCsv(): string {
  const columns = storedStartupFields.filter(
    (field) => isRequired(field) || SAMPLE_COLUMNS.includes(field.path),
  );
  return csv([
    columns.map(({ path }) => path),
    ...sampleRecords()
      .slice(0, SAMPLE_RECORDS)
      .map((record) => columns.map(({ path }) => String(record.get(path) ?? ''))),
  ]);
}

/** Whether an import needs a column. */
export const isRequired = (field: StoredStartupField): boolean =>
  !field.nullable && field.default === undefined && field.path !== 'slug';

/** The values of a record by their paths. */
function flatten(record: object, prefix = ''): Map<string, unknown> {
  return new Map(
    Object.entries(record).flatMap(([name, value]): [string, unknown][] =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? [...flatten(value, `${prefix}${name}.`)]
        : [[prefix + name, value]],
    ),
  );
}

/** Rows as CSV, which ends with a line break. */
export function csv(rows: readonly (readonly string[])[]): string {
  const quoted = (text: string): string => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
  return rows.map((cells) => `${cells.map(quoted).join(',')}\n`).join('');
}

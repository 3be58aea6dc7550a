import type { ShownRecord } from '../../../startups/import/values/preview.ts';
import { storedStartupFields } from '../../../startups/model/fields.ts';
import { ScrollTable } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { nameOfField } from './mapping-form.ts';

/** Finds the column of a file that a field is read from. */
type ColumnOf = (path: string) => string | undefined;

const SHOWN_TEXT = 60;

const shortened = (text: string): string =>
  text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT - 1)}…` : text;

const textOf = (record: ShownRecord, path: string): string =>
  shortened(record.find((field) => field.path === path)?.text ?? '–');

const numbers: ReadonlySet<string> = new Set(['cents', 'percent', 'count']);

const isNumber = (path: string): boolean =>
  storedStartupFields.some((field) => field.path === path && numbers.has(field.kind)) || path === 'multiple';

/** The first records as customers will see them, and where each field is from. */
export function Records({
  records,
  columnOf,
}: {
  readonly records: readonly ShownRecord[];
  readonly columnOf: ColumnOf;
}): Html | null {
  const shown = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  const sourceOf = (path: string): string => columnOf(path) ?? sources.get(path) ?? 'the same for all';
  return records.length === 0 ? null : (
    <section class="card records">
      <h2>
        {records.length === 1
          ? 'The first record as customers will see it'
          : `The first ${records.length} records as customers will see them`}
      </h2>
      <ScrollTable
        label="The first records"
        kinds={shown.map((path) => (isNumber(path) ? 'number' : undefined))}
        head={shown.map((path) => twoNames(nameOfField(path), sourceOf(path)))}
        rows={records.map((record) => shown.map((path) => textOf(record, path)))}
      />
    </section>
  );
}

/** Where fields are from that neither a column nor a setting of the form has. */
const sources: ReadonlyMap<string, string> = new Map([
  ['slug', 'from the name'],
  ['active', 'by default'],
  ['multiple', 'computed'],
]);

/** A name with another one below it, if that differs. */
const twoNames = (name: string, other: string): Content =>
  name === other ? (
    name
  ) : (
    <span class="two-lines">
      <span>{name}</span>
      <span class="soft">{other}</span>
    </span>
  );

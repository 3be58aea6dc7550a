import type { ColumnProof } from '../../../startups/import/columns/prove.ts';
import { fieldOf } from '../../../startups/import/values/checks.ts';
import type { ShownRecord } from '../../../startups/import/values/preview.ts';
import { ScrollTable } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { nameOfField } from './mapping-form.ts';

const SHOWN_TEXT = 60;

const textOf = (record: ShownRecord, path: string): string => {
  const text = record.find((field) => field.path === path)?.text ?? '–';
  return text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT - 1)}…` : text;
};

const isNumber = (path: string): boolean =>
  ['cents', 'percent', 'count'].includes(fieldOf(path)?.kind ?? '') || path === 'multiple';

/** Where fields are from that neither a column nor a setting of the form has. */
const sources: ReadonlyMap<string, string> = new Map([
  ['slug', 'from the name'],
  ['active', 'by default'],
  ['multiple', 'computed'],
]);

/** The first records as customers will see them, and where each field is from. */
export function Records({
  records,
  columns,
}: {
  readonly records: readonly ShownRecord[];
  readonly columns: readonly ColumnProof[];
}): Html | null {
  const shown = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  const headOf = (path: string): Content => {
    const column = columns.find(({ field, state }) => field === path && state === 'field');
    const [name, source] = [nameOfField(path), column?.name ?? sources.get(path) ?? 'the same for all'];
    return name === source ? (
      name
    ) : (
      <span class="two-lines">
        <span>{name}</span>
        <span class="soft">{source}</span>
      </span>
    );
  };
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
        head={shown.map(headOf)}
        rows={records.map((record) => shown.map((path) => textOf(record, path)))}
      />
    </section>
  );
}

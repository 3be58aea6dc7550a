import { amount } from '../../../lib/errors.ts';
import type { ImportFields } from '../../../startups/import/columns/import-fields.ts';
import type { ColumnReport } from '../../../startups/import/columns/report.ts';
import { nameOfField } from '../../../startups/import/columns/words.ts';
import type { ImportEntry } from '../../../startups/import/import-log.ts';
import type { NamedStartup } from '../../../startups/import/plan.ts';
import type { ShownRecord } from '../../../startups/import/values/validate.ts';
import { type Fact, Figures, Table } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { EXPLORER_PATH, IMPORTS_PATH } from '../../shared/paths.ts';
import { quoted } from './mapping-form.ts';

export const LIST_PATH = IMPORTS_PATH;
export const MAPPINGS_PATH = `${LIST_PATH}/mappings`;
export const SAMPLE_PATH = `${LIST_PATH}/sample.csv`;

/** A form of a file, or of more fields than other forms have. */
export const LargeForm = ({
  action,
  children,
}: {
  readonly action: string;
  readonly children: Content;
}): Html => (
  <form class="stack" method="post" action={action} enctype="multipart/form-data">
    {children}
  </form>
);

/** Where a file is chosen, or dropped: browsers take it on the field itself. */
export function FileField({ label, hint }: { readonly label: string; readonly hint: Content }): Html {
  return (
    <div class="field">
      <label for="file">{label}</label>
      <input
        id="file"
        name="file"
        type="file"
        required
        accept=".csv,.json,.ndjson,.jsonl,.gz,text/csv,application/json"
        aria-describedby="file-hint"
      />
      <p class="hint" id="file-hint">
        {hint}
      </p>
    </div>
  );
}

/** What an import changed, or would change. */
export function ChangeFigures({
  of,
}: {
  readonly of: Pick<ImportEntry, 'created' | 'updated' | 'unchanged' | 'removed' | 'rejected'>;
}): Html {
  return (
    <Figures
      figures={(['created', 'updated', 'unchanged', 'removed', 'rejected'] as const).map((name) => [
        name.charAt(0).toUpperCase() + name.slice(1),
        name === 'removed' && of[name] > 0 ? <span class="lost">{count(of[name])}</span> : count(of[name]),
      ])}
    />
  );
}

/** The first startups by their names, with links where they are in the explorer, and how many others there are. */
export const startupNames = (first: readonly NamedStartup[], all: number, isLinked = false): Content => [
  first.map(({ slug, name }, index) => [
    index > 0 && ', ',
    isLinked ? <a href={`${EXPLORER_PATH}/${slug}`}>{name}</a> : name,
  ]),
  all > first.length && `, and ${amount(all - first.length, 'other')}`,
];

/** What people should know about a file, a sentence each. */
export function Notes({ notes }: { readonly notes: readonly string[] }): Html | null {
  return notes.length === 0 ? null : (
    <details class="notice warn" open>
      <summary>Check {amount(notes.length, 'thing')} in this file</summary>
      <ul>
        {notes.map((note) => (
          <li>{note}</li>
        ))}
      </ul>
    </details>
  );
}

/** What an import leaves out. @param columns with the reason of each. */
export function omitted(columns: readonly string[], rows: readonly string[]): readonly Fact[] {
  return [
    columns.length > 0 && ['Columns left out', quoted(columns.join('; '))],
    rows.length > 0 && ['Rows left out', rows.join('; ')],
  ];
}

const SHOWN_TEXT = 60;

const textOf = (record: ShownRecord, path: string): string => {
  const text = record.find((field) => field.path === path)?.text ?? '–';
  return text.length > SHOWN_TEXT ? `${text.slice(0, SHOWN_TEXT - 1)}…` : text;
};

const isNumber = ({ byPath }: ImportFields, path: string): boolean =>
  ['cents', 'percent', 'count', 'ratio'].includes(byPath.get(path)?.kind ?? '') || path === 'multiple';

/** Where fields are from that neither a column nor a setting of the form has. */
const sources: ReadonlyMap<string, string> = new Map([
  ['active', 'by default'],
  ['multiple', 'computed'],
]);

/** The first records as customers will see them, and where each field is from. */
export function Records({
  fields,
  records,
  columns,
  isUpdate,
  children,
}: {
  readonly fields: ImportFields;
  readonly records: readonly ShownRecord[];
  readonly columns: readonly ColumnReport[];
  /** Whether the records have only what they set. */
  readonly isUpdate: boolean;
  readonly children?: Content;
}): Html | null {
  const columnOf = (path: string) =>
    columns.find(({ field, state }) => field === path && state === 'field')?.name;
  const all = new Set(records.flatMap((record) => record.map(({ path }) => path)));
  // A slug that is made from the name says nothing new.
  const shown = [...all].filter((path) => path !== 'slug' || columnOf(path) !== undefined);
  const headOf = (path: string): Content => {
    const isOpen = records.some((record) => textOf(record, path) === '?');
    const given = sources.get(path) ?? (isOpen ? 'not answered' : 'the same for all');
    const [name, source] = [nameOfField(fields, path), columnOf(path) ?? given];
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
    <section class="card">
      <h2>{isUpdate ? 'What the first records set' : 'The first records, as customers will see them'}</h2>
      <Table
        layout="scroll"
        box="The first records"
        columns={shown.map(
          (path) =>
            [
              headOf(path),
              (record: ShownRecord) => textOf(record, path),
              isNumber(fields, path) ? 'number' : undefined,
            ] as const,
        )}
        rows={records}
      />
      {children}
    </section>
  );
}

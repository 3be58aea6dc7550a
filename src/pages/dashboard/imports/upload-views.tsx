import type { ImportSummary } from '../../../startups/import/import.ts';
import type { ShownRecord } from '../../../startups/import/preview.ts';
import type { StoredMapping } from '../../../startups/import/stored-mappings.ts';
import { amount } from '../../../text/amount.ts';
import { Notice, ScrollTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { SelectField } from './mapping-fields.tsx';

/** The form that sends a file. */
export function FileForm({
  action,
  children,
}: {
  readonly action: string;
  readonly children: Content;
}): Html {
  return (
    <form class="stack" method="post" action={action} enctype="multipart/form-data">
      {children}
    </form>
  );
}

/** Where a file is chosen. A browser never keeps it from one page to the next. */
export function FileField({ hint }: { readonly hint: Content }): Html {
  return (
    <div class="field">
      <label for="file">File</label>
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

/** The choice of a stored mapping for the next file. */
export function MappingChoice({ mappings }: { readonly mappings: readonly StoredMapping[] }): Html | null {
  return mappings.length === 0 ? null : (
    <SelectField
      name="stored"
      label="Columns"
      value=""
      options={[['', 'Suggest them'], ...mappings.map(({ name }) => [name, `As in ${name}`] as const)]}
    />
  );
}

/** What an import would do. */
export function Preview({ summary }: { readonly summary: ImportSummary }): Html {
  const { records, rejected, created, updated, unchanged, removed, removedSample, ignored = [] } = summary;
  const changes = [
    ['Created', created],
    ['Updated', updated],
    ['Unchanged', unchanged],
    ['Rejected', rejected],
    ['Removed', removed],
  ] as const;
  return (
    <section class="card">
      <h2>Preview</h2>
      <p>
        {amount(records, 'record')}:{' '}
        {changes.map(([name, number]) => `${count(number)} ${name.toLowerCase()}`).join(', ')}. Nothing is
        imported yet.
      </p>
      {removedSample > 0 && <p>It also removes the {amount(removedSample, 'sample startup')}.</p>}
      {ignored.length > 0 && <p class="soft small">Columns left out: {ignored.join(', ')}</p>}
      <Errors summary={summary} />
      {summary.examples.length > 0 && <Records records={summary.examples} />}
    </section>
  );
}

const MOST_MESSAGES = 30;
const SHOWN_TEXT = 60;

function Errors({ summary: { messages, errorCount } }: { readonly summary: ImportSummary }): Html | null {
  return errorCount === 0 ? null : (
    <Notice tone="wrong">
      {amount(errorCount, 'error')}:
      {messages.slice(0, MOST_MESSAGES).map((message) => (
        <>
          <br />
          {inForm(message)}
        </>
      ))}
    </Notice>
  );
}

/** The first records as customers will see them. */
export function Records({ records }: { readonly records: readonly ShownRecord[] }): Html {
  const shown = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  return (
    <>
      <h3>
        The first {records.length === 1 ? 'record' : `${records.length} records`} as customers will see them
      </h3>
      <ScrollTable
        label="The first records"
        head={shown}
        rows={records.map((record) =>
          shown.map((path) =>
            (record.find((field) => field.path === path)?.text ?? '–').slice(0, SHOWN_TEXT),
          ),
        )}
      />
    </>
  );
}

/** A message about options of the command, or about a mapping file, for a form. */
export function inForm(message: string): string {
  return message
    .replace(
      / (To import the valid records, a|A)dd --[a-z-]+( to allow it)?\./g,
      ' A setting below allows it.',
    )
    .replace(/; to set a field that no column has, add .*/, '; set them below')
    .replace('say in values what they mean', 'choose below what they mean')
    .replace('set dollars to false', 'clear “Amounts are in dollars, not in cents” below')
    .replace('map one to name', 'choose one below')
    .replace('Check decimal.', 'Check “Numbers” below.')
    .replace('the mapping assumes', 'the form assumes')
    .replace(/--([a-z]+)/g, '$1');
}

import type { ImportEntry } from '../../../startups/import/import-log.ts';
import type { ShownRecord } from '../../../startups/import/preview.ts';
import type { StoredMapping } from '../../../startups/import/stored-mappings.ts';
import type { ImportSummary } from '../../../startups/import/summary.ts';
import { amount } from '../../../text/amount.ts';
import { Figures, ListTable, ScrollTable } from '../../shared/components.tsx';
import { count, rounded } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { nameOfField } from './mapping-form.ts';
import { UPLOAD_PATH } from './upload-link.tsx';
import { SelectField } from './value-fields.tsx';

const steps = ['File', 'Columns', 'Preview', 'Import'] as const;

/** Where the visitor is on the way from a file to an import, and with which file. */
export function Steps({
  current,
  file,
}: {
  readonly current: (typeof steps)[number];
  readonly file?: { readonly name: string; readonly bytes: number };
}): Html {
  const at = steps.indexOf(current);
  return (
    <div class="steps">
      <ol aria-label="Steps">
        {steps.map((step, index) => (
          <li class={index < at ? 'done' : undefined} aria-current={index === at ? 'step' : undefined}>
            {step}
          </li>
        ))}
      </ol>
      {file !== undefined && (
        <p>
          <strong>{file.name}</strong> <span class="soft">{bytesText(file.bytes)}</span>
        </p>
      )}
    </div>
  );
}

/** A number of bytes in short form, such as 12.4 kB. */
function bytesText(bytes: number): string {
  return bytes < 1_000
    ? amount(bytes, 'byte')
    : bytes < 1_000_000
      ? `${rounded(bytes / 1_000)} kB`
      : `${rounded(bytes / 1_000_000)} MB`;
}

/** The form that sends a file. A script keeps the file from one step to the next. */
export function FileForm({ children }: { readonly children: Content }): Html {
  return (
    <form class="stack" method="post" action={UPLOAD_PATH} enctype="multipart/form-data">
      {children}
    </form>
  );
}

/** Where a file is chosen. */
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

/** Where it is chosen again, without a script. */
export function SameFileField({ name }: { readonly name: string }): Html {
  return (
    <FileField
      hint={`Choose ${name} again: browsers do not keep files from page to page. Only the file of the preview is imported.`}
    />
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
        count(of[name]),
      ])}
    />
  );
}

/** What an import would do. */
export function Preview({
  summary,
  isValid,
}: {
  readonly summary: ImportSummary;
  readonly isValid: boolean;
}): Html {
  const { records, rejected, ignored = [] } = summary;
  return (
    <>
      {isValid ? (
        <ChangeFigures of={summary} />
      ) : (
        <Figures
          figures={[
            ['Records', count(records)],
            ['Valid', count(records - rejected)],
            ['Invalid', count(rejected)],
            ['Errors', count(summary.errorCount)],
          ]}
        />
      )}
      <Errors summary={summary} />
      {summary.examples.length > 0 && <Records records={summary.examples} />}
      {ignored.length > 0 && <p class="soft small">Columns left out: {ignored.join(', ')}</p>}
    </>
  );
}

const SHOWN_TEXT = 60;

/** The errors by kind, with where they are and what to do. */
function Errors({ summary: { groups } }: { readonly summary: ImportSummary }): Html | null {
  return groups.length === 0 ? null : (
    <>
      <ListTable
        caption="Errors, the most frequent first"
        rows={groups}
        columns={[
          ['Field', ({ field }) => nameOfField(field)],
          [
            'Lines of the file',
            ({ count: all, lines }) => (
              <>
                {lines.map((line) => count(line)).join(', ')}
                {all > lines.length && <span class="soft"> and {count(all - lines.length)} more</span>}
              </>
            ),
            'wrap',
          ],
          ['Found, for example', ({ got }) => <code class="long">{got}</code>, 'wrap'],
          ['Allowed', ({ allowed, fix }) => inForm(fix === null ? allowed : `${allowed}; ${fix}`), 'wrap'],
        ]}
      />
      <p class="soft">
        Correct these lines in the file and begin again, say under the columns what the texts mean, or import
        the valid records alone.
      </p>
    </>
  );
}

/** The first records as customers will see them. */
function Records({ records }: { readonly records: readonly ShownRecord[] }): Html {
  const shown = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  return (
    <section class="card records">
      <h2>
        The first {records.length === 1 ? 'record' : `${records.length} records`} as customers will see them
      </h2>
      <ScrollTable
        label="The first records"
        head={shown.map(nameOfField)}
        rows={records.map((record) =>
          shown.map((path) =>
            (record.find((field) => field.path === path)?.text ?? '–').slice(0, SHOWN_TEXT),
          ),
        )}
      />
    </section>
  );
}

/** A message about options of the command, or about a mapping file, for a form. */
export function inForm(message: string): string {
  return message
    .replace(
      / To import the valid records, add --[a-z-]+\./g,
      ' To import the valid records, check the first rule below.',
    )
    .replace(/ Add --[a-z-]+ to allow it\./g, ' A rule below allows it.')
    .replace(/; to set a field that no column has, add .*/, '; set them below')
    .replace('set dollars to false', 'clear “Amounts are in dollars, not in cents” below')
    .replace('map one to name', 'choose one below')
    .replace('Check decimal.', 'Check “Numbers” below.')
    .replace('the mapping assumes', 'the form assumes')
    .replace(/--([a-z]+)/g, '$1');
}

import { startupFieldList } from '../../../startups/fields.ts';
import type { ImportSummary } from '../../../startups/import/import.ts';
import { encodings } from '../../../startups/import/mapping.ts';
import { decimalMarks } from '../../../startups/import/notation.ts';
import type { ShownRecord } from '../../../startups/import/preview.ts';
import type { StoredMapping } from '../../../startups/import/stored-mappings.ts';
import type { MappingSuggestion } from '../../../startups/import/suggest-mapping.ts';
import { categories, labelOf } from '../../../startups/vocabulary.ts';
import { amount } from '../../../text/amount.ts';
import { Badge, ListTable, Notice, ScrollTable } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { fieldOf, type ImportSettings, missingFields, numbered } from './mapping-form.ts';

const paths = startupFieldList.filter(({ computed }) => computed !== true).map(({ path }) => path as string);

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

type Options = readonly (readonly [value: string, label: string])[];

function SelectField({
  name,
  label,
  value,
  options,
  isHidden = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  readonly options: Options;
  /** Whether the label is for screen readers only. */
  readonly isHidden?: boolean;
}): Html {
  return (
    <div class="field">
      {!isHidden && <label for={name}>{label}</label>}
      <select id={name} name={name} aria-label={isHidden ? label : undefined}>
        {options.map(([option, text]) => (
          <option value={option} selected={option === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}

function Check({ name, label, isChecked }: { name: string; label: Content; isChecked: boolean }): Html {
  return (
    <label class="choice">
      <input type="checkbox" name={name} checked={isChecked} /> {label}
    </label>
  );
}

/** Which column is which field, and how the values are written. */
export function MappingFields({
  settings: { mapping, replace, yes, skipInvalid },
  suggestion,
}: {
  readonly settings: ImportSettings;
  readonly suggestion: MappingSuggestion;
}): Html {
  const { categories: named = {} } = mapping;
  const defaults = {
    ...Object.fromEntries(missingFields(mapping).map((path) => [path, ''])),
    ...mapping.defaults,
  };
  const fields: Options = [['', 'Leave out'], ...paths.map((path) => [path, path] as const)];
  const texts = [...new Set([...Object.keys(named), ...suggestion.unknownCategories])];
  const kinds: Options = [
    ['', 'Not a category'],
    ...categories.map((one) => [one, labelOf(one) ?? one] as const),
  ];
  return (
    <>
      <fieldset>
        <legend>Columns</legend>
        <ListTable
          caption="Which field each column contains"
          rows={suggestion.columns.map((column, index) => ({
            ...column,
            ...numbered.column(index),
            header: column.name,
          }))}
          columns={[
            [
              'Column',
              ({ header, name }) => (
                <>
                  {header}
                  <input type="hidden" name={name} value={header} />
                </>
              ),
            ],
            ['First value', ({ example }) => example.slice(0, 40)],
            [
              'Field',
              (column) => (
                <SelectField
                  name={column.value}
                  label={`Field of ${column.header}`}
                  value={fieldOf(mapping, column.header)}
                  options={fields}
                  isHidden
                />
              ),
            ],
            [
              'Suggested',
              ({ field, confidence }) =>
                field === null ? '' : <Badge>{`${field}, ${Math.round(confidence * 100)} %`}</Badge>,
            ],
          ]}
        />
      </fieldset>
      {Object.keys(defaults).length > 0 && (
        <fieldset>
          <legend>Of every startup, because no column has it</legend>
          {Object.entries(defaults).map(([path, value], index) => {
            const names = numbered.default(index);
            return (
              <div class="field short">
                <label for={names.value}>{path}</label>
                <input type="hidden" name={names.name} value={path} />
                <input id={names.value} name={names.value} value={value} maxlength="200" />
              </div>
            );
          })}
        </fieldset>
      )}
      {texts.length > 0 && (
        <fieldset>
          <legend>Categories</legend>
          {texts.map((text, index) => {
            const names = numbered.category(index);
            return (
              <>
                <input type="hidden" name={names.name} value={text} />
                <SelectField
                  name={names.value}
                  label={text}
                  value={(Object.hasOwn(named, text) && named[text]) || ''}
                  options={kinds}
                />
              </>
            );
          })}
        </fieldset>
      )}
      <fieldset>
        <legend>Values</legend>
        <Check
          name="dollars"
          label="Amounts are in dollars, not in cents"
          isChecked={mapping.dollars === true}
        />
        <Check
          name="percentAsFraction"
          label="Percentages are fractions: 0.24 is 24 %"
          isChecked={mapping.percentAsFraction === true}
        />
        <SelectField
          name="decimal"
          label="Numbers"
          value={mapping.decimal ?? ''}
          options={[
            ['', 'with separators are errors'],
            ...decimalMarks.map((mark) => [mark, mark === 'point' ? 'as 1,250.00' : 'as 1.250,00'] as const),
          ]}
        />
        <SelectField
          name="encoding"
          label="Encoding"
          value={mapping.encoding ?? 'utf-8'}
          options={encodings.map((name) => [name, name.toUpperCase()] as const)}
        />
      </fieldset>
      <fieldset>
        <legend>Startups</legend>
        <Check
          name="skipInvalid"
          label="Import the valid records, even if others are invalid"
          isChecked={skipInvalid}
        />
        <Check name="replace" label="Remove the startups that are not in the file" isChecked={replace} />
        <Check name="yes" label="… also if these are more than half of all" isChecked={yes} />
      </fieldset>
    </>
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
          {message}
        </>
      ))}
    </Notice>
  );
}

/** The first records as customers will see them. */
function Records({ records }: { readonly records: readonly ShownRecord[] }): Html {
  const shown = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  return (
    <>
      <h3>The first {amount(records.length, 'record')} as customers will see them</h3>
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

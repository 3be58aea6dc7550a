import {
  type StartupField,
  type StartupFieldPath,
  startupFields,
  storedStartupFields,
} from '../../../startups/fields.ts';
import { encodings, type Mapping, missingFields } from '../../../startups/import/mapping.ts';
import { decimalMarks } from '../../../startups/import/notation.ts';
import type { MappingSuggestion, SuggestedColumn } from '../../../startups/import/suggest-mapping.ts';
import { labelOf } from '../../../startups/vocabulary.ts';
import { amount } from '../../../text/amount.ts';
import { Badge, ListTable } from '../../shared/components.tsx';
import { share } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { fieldOf, type ImportSettings, meaningOf, NO_VALUE, numbered } from './mapping-form.ts';

/** How much of a value is shown. */
const SAMPLE_LENGTH = 40;

type Options = readonly (readonly [value: string, label: string])[];

/** A choice of one value. */
export function SelectField({
  name,
  label,
  value,
  options,
  isHidden = false,
}: {
  readonly name: string;
  readonly label: Content;
  readonly value: string;
  readonly options: Options;
  /** Whether the label is for screen readers only. */
  readonly isHidden?: boolean;
}): Html {
  return (
    <div class="field">
      {!isHidden && <label for={name}>{label}</label>}
      <select id={name} name={name} aria-label={isHidden ? String(label) : undefined}>
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

/** Below it, a suggestion is marked. */
const SURE = 0.7;

/** What is said beside the field of a column. */
function suggestionOf(mapping: Mapping, { name, field, confidence }: SuggestedColumn): Html {
  const chosen = fieldOf(mapping, name);
  const sure = share(confidence);
  return field === null || field !== chosen ? (
    <span class="soft">{field === null ? 'no suggestion' : `suggested: ${field}, ${sure}`}</span>
  ) : (
    <Badge tone={confidence < SURE ? 'warn' : 'good'}>{confidence < SURE ? `${sure}: check it` : sure}</Badge>
  );
}

/** Which column is which field, and how the values are written. */
export function MappingFields({
  mapping,
  suggestion,
}: {
  readonly mapping: Mapping;
  readonly suggestion: MappingSuggestion;
}): Html {
  const assigned = new Set(suggestion.columns.map(({ name }) => fieldOf(mapping, name)));
  const defaults = {
    ...Object.fromEntries(
      missingFields((path) => assigned.has(path), mapping)
        .filter((path) => path !== 'name')
        .map((path) => [path, '']),
    ),
    ...mapping.defaults,
  };
  const fields: Options = [
    ['', 'Leave out'],
    ...storedStartupFields.map(({ path }) => [path, path] as const),
  ];
  return (
    <>
      <ListTable
        caption={`${amount(suggestion.columns.length, 'column')} of the file`}
        rows={suggestion.columns.map((column, index) => ({ column, names: numbered.column(index) }))}
        columns={[
          [
            'Column',
            ({ column, names }) => (
              <>
                {column.name}
                <input type="hidden" name={names.name} value={column.name} />
              </>
            ),
          ],
          [
            'First values',
            ({ column: { examples } }) => (
              <ul class="bare samples-of">
                {examples.map((text) => (
                  <li>{text.slice(0, SAMPLE_LENGTH)}</li>
                ))}
              </ul>
            ),
          ],
          [
            'Field',
            ({ column: { name }, names }) => (
              <SelectField
                name={names.value}
                label={`Field of ${name}`}
                value={fieldOf(mapping, name)}
                options={fields}
                isHidden
              />
            ),
          ],
          ['Confidence', ({ column }) => suggestionOf(mapping, column)],
        ]}
      />
      {Object.keys(defaults).length > 0 && (
        <fieldset class="card">
          <legend>Required fields that no column has</legend>
          <p class="hint">Assign a column above, or give all startups of the file the same value.</p>
          <div class="columns">
            {Object.entries(defaults).map(([path, value], index) => (
              <>
                <input type="hidden" name={numbered.default(index).name} value={path} />
                <ValueField name={numbered.default(index).value} label={path} path={path} value={value} />
              </>
            ))}
          </div>
        </fieldset>
      )}
      {Object.entries(textsOf(mapping, suggestion)).map(([path, texts]) => (
        <fieldset class="card">
          <legend>What texts of {path} mean</legend>
          <p class="hint">Records with a text that has no meaning are invalid.</p>
          <div class="columns">
            {texts.map((text, index) => {
              const names = numbered.text(path)(index);
              return (
                <>
                  <input type="hidden" name={names.name} value={text} />
                  <ValueField
                    name={names.value}
                    label={text}
                    path={path}
                    value={meaningOf(mapping, path, text)}
                    mayBeNone={startupFields[path as StartupFieldPath].nullable}
                  />
                </>
              );
            })}
          </div>
        </fieldset>
      ))}
      <fieldset class="card">
        <legend>How values are written</legend>
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
        <div class="columns">
          <SelectField
            name="decimal"
            label="Numbers"
            value={mapping.decimal ?? ''}
            options={[
              ['', 'with separators are errors'],
              ...decimalMarks.map(
                (mark) => [mark, mark === 'point' ? 'as 1,250.00' : 'as 1.250,00'] as const,
              ),
            ]}
          />
          <SelectField
            name="encoding"
            label="Encoding"
            value={mapping.encoding ?? 'utf-8'}
            options={encodings.map((name) => [name, name.toUpperCase()] as const)}
          />
        </div>
      </fieldset>
    </>
  );
}

/** Which records are imported, and which startups are removed. */
export function RuleFields({
  settings: { replace, yes, skipInvalid },
}: {
  readonly settings: ImportSettings;
}): Html {
  return (
    <fieldset>
      <legend>Rules</legend>
      <Check
        name="skipInvalid"
        label="Import the valid records, even if others are invalid"
        isChecked={skipInvalid}
      />
      <Check name="replace" label="Remove the startups that are not in the file" isChecked={replace} />
      <Check name="yes" label="… also if these are more than half of all" isChecked={yes} />
    </fieldset>
  );
}

/** The texts whose meaning can be chosen, by the fields that they are of. */
function textsOf({ values = {} }: Mapping, { unknownTexts }: MappingSuggestion): Record<string, string[]> {
  const paths = new Set([...Object.keys(values), ...Object.keys(unknownTexts)]);
  return Object.fromEntries(
    [...paths].map((path) => [
      path,
      [...new Set([...Object.keys(values[path] ?? {}), ...(unknownTexts[path] ?? [])])],
    ]),
  );
}

/** A value of a field. Nothing is chosen for an operator. */
function ValueField({
  name,
  label,
  path,
  value,
  mayBeNone = false,
}: {
  readonly name: string;
  readonly label: string;
  readonly path: string;
  readonly value: string;
  readonly mayBeNone?: boolean;
}): Html {
  const { kind, values = [] }: StartupField = startupFields[path as StartupFieldPath];
  const allowed = kind === 'boolean' ? ['true', 'false'] : values;
  const marked =
    value === '' ? (
      <>
        {label} <Badge tone="warn">missing</Badge>
      </>
    ) : (
      label
    );
  return allowed.length > 0 ? (
    <SelectField
      name={name}
      label={marked}
      value={value}
      options={[
        ['', 'Choose …'],
        ...(mayBeNone ? [[NO_VALUE, 'No value'] as const] : []),
        ...allowed.map((one) => [one, labelOf(one) ?? one] as const),
      ]}
    />
  ) : (
    <div class="field short">
      <label for={name}>{marked}</label>
      <input id={name} name={name} value={value} maxlength="200" />
    </div>
  );
}

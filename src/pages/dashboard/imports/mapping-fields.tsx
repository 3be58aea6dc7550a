import {
  type StartupField,
  type StartupFieldPath,
  startupFields,
  storedStartupFields,
} from '../../../startups/fields.ts';
import { encodings, type Mapping, missingFields } from '../../../startups/import/mapping.ts';
import { decimalMarks } from '../../../startups/import/notation.ts';
import type { MappingSuggestion } from '../../../startups/import/suggest-mapping.ts';
import { labelOf } from '../../../startups/vocabulary.ts';
import { Badge, ListTable } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { fieldOf, type ImportSettings, meaningOf, NO_VALUE, numbered } from './mapping-form.ts';

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
          {Object.entries(defaults).map(([path, value], index) => (
            <>
              <input type="hidden" name={numbered.default(index).name} value={path} />
              <ValueField name={numbered.default(index).value} label={path} path={path} value={value} />
            </>
          ))}
        </fieldset>
      )}
      {Object.entries(textsOf(mapping, suggestion)).map(([path, texts]) => (
        <fieldset>
          <legend>What texts of {path} mean</legend>
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
        </fieldset>
      ))}
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
  return allowed.length > 0 ? (
    <SelectField
      name={name}
      label={label}
      value={value}
      options={[
        ['', 'Choose …'],
        ...(mayBeNone ? [[NO_VALUE, 'No value'] as const] : []),
        ...allowed.map((one) => [one, labelOf(one) ?? one] as const),
      ]}
    />
  ) : (
    <div class="field short">
      <label for={name}>{label}</label>
      <input id={name} name={name} value={value} maxlength="200" />
    </div>
  );
}

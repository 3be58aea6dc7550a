import { storedStartupFields } from '../../../startups/fields.ts';
import { encodings, type Mapping, missingFields } from '../../../startups/import/mapping.ts';
import { decimalMarks } from '../../../startups/import/notation.ts';
import type { MappingSuggestion, SuggestedColumn } from '../../../startups/import/suggest-mapping.ts';
import { amount } from '../../../text/amount.ts';
import { Badge, ListTable } from '../../shared/components.tsx';
import { share } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { type Options, SelectField } from '../forms.tsx';
import { fieldOf, type ImportSettings, meaningOf, nameOfField, numbered } from './mapping-form.ts';
import { Meanings, textsOf, ValueField } from './value-fields.tsx';

/** How much of a value is shown. */
const SAMPLE_LENGTH = 40;

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
    <span class="soft">{field === null ? 'no suggestion' : `suggested: ${nameOfField(field)}, ${sure}`}</span>
  ) : confidence < SURE ? (
    <Badge tone="warn">{sure}: check it</Badge>
  ) : (
    <span title={sure}>✓</span>
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
    ...storedStartupFields.map(({ path }) => [path, nameOfField(path)] as const),
  ];
  const texts = textsOf(mapping, suggestion);
  // Of several columns of a field, which is an error, one asks what its texts mean.
  const asking = new Map(suggestion.columns.map(({ name }) => [fieldOf(mapping, name), name]));
  const used = suggestion.columns.filter(({ name }) => fieldOf(mapping, name) !== '').length;
  const caption = `${used} of ${amount(suggestion.columns.length, 'column')} have a field; the others are left out.`;
  return (
    <>
      <ListTable
        caption={
          texts.size === 0 ? caption : `${caption} Records with a text that has no meaning are invalid.`
        }
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
              <div class="stack">
                <SelectField
                  name={names.value}
                  label={`Field of ${name}`}
                  value={fieldOf(mapping, name)}
                  options={fields}
                  isHidden
                />
                {asking.get(fieldOf(mapping, name)) === name && (
                  <Meanings
                    mapping={mapping}
                    path={fieldOf(mapping, name)}
                    texts={texts.get(fieldOf(mapping, name)) ?? []}
                    read={suggestion.read}
                  />
                )}
              </div>
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
                <ValueField
                  name={numbered.default(index).value}
                  label={nameOfField(path)}
                  path={path}
                  value={value}
                />
              </>
            ))}
          </div>
        </fieldset>
      )}
      {[...texts].map(
        ([path, unassigned]) =>
          !asking.has(path) &&
          unassigned.map(({ text }, index) => (
            <>
              <input type="hidden" name={numbered.text(path)(index).name} value={text} />
              <input
                type="hidden"
                name={numbered.text(path)(index).value}
                value={meaningOf(mapping, path, text)}
              />
            </>
          )),
      )}
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
export function RuleFields({ settings: { replace, yes } }: { readonly settings: ImportSettings }): Html {
  return (
    <fieldset>
      <legend>Rules</legend>
      <Check name="replace" label="Remove the startups that are not in the file" isChecked={replace} />
      <Check name="yes" label="… also if these are more than half of all" isChecked={yes} />
    </fieldset>
  );
}

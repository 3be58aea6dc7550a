import { amount } from '../../../lib/text/amount.ts';
import { encodings, type Mapping, missingFields } from '../../../startups/import/mapping.ts';
import { decimalMarks } from '../../../startups/import/notation.ts';
import type { MappingSuggestion, SuggestedColumn } from '../../../startups/import/suggest-mapping.ts';
import { storedStartupFields } from '../../../startups/model/fields.ts';
import { Badge, ListTable } from '../../shared/components.tsx';
import { count, share } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { type Options, SelectField } from '../forms.tsx';
import { fieldOf, type ImportSettings, meaningOf, nameOfField, numbered } from './mapping-form.ts';
import { type AskedText, Meanings, textsOf, ValueField } from './value-fields.tsx';

/** How much of a value is shown. */
const SAMPLE_LENGTH = 40;

function Check({ name, label, isChecked }: { name: string; label: Content; isChecked: boolean }): Html {
  return (
    <label class="choice">
      <input type="checkbox" name={name} checked={isChecked} /> {label}
    </label>
  );
}

/** Below it, a suggestion is to be checked. */
const SURE = 0.7;
/** So many of the columns that are left out are named. */
const NAMED = 8;

/** A column with the names of its fields in the form, and the texts that the form asks for a meaning of. */
interface AskedColumn {
  readonly column: SuggestedColumn;
  readonly names: ReturnType<typeof numbered.column>;
  readonly texts: readonly AskedText[];
}

/** Which column is which field, and how the values are written: what is open first, and what is solved folded. */
export function MappingFields({
  mapping,
  suggestion,
}: {
  readonly mapping: Mapping;
  readonly suggestion: MappingSuggestion;
}): Html {
  const assigned = suggestion.columns.map(({ name }) => fieldOf(mapping, name));
  const missing = missingFields((path) => assigned.includes(path), mapping);
  const hasName = !missing.includes('name');
  const defaults = {
    ...Object.fromEntries(missing.filter((path) => path !== 'name').map((path) => [path, ''])),
    ...mapping.defaults,
  };
  const fields: Options = [
    ['', 'Leave out'],
    ...storedStartupFields.map(({ path }) => [path, nameOfField(path)] as const),
  ];
  const texts = textsOf(mapping, suggestion);
  // Of several columns of a field, which is an error, one asks what its texts mean.
  const asking = new Map(suggestion.columns.map(({ name }) => [fieldOf(mapping, name), name]));
  const all = suggestion.columns.map((column, index): AskedColumn => {
    const path = fieldOf(mapping, column.name);
    return {
      column,
      names: numbered.column(index),
      texts: asking.get(path) === column.name ? (texts.get(path) ?? []) : [],
    };
  });
  const unanswered = ({ column, texts }: AskedColumn) =>
    texts.filter(({ text }) => meaningOf(mapping, fieldOf(mapping, column.name), text) === '');
  /** Why the field of a column is to be checked. */
  const doubtOf = ({ column: { name, field, confidence } }: AskedColumn): string | undefined => {
    const path = fieldOf(mapping, name);
    return path !== '' && assigned.indexOf(path) !== assigned.lastIndexOf(path)
      ? 'two columns have this field'
      : field !== null && field === path && confidence < SURE
        ? `${share(confidence)} sure: check it`
        : undefined;
  };
  // A column that is left out may be the one of a field that is missing.
  const isCandidate = ({ column: { name } }: AskedColumn) =>
    missing.length > 0 && fieldOf(mapping, name) === '';
  const open = all.filter(
    (one) => unanswered(one).length > 0 || doubtOf(one) !== undefined || isCandidate(one),
  );
  const solved = all.filter((one) => !open.includes(one));
  const questions =
    (hasName ? 0 : 1) +
    Object.values(defaults).filter((value) => value === '').length +
    open.reduce((sum, one) => sum + unanswered(one).length, 0);
  const leftOut = solved.flatMap(({ column: { name } }) => (fieldOf(mapping, name) === '' ? name : []));
  const recognized = solved.length - leftOut.length;
  const table = (rows: readonly AskedColumn[], caption: string): Html => (
    <ListTable
      caption={caption}
      isCaptionHidden
      rows={rows}
      columns={[
        [
          'Column',
          ({ column: { name, examples }, names }) => (
            <>
              <span class="two-lines">
                <span>{name}</span>
                <span class="soft samples-of">
                  {examples.map((text) => text.slice(0, SAMPLE_LENGTH)).join(' · ')}
                </span>
              </span>
              <input type="hidden" name={names.name} value={name} />
            </>
          ),
        ],
        [
          'Field',
          (one) => (
            <div class="stack">
              <SelectField
                name={one.names.value}
                label={`Field of ${one.column.name}`}
                value={fieldOf(mapping, one.column.name)}
                options={fields}
                isHidden
              />
              {doubtOf(one) !== undefined && <Badge tone="warn">{doubtOf(one)}</Badge>}
            </div>
          ),
        ],
        [
          'Meaning of values',
          ({ column: { name }, texts }) =>
            texts.length > 0 && (
              <div class="stack">
                <Meanings
                  mapping={mapping}
                  path={fieldOf(mapping, name)}
                  texts={texts}
                  read={suggestion.read}
                />
              </div>
            ),
        ],
      ]}
    />
  );
  return (
    <>
      <div>
        <h2>{questions === 0 ? 'Nothing to answer' : `${count(questions)} to answer`}</h2>
        <p class="hint">
          {questions === 0
            ? 'Every required field has a column or a value.'
            : !hasName
              ? 'Choose the column that has the name.'
              : texts.size > 0 && 'A record with a value that has no meaning is invalid.'}
        </p>
      </div>
      {Object.keys(defaults).length > 0 && (
        <fieldset class="card">
          <legend>Required fields that no column has</legend>
          <p class="hint">Assign a column below, or give all startups of the file the same value.</p>
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
      {open.length > 0 && table(open, 'Columns to check')}
      {solved.length > 0 && (
        <details class="card solved" open={!hasName || (questions === 0 && open.length === 0)}>
          <summary>
            <strong>{amount(recognized, 'column')} recognized</strong>
            {leftOut.length > 0 && (
              <>
                , {count(leftOut.length)} left out: {leftOut.slice(0, NAMED).join(', ')}
                {leftOut.length > NAMED && ' …'}
              </>
            )}
          </summary>
          {table(solved, 'Recognized columns, and those left out')}
        </details>
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
        <div class="columns">
          <div class="notation">
            <Check
              name="dollars"
              label="Amounts are in dollars, not in cents"
              isChecked={mapping.dollars === true}
            />
            <Check
              name="percentAsFraction"
              label="Percentages are fractions: 0.24 is 24&nbsp;%"
              isChecked={mapping.percentAsFraction === true}
            />
          </div>
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

import type { ImportFields } from '../../../startups/import/columns/import-fields.ts';
import {
  canBeIndexed,
  isSortedBy,
  OWN_NAME_LENGTH,
  type OwnField,
  type OwnKind,
  ownKinds,
  ownPath,
} from '../../../startups/model/own-fields.ts';
import { LABEL_LENGTH } from '../../../startups/own/declarations.ts';
import { checkbox, field, type Options } from '../../page/forms.tsx';
import type { Form } from '../../page/page.ts';
import type { Html } from '../../shared/jsx.ts';
import { numbered } from './mapping-form.ts';
import { errorsOf, newFieldOf, typedField } from './own-columns.ts';

/** What the kinds of fields are called where one is chosen, in the order of the choices. */
const kindNames = {
  count: 'Whole number',
  cents: 'Amount of money',
  percent: 'Percentage',
  number: 'Number',
  date: 'Date',
  boolean: 'Yes or no',
  choice: 'One of some values',
  text: 'Text',
  url: 'Address of a page',
  texts: 'List of texts',
} satisfies Readonly<Record<OwnKind, string>>;

/** As what a column can be kept that no field is for. */
export const newFieldOptions: Options = (Object.keys(kindNames) as OwnKind[]).map(
  (kind) => [newFieldOf(kind), kindNames[kind]] as const,
);

const sortableText = (added: OwnField): string =>
  isSortedBy({ ...added, indexed: true })
    ? 'Sortable: lists can be sorted and filtered by it'
    : 'Lists can be filtered by it';

/** What a new field is called, and whether it is sortable. What was typed and is not allowed stays, with the reason. */
export function NewFieldInputs({
  fields,
  added,
  index,
  sent,
}: {
  readonly fields: ImportFields;
  readonly added: OwnField;
  /** Of its column. */
  readonly index: number;
  readonly sent: Form;
}): Html {
  const { name, kind, label, indexed } = added;
  const names = numbered('column', index);
  const errors = errorsOf(fields, added, sent, index);
  const typed = typedField(sent, names);
  const shown = (input: string, value: string, sentValue = ''): string =>
    errors[input] === undefined ? value : sentValue;
  const of = { values: {}, errors };
  const sortableError = errors[names.sortable];
  return (
    <fieldset>
      <legend>New field: {kindNames[kind].toLowerCase()}</legend>
      <p class="hint">
        Programs read it as <span class="mono">{ownPath(name)}</span>: {ownKinds[kind].meaning}.
      </p>
      <div class="stack">
        {field({
          name: names.own,
          label: 'Name',
          value: shown(names.own, name, typed?.name),
          sent: of,
          isRequired: false,
          maxLength: OWN_NAME_LENGTH,
          autocomplete: 'off',
        })}
        {field({
          name: names.label,
          label: 'Label',
          value: shown(names.label, label, typed?.label),
          sent: of,
          isRequired: false,
          maxLength: LABEL_LENGTH,
          autocomplete: 'off',
        })}
      </div>
      {canBeIndexed(kind) &&
        checkbox(names.sortable, sortableText(added), indexed || sortableError !== undefined)}
      {sortableError !== undefined && <p class="error">{sortableError}</p>}
    </fieldset>
  );
}

import { createFieldNames } from '../../../startups/import/columns/field-names.ts';
import type { ImportFields } from '../../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import { ASKED } from '../../../startups/import/notation/checks.ts';
import { countries } from '../../../startups/model/countries.ts';
import type { ImportField } from '../../../startups/model/fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { type Options, SelectField } from '../../page/forms.tsx';
import type { Form } from '../../page/page.ts';
import { textFormats } from '../../parts/startups/filters.ts';
import { Badge } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { shorten } from './column-answer.tsx';
import { choiceOf, numbered, shownValue, typedIn } from './mapping-form.ts';

/** What the texts of a column mean that are no values of its field. */
export function Meanings({ fields, mapping, path, sent }: ValuesProps & { readonly path: string }): Html {
  const typed = typedIn(sent, path);
  const fieldNames = createFieldNames(fields, mapping);
  return (
    <div class="stack">
      {Object.entries(mapping.values?.[path] ?? {}).map(([text, value], index) => {
        const names = numbered(path, index);
        return [
          <input type="hidden" name={names.key} value={text} />,
          <ValueField
            fields={fields}
            name={names.value}
            label={`“${shorten(text)}”`}
            path={path}
            value={value === ASKED ? (typed[text] ?? '') : shownValue(fieldNames, path, choiceOf(value))}
            isWrong={value === ASKED}
            typedName={names.typed}
          />,
        ];
      })}
    </div>
  );
}

/** The settings that values are of, with the fields that they name, and the form in which they were sent. */
export interface ValuesProps {
  readonly fields: ImportFields;
  readonly mapping: Mapping;
  readonly sent: Form;
}

/** The values of a field that has few, with their labels. */
function choicesIn({ kind, values = [] }: ImportField): Options {
  const codes = kind === 'boolean' ? ['true', 'false'] : kind === 'country' ? countries : values;
  const labelIn = kind === 'country' ? textFormats.country : labelOf;
  return codes.map((code) => [code, labelIn?.(code) ?? code] as const);
}

/** A value of a field: of startups that have none, or what a text of the file means. Nothing is chosen for an operator. */
export function ValueField({
  fields,
  name,
  label,
  path,
  value,
  typedName,
  isWrong = false,
  isOptional = false,
}: {
  readonly fields: ImportFields;
  readonly name: string;
  readonly label: string;
  readonly path: string;
  readonly value: string;
  /** Of a text, which may also mean no value, or stay an error: the name of what is typed instead of a choice. */
  readonly typedName?: string;
  readonly isWrong?: boolean;
  /** Whether it may stay empty. */
  readonly isOptional?: boolean;
}): Html {
  const field = fields.byPath.get(path) as ImportField;
  const { kind, nullable } = field;
  const allowed = choicesIn(field);
  const open = typedName === undefined ? 'missing' : 'needs an answer';
  const mark = value === '' ? !isOptional && open : isWrong && `${value} is not allowed`;
  const marked = [label, ' ', mark && <Badge tone="warn">{mark}</Badge>];
  const others: Options =
    typedName === undefined
      ? []
      : [...(nullable ? [['none', 'No value'] as const] : []), ['invalid', 'Reject the row']];
  if (allowed.length > 0) {
    const options = [['', 'Choose …'] as const, ...others, ...allowed];
    return <SelectField name={name} label={marked} value={value} options={options} />;
  }
  const isTyped = !others.some(([one]) => one === value);
  const what = kind === 'cents' ? ' (US dollars)' : '';
  return typedName === undefined ? (
    <div class="field short">
      <label for={name}>{marked}</label>
      <input id={name} name={name} value={value} maxlength="200" />
    </div>
  ) : (
    <div class="stack typed">
      <SelectField
        name={name}
        label={marked}
        value={isTyped ? '' : value}
        options={[['', `Replace with${what} …`], ...others]}
      />
      <input
        name={typedName}
        aria-label={`Value of ${label}${what}`}
        value={isTyped ? value : ''}
        maxlength="200"
      />
    </div>
  );
}

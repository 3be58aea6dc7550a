import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import { type StartupField, type StartupFieldPath, startupFields } from '../../../startups/model/fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { Badge } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { SelectField } from '../forms.tsx';
import { INVALID, meaningOf, NO_VALUE, numbered } from './mapping-form.ts';

const SAMPLE_LENGTH = 40;
/** Part of a text of the file. */
export const cut = (text: string): string =>
  text.length > SAMPLE_LENGTH ? `${text.slice(0, SAMPLE_LENGTH)}…` : text;

/** What the texts of a column mean that are no values of its field. */
export function Meanings({
  mapping,
  path,
  isKept = false,
}: {
  readonly mapping: Mapping;
  readonly path: string;
  readonly isKept?: boolean;
}): Html {
  const texts = Object.keys(mapping.values?.[path] ?? {}).map((text, index) => {
    const names = numbered.text(path)(index);
    const value = meaningOf(mapping, path, text);
    return (
      <>
        <input type="hidden" name={names.name} value={text} />
        {isKept ? (
          <input type="hidden" name={names.value} value={value} />
        ) : (
          <ValueField
            name={names.value}
            label={`“${cut(text)}”`}
            path={path}
            value={value}
            isText
            mayBeNone={startupFields[path as StartupFieldPath].nullable}
          />
        )}
      </>
    );
  });
  return <div class="stack">{texts}</div>;
}

/** A value of a field. Nothing is chosen for an operator. */
export function ValueField({
  name,
  label,
  path,
  value,
  mayBeNone = false,
  isText = false,
}: {
  readonly name: string;
  readonly label: Content;
  readonly path: string;
  readonly value: string;
  readonly mayBeNone?: boolean;
  /** Whether it is what a text of the file means. */
  readonly isText?: boolean;
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
        ...(isText ? [[INVALID, 'An error'] as const] : []),
        ...allowed.map((one) => [one, labelOf(one) ?? one] as const),
      ]}
    />
  ) : (
    <div class="field short">
      <label for={name}>{marked}</label>
      <input id={name} name={name} value={value} maxlength="200" />
      {isText && (
        <p class="hint">
          {mayBeNone && 'none: no value; '}
          {INVALID}: an error
        </p>
      )}
    </div>
  );
}

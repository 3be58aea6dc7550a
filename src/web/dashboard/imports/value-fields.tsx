import { amount } from '../../../lib/text/amount.ts';
import type { UnknownText } from '../../../startups/import/guess-texts.ts';
import type { Mapping } from '../../../startups/import/mapping.ts';
import type { MappingSuggestion } from '../../../startups/import/suggest-mapping.ts';
import { type StartupField, type StartupFieldPath, startupFields } from '../../../startups/model/fields.ts';
import { labelOf } from '../../../startups/model/vocabulary.ts';
import { Badge } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { SelectField } from '../forms.tsx';
import { meaningOf, NO_VALUE, numbered } from './mapping-form.ts';

/** A text whose meaning can be chosen, and how many of the records that were read have it, if it was found unknown. */
export type AskedText = Pick<UnknownText, 'text'> & Partial<UnknownText>;

/** These texts, by the fields that they are of. */
export function textsOf(
  { values = {} }: Mapping,
  { unknownTexts }: MappingSuggestion,
): Map<string, AskedText[]> {
  const paths = new Set([...Object.keys(values), ...Object.keys(unknownTexts)]);
  return new Map(
    [...paths].map((path) => {
      const unknown = unknownTexts[path] ?? [];
      const known = Object.keys(values[path] ?? {}).filter((text) =>
        unknown.every((one) => one.text !== text),
      );
      return [path, [...unknown, ...known.map((text) => ({ text }))]];
    }),
  );
}

/** What the texts of a column mean. */
export function Meanings({
  mapping,
  path,
  texts,
  read,
}: {
  readonly mapping: Mapping;
  readonly path: string;
  readonly texts: readonly AskedText[];
  readonly read: number;
}): Html {
  const questions = texts.map(({ text, records }, index) => {
    const names = numbered.text(path)(index);
    return (
      <>
        <input type="hidden" name={names.name} value={text} />
        <ValueField
          name={names.value}
          label={
            <>
              “{text}”
              {records !== undefined && (
                <span class="soft small">
                  {' '}
                  in {count(records)} of the first {amount(read, 'record')}
                </span>
              )}
            </>
          }
          path={path}
          value={meaningOf(mapping, path, text)}
          mayBeNone={startupFields[path as StartupFieldPath].nullable}
        />
      </>
    );
  });
  return <>{questions}</>;
}

/** A value of a field. Nothing is chosen for an operator. */
export function ValueField({
  name,
  label,
  path,
  value,
  mayBeNone = false,
}: {
  readonly name: string;
  readonly label: Content;
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

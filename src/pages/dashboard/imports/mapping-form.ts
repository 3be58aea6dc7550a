import { startupFieldList } from '../../../startups/fields.ts';
import { type Encoding, encodings, type Mapping } from '../../../startups/import/mapping.ts';
import { type DecimalMark, decimalMarks } from '../../../startups/import/notation.ts';
import type { Form } from '../page.ts';

/** What the form beside the columns says. */
export interface ImportSettings {
  readonly mapping: Mapping;
  readonly replace: boolean;
  /** Whether a replacement may remove more than half. */
  readonly yes: boolean;
  readonly skipInvalid: boolean;
}

/** The names of the fields of a form for one of several columns, defaults or categories. */
export const numbered = {
  column: (index: number) => ({ name: `column.${index}.name`, value: `column.${index}.field` }),
  default: (index: number) => ({ name: `default.${index}.field`, value: `default.${index}.value` }),
  category: (index: number) => ({ name: `category.${index}.text`, value: `category.${index}.is` }),
} as const;

/** Whether a form was sent by the page that shows the columns. */
export function hasMapping(form: Form): boolean {
  return form.previewed !== undefined;
}

const paths: ReadonlySet<string> = new Set(
  startupFieldList.filter(({ computed }) => computed !== true).map(({ path }) => path),
);

/** The field that a column contains; empty if it is left out. */
export function fieldOf({ columns = {} }: Mapping, name: string): string {
  return Object.hasOwn(columns, name) ? (columns[name] ?? '') : paths.has(name) ? name : '';
}

/** The settings as the form sends them that shows them for these columns. */
export function asSent(
  settings: ImportSettings,
  columns: readonly { readonly name: string }[],
): ImportSettings {
  const { mapping } = settings;
  const { dollars, percentAsFraction, decimal, encoding = 'utf-8' } = mapping;
  const filled = (texts: Readonly<Record<string, string>> = {}) =>
    Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
  return {
    ...settings,
    mapping: {
      columns: filled(Object.fromEntries(columns.map(({ name }) => [name, fieldOf(mapping, name)]))),
      defaults: filled(mapping.defaults),
      categories: filled(mapping.categories),
      ignoreUnknown: true,
      ...(dollars === true && { dollars }),
      ...(percentAsFraction === true && { percentAsFraction }),
      ...(decimal !== undefined && { decimal }),
      encoding,
    },
  };
}

/** Required fields that no column and no default has. */
export function missingFields({ columns = {}, defaults = {} }: Mapping): string[] {
  const found = new Set([...Object.values(columns), ...Object.keys(defaults), 'name', 'slug']);
  return startupFieldList
    .filter(
      ({ nullable, default: fallback, path }) => !nullable && fallback === undefined && !found.has(path),
    )
    .map(({ path }) => path);
}

/** The settings of a form. What it names is checked with the import. */
export function readSettings(form: Form): ImportSettings {
  const isSet = (name: string): true | undefined => (form[name] === 'on' ? true : undefined);
  const oneOf = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
    values.find((value) => value === text);
  const mapping: Mapping = {
    columns: pairs(form, numbered.column),
    defaults: pairs(form, numbered.default),
    categories: pairs(form, numbered.category),
    ignoreUnknown: true,
    dollars: isSet('dollars'),
    percentAsFraction: isSet('percentAsFraction'),
    decimal: oneOf<DecimalMark>(decimalMarks, form.decimal),
    encoding: oneOf<Encoding>(encodings, form.encoding),
  };
  return {
    mapping,
    replace: isSet('replace') ?? false,
    yes: isSet('yes') ?? false,
    skipInvalid: isSet('skipInvalid') ?? false,
  };
}

/** The pairs of a numbered kind of field that have a value. */
function pairs(
  form: Form,
  names: (index: number) => { name: string; value: string },
): Record<string, string> {
  const found: Record<string, string> = {};
  for (let index = 0; ; index += 1) {
    const { name, value } = names(index);
    const [key, text] = [form[name], form[value]];
    if (key === undefined) {
      return found;
    }
    if (text !== undefined && text !== '') {
      found[key] = text;
    }
  }
}

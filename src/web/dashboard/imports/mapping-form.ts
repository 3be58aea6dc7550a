import { OperatorError } from '../../../lib/errors.ts';
import { type Encoding, encodings, type Mapping, missingFields } from '../../../startups/import/mapping.ts';
import { readMappingValue } from '../../../startups/import/mapping-value.ts';
import { type DecimalMark, decimalMarks } from '../../../startups/import/notation.ts';
import type { MappingSuggestion } from '../../../startups/import/suggest-mapping.ts';
import { labelOfField } from '../../../startups/model/field-labels.ts';
import { type StartupFieldPath, startupFields, storedStartupFields } from '../../../startups/model/fields.ts';
import type { Form } from '../page.ts';

/** What the form beside the columns says. */
export interface ImportSettings {
  readonly mapping: Mapping;
  readonly replace: boolean;
  /** Whether a replacement may remove more than half. */
  readonly yes: boolean;
  readonly skipInvalid: boolean;
}

/** The names of the fields of a form for one of several columns, defaults or texts. */
export const numbered = {
  column: (index: number) => ({ name: `column.${index}.name`, value: `column.${index}.field` }),
  default: (index: number) => ({ name: `default.${index}.field`, value: `default.${index}.value` }),
  text: (field: string) => (index: number) => ({
    name: `${field}.${index}.text`,
    value: `${field}.${index}.is`,
  }),
} as const;

/** Chosen for a text that means no value: an empty choice is none yet. */
export const NO_VALUE = 'none';

/** What is chosen for a text of a field. */
export function meaningOf({ values = {} }: Mapping, path: string, text: string): string {
  const texts = values[path] ?? {};
  return Object.hasOwn(texts, text) ? texts[text] || NO_VALUE : '';
}

/** Whether a form was sent by a page after the first. */
export function hasMapping(form: Form): boolean {
  return form.previewed !== undefined;
}

const paths: ReadonlySet<string> = new Set(storedStartupFields.map(({ path }) => path));

/** The field that a column contains; empty if it is left out. */
export function fieldOf({ columns = {} }: Mapping, name: string): string {
  return Object.hasOwn(columns, name) ? (columns[name] ?? '') : paths.has(name) ? name : '';
}

/** What a field is called; a name that is none is unchanged. */
export function nameOfField(path: string): string {
  return Object.hasOwn(startupFields, path) ? labelOfField(path as StartupFieldPath) : path;
}

/** The required fields that the form asks for and has no answer to. */
export function openQuestions({ mapping }: ImportSettings, { columns }: MappingSuggestion): string[] {
  const assigned = new Set(columns.map(({ name }) => fieldOf(mapping, name)));
  return missingFields((path) => assigned.has(path), mapping).map((path) =>
    path === 'name' ? 'which column is the name' : nameOfField(path),
  );
}

/** The settings as the form sends them that shows them for these columns. */
export function asSent(
  settings: ImportSettings,
  columns: readonly { readonly name: string }[],
): ImportSettings {
  const { mapping } = settings;
  const { dollars, percentAsFraction, decimal, encoding = 'utf-8' } = mapping;
  return {
    ...settings,
    mapping: {
      columns: Object.fromEntries(
        columns
          .map(({ name }) => [name, fieldOf(mapping, name)] as const)
          // A column that has the name of a field is left out only if the mapping says so.
          .filter(([name, field]) => field !== '' || paths.has(name)),
      ),
      defaults: filled(mapping.defaults),
      values: mapping.values ?? {},
      ignoreUnknown: true,
      ...(dollars === true && { dollars }),
      ...(percentAsFraction === true && { percentAsFraction }),
      ...(decimal !== undefined && { decimal }),
      encoding,
    },
  };
}

/**
 * The settings of a form. What it names is checked with the import.
 *
 * @throws OperatorError for a mapping that no page has written.
 */
export function readSettings(form: Form): ImportSettings {
  const isSet = (name: string): true | undefined => (form[name] === 'on' ? true : undefined);
  const oneOf = <T extends string>(values: readonly T[], text: string | undefined): T | undefined =>
    values.find((value) => value === text);
  const chosen = (): Mapping => ({
    columns: pairs(form, numbered.column),
    defaults: filled(pairs(form, numbered.default)),
    values: readValues(form),
    ignoreUnknown: true,
    dollars: isSet('dollars'),
    percentAsFraction: isSet('percentAsFraction'),
    decimal: oneOf<DecimalMark>(decimalMarks, form.decimal),
    encoding: oneOf<Encoding>(encodings, form.encoding),
  });
  return {
    mapping: form.mapping === undefined ? chosen() : readMappingText(form.mapping),
    replace: isSet('replace') ?? false,
    yes: isSet('yes') ?? false,
    skipInvalid: isSet('skipInvalid') ?? false,
  };
}

/** The mapping as the page of the preview sends it. */
function readMappingText(text: string): Mapping {
  try {
    return readMappingValue(JSON.parse(text), 'The form');
  } catch {
    throw new OperatorError('The form is damaged: begin again.');
  }
}

function filled(texts: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text !== ''));
}

function readValues(form: Form): NonNullable<Mapping['values']> {
  return Object.fromEntries(
    [...paths]
      .map((path) => [path, Object.entries(filled(pairs(form, numbered.text(path))))] as const)
      .filter(([, texts]) => texts.length > 0)
      .map(([path, texts]) => [
        path,
        Object.fromEntries(texts.map(([text, value]) => [text, value === NO_VALUE ? '' : value])),
      ]),
  );
}

/** The pairs of a numbered kind of field. */
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
    if (text !== undefined) {
      found[key] = text;
    }
  }
}

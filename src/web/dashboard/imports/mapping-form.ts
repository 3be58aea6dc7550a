import { OperatorError } from '../../../lib/errors.ts';
import type { Examination } from '../../../startups/import/columns/examine.ts';
import { createFieldNames } from '../../../startups/import/columns/field-names.ts';
import { type Mapping, readMappingValue } from '../../../startups/import/columns/mapping.ts';
import { readAnswer, unitsOf, wordsFor } from '../../../startups/import/values/notations.ts';
import { labelOfField } from '../../../startups/model/field-labels.ts';
import {
  type StartupField,
  type StartupFieldPath,
  startupFields,
  storedStartupFields,
} from '../../../startups/model/fields.ts';
import type { Form } from '../page.ts';

/** What the form beside the columns says. */
export interface ImportSettings {
  readonly mapping: Mapping;
  readonly replace: boolean;
  /** Whether a replacement may remove more than half. */
  readonly yes: boolean;
  readonly skipInvalid: boolean;
}

/** The names of the fields of a form for one of several columns, defaults, rows or texts. */
export const numbered = {
  /** `is` is the answer that the page showed. */
  column: (index: number) => ({
    name: `column.${index}.name`,
    value: `column.${index}.field`,
    notation: `column.${index}.notation`,
    is: `column.${index}.is`,
  }),
  default: (index: number) => ({ name: `default.${index}.field`, value: `default.${index}.value` }),
  row: (index: number) => ({ name: `row.${index}.name`, value: `row.${index}.answer` }),
  text: (field: string) => (index: number) => ({
    name: `${field}.${index}.text`,
    value: `${field}.${index}.is`,
  }),
} as const;

/** Chosen for a text that means no value: an empty choice is none yet. */
export const NO_VALUE = 'none';
/** Chosen for a text that stays an error. */
export const INVALID = 'invalid';
/** Chosen for a column whose question is still open. */
export const OPEN = '?';

/** What is chosen for a text of a field. */
export function meaningOf({ values = {} }: Mapping, path: string, text: string): string {
  const texts = values[path] ?? {};
  const meaning = Object.hasOwn(texts, text) ? texts[text] || NO_VALUE : '';
  return meaning === OPEN ? '' : meaning;
}

/** Whether a form was sent by a page after the first. */
export function hasMapping(form: Form): boolean {
  return form.previewed !== undefined;
}

const paths: ReadonlySet<string> = new Set(storedStartupFields.map(({ path }) => path));

/** What a field is called; a name that is none is unchanged. */
export function nameOfField(path: string): string {
  return Object.hasOwn(startupFields, path) ? labelOfField(path as StartupFieldPath) : path;
}

/** The notations that the form offers for a field, each as a mapping has it. */
export function notationsOf(path: string): string[] {
  if (!paths.has(path)) {
    return [];
  }
  const { kind }: StartupField = startupFields[path as StartupFieldPath];
  const marks = ['point', 'comma'];
  const units = unitsOf(kind);
  const all = units.length > 0 ? units : wordsFor(kind).filter((word) => !marks.includes(word));
  const isNumber = units.length > 0 || kind === 'count';
  const withMarks = isNumber ? all.flatMap((word) => [word, ...marks.map((mark) => `${word},${mark}`)]) : all;
  return kind === 'cents' ? withMarks.flatMap((words) => [words, `${words},round`]) : withMarks;
}

/** In what a value of a field is written that no column has, such as ` (thousands)`; empty for a field without units. */
export function unitText(mapping: Mapping, path: string): string {
  const [documented, ...others] = unitsOf(startupFields[path as StartupFieldPath].kind);
  const notation = createFieldNames(mapping).notationOf(path as StartupFieldPath);
  return documented === undefined ? '' : ` (${others.find((unit) => notation.has(unit)) ?? documented})`;
}

/**
 * The settings of a form. What it names is checked with the import.
 *
 * @throws OperatorError for a mapping that no page has written.
 */
export function readSettings(form: Form): ImportSettings {
  const isSet = (name: string): boolean => form[name] === 'on';
  return {
    mapping: form.columns === 'chosen' ? chosen(form) : readMappingText(form.mapping ?? ''),
    replace: isSet('replace'),
    yes: isSet('yes'),
    skipInvalid: isSet('skipInvalid'),
  };
}

/** The mapping as pages send it. */
function readMappingText(text: string): Mapping {
  try {
    return readMappingValue(JSON.parse(text), 'The form');
  } catch {
    throw new OperatorError('The form is damaged: begin again.');
  }
}

/** The mapping that a page showed, with the answers of its form. */
function chosen(form: Form): Mapping {
  const mapping = readMappingText(form.mapping ?? '');
  const columns: Record<string, string> = {};
  for (let index = 0; ; index += 1) {
    const names = numbered.column(index);
    const name = form[names.name];
    if (name === undefined) {
      break;
    }
    columns[name] = answerOf(form[names.is] ?? '', form[names.value] ?? '', form[names.notation] ?? '');
  }
  return {
    ...mapping,
    columns,
    defaults: Object.fromEntries(pairs(form, numbered.default).map(([path, value]) => [path, value || OPEN])),
    values: readValues(form),
    rows: readMappingValue({ rows: Object.fromEntries(pairs(form, numbered.row)) }, 'The form').rows ?? {},
  };
}

/** Whether a field's question shows the field as chosen: there is a notation to choose, without which it stays open. */
export const isChosenByNotation = (path: string): boolean =>
  notationsOf(path).length > 0 && startupFields[path as StartupFieldPath].kind !== 'count';

/** @param is the answer that the page showed. */
function answerOf(is: string, selected: string, notation: string): string {
  if (selected === '') {
    return is.startsWith('left out') ? is : 'left out';
  }
  const { path, words, question } = readAnswer(is, '');
  const isUntouched = question !== undefined && path === selected && notation === '';
  if (isUntouched && isChosenByNotation(path)) {
    return is;
  }
  // The notation of the field that the question is about.
  const field = selected === OPEN && notation !== '' ? path : selected;
  if (!paths.has(field)) {
    return is;
  }
  const isKnown =
    path === field && (notation === '' || notation === words.join() || notationsOf(field).includes(notation));
  const { kind }: StartupField = startupFields[field as StartupFieldPath];
  // Another field, or one without the unit that it needs: its notation is what its values show, if they do.
  return !isKnown || (notation === '' && (question !== undefined || unitsOf(kind).length > 0) && field !== is)
    ? `? ${field}`
    : [field, notation].filter((part) => part !== '').join(':');
}

function readValues(form: Form): NonNullable<Mapping['values']> {
  return Object.fromEntries(
    [...paths]
      .map((path) => [path, pairs(form, numbered.text(path))] as const)
      .filter(([, texts]) => texts.length > 0)
      .map(([path, texts]) => [
        path,
        Object.fromEntries(
          texts
            .filter(([, value]) => value !== INVALID)
            .map(([text, value]) => [text, value === NO_VALUE ? '' : value === '' ? OPEN : value]),
        ),
      ]),
  );
}

/** The pairs of a numbered kind of field. */
function pairs(
  form: Form,
  names: (index: number) => { name: string; value: string },
): (readonly [string, string])[] {
  const found: (readonly [string, string])[] = [];
  for (let index = 0; ; index += 1) {
    const { name, value } = names(index);
    const [key, text] = [form[name], form[value]];
    if (key === undefined) {
      return found;
    }
    found.push([key, text ?? '']);
  }
}

/** The column of a file that a field is read from. */
export function columnFinder({
  columns,
}: Pick<Examination, 'columns'>): (path: string) => string | undefined {
  const names = new Map(
    columns.flatMap(({ name, field, state }) => (state === 'field' ? [[field as string, name]] : [])),
  );
  return (path) => names.get(path);
}

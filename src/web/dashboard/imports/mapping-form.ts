import { OperatorError, quote } from '../../../lib/errors.ts';
import { exactText } from '../../../lib/text/figures.ts';
import { readAnswer, writeAnswer } from '../../../startups/import/columns/answers.ts';
import { createFieldNames, type FieldNames } from '../../../startups/import/columns/field-names.ts';
import type { ImportFields } from '../../../startups/import/columns/import-fields.ts';
import { type Mapping, readMappingValue } from '../../../startups/import/columns/mapping.ts';
import type { AmountsAnswer } from '../../../startups/import/examine.ts';
import { InvalidInputError } from '../../../startups/import/import.ts';
import { ASKED, createCheck, INVALID } from '../../../startups/import/notation/checks.ts';
import { powerOf, readWords, unitsOf, wordsOfGroup } from '../../../startups/import/notation/notations.ts';
import { importOptions, type ReturnAnswer, returnAnswers } from '../../../startups/import/options.ts';
import {
  type PlanOptions,
  RemovalError,
  type ReturnQuestion,
  ReturnsError,
} from '../../../startups/import/plan.ts';
import type { Form } from '../../page/page.ts';

/** The options of an import that the form has. */
type FormOption = Extract<keyof typeof importOptions, 'replace' | 'update' | 'yes' | 'skipInvalid'>;

/** What the form beside the columns says. */
export interface ImportSettings extends Readonly<Record<FormOption, boolean>> {
  readonly mapping: Mapping;
  /** As it was typed; empty for half of all. */
  readonly maxRemoved: string;
  readonly returns: Readonly<Record<string, ReturnAnswer>>;
}

/** A question about a startup that returns, with its answer. */
export interface AskedReturn extends ReturnQuestion {
  /** Empty until there is one. */
  readonly answer: ReturnAnswer | '';
}

const kindsOfFields = {
  column: ['name', 'field'],
  default: ['field', 'value'],
  row: ['name', 'answer'],
  return: ['slug', 'answer'],
};

/** The names of the fields of a form for one of several columns, defaults, rows, or texts of a field. */
export function numbered(kind: string, index: number) {
  const [key, value] = kindsOfFields[kind as keyof typeof kindsOfFields] ?? ['text', 'is'];
  const nameOf = (part?: string): string => `${kind}.${index}.${part}`;
  // Of a column, `is` is the answer that the page showed; `typed` is a value that no choice has;
  // `own`, `label` and `sortable` are those of the new field that it is kept as.
  return {
    key: nameOf(key),
    value: nameOf(value),
    is: nameOf('is'),
    notation: nameOf('notation'),
    format: nameOf('format'),
    typed: nameOf('typed'),
    own: nameOf('own'),
    label: nameOf('label'),
    sortable: nameOf('sortable'),
  };
}

/** What the form says whose page had the columns. */
export const CHOSEN = 'chosen';

/** What is chosen, beside values, for a text that means no value, or stays an error: an empty choice is none yet. */
const otherChoices = { none: '', invalid: INVALID, '': ASKED } as const;

/** What is chosen for a text of a field. */
export const choiceOf = (value: string): string =>
  Object.entries(otherChoices).find(([, meaning]) => meaning === value)?.[0] ?? value;

/** A value of a mapping as a page has it: an amount in US dollars, whatever the unit of its column. */
export function shownValue(names: FieldNames, path: string, value: string): string {
  const field = names.fields.byPath.get(path);
  const cents = field?.kind === 'cents' ? createCheck(field, names.notationOf(field)).readCell(value) : '';
  return typeof cents === 'number' ? exactText(cents) : value;
}

/** A value that was typed on a page, as a mapping has it: exact, or still to be answered. */
function typedValue(names: FieldNames, path: string, typed: string): string {
  const field = names.fields.byPath.get(path);
  if (field?.kind !== 'cents' || typed.trim() === '') {
    return typed;
  }
  const cents = createCheck(field, new Set(['dollars'])).readCell(typed);
  const notation = names.notationOf(field);
  const power = powerOf(notation) ?? 0;
  const digits = String(cents).padStart(power + 1, '0');
  const fraction = power === 0 ? '' : `${notation.has('comma') ? ',' : '.'}${digits.slice(-power)}`;
  return typeof cents === 'number' ? `${digits.slice(0, digits.length - power)}${fraction}` : ASKED;
}

/** What was typed for the defaults, or for the texts of a field, as it was. */
export const typedIn = (form: Form, kind: string): Readonly<Record<string, string>> =>
  valuesOf(form, kind, (value, { typed }) => (kind === 'default' ? value : (form[typed] ?? '')));

/** A message with the quotes of a text. */
export const quoted = (message: string): string => message.replace(/"((?:[^"\\]|\\.)*)"/g, '“$1”');

/** The lines of an error, in the words of a page. */
export const linesOnPage = (error: OperatorError): string[] =>
  error instanceof InvalidInputError
    ? [...error.summary.messages, error.reasonOnPage].map(quoted)
    : error instanceof RemovalError
      ? [error.onPage]
      : error instanceof ReturnsError
        ? error.lines.slice(0, 1)
        : error.lines.map(quoted);

/** The notations that the form offers for a field: units or styles, and how decimals are written. */
export function notationsOf({ byPath }: ImportFields, path: string) {
  const field = byPath.get(path) ?? ({ kind: 'string' } as const);
  const marks = wordsOfGroup('decimal', field);
  const fractions = wordsOfGroup('fractions', field);
  const both = fractions.flatMap((word) => marks.map((mark) => `${mark},${word}`));
  return {
    units: [...unitsOf(field.kind), ...wordsOfGroup('style', field)],
    formats: [...marks, ...fractions, ...both],
  };
}

/** Of a file about which nothing was answered. */
export const noSettings: ImportSettings = {
  mapping: {},
  replace: false,
  update: false,
  yes: false,
  skipInvalid: false,
  maxRemoved: '',
  returns: {},
};

/**
 * Reads the settings of a form: that of the columns, or of the options, which leaves the answers for the columns as they are.
 * What it names is checked with the import.
 *
 * @throws OperatorError for answers that no page has asked for.
 */
export function readSettings(fields: ImportFields, form: Form, before: ImportSettings): ImportSettings {
  const isOn = (option: FormOption): boolean => form[option] === 'on';
  let { mapping, returns } = before;
  if (form.columns === CHOSEN) {
    try {
      mapping = { ...mapping, ...chosen(fields, form, mapping) };
    } catch {
      throw new OperatorError('The form is damaged: begin again.');
    }
    returns = Object.fromEntries(
      readReturns(form).flatMap(({ slug, answer }) => (answer === '' ? [] : [[slug, answer]])),
    );
  }
  return {
    mapping,
    replace: isOn('replace'),
    update: isOn('update'),
    yes: isOn('yes'),
    skipInvalid: isOn('skipInvalid'),
    maxRemoved: (form.maxRemoved ?? '').trim(),
    returns,
  };
}

/** The questions about startups that return which a page has asked, in their order. */
export const readReturns = (form: Form): readonly AskedReturn[] =>
  Object.values(
    valuesOf(form, 'return', (value, { is }, slug) => ({
      slug,
      text: form[is] ?? '',
      answer: returnAnswers.find((answer) => answer === value) ?? '',
    })),
  );

/**
 * What an import removes, by the rules of the form.
 *
 * @throws OperatorError for rules that exclude each other, or a limit that is none.
 */
export function removalOf({ replace, update, yes, maxRemoved }: ImportSettings): PlanOptions['replace'] {
  const most = importOptions.maxRemoved.read(maxRemoved);
  const wrong =
    update && replace
      ? 'An update in part removes no startup: choose one of these rules.'
      : maxRemoved === ''
        ? undefined
        : most === undefined
          ? `The most startups to remove: got ${quote(maxRemoved)}, allowed: ${importOptions.maxRemoved.allowed}.`
          : !replace
            ? 'The most startups to remove is for an import that removes: choose that rule, or leave it empty.'
            : yes && 'The most startups to remove, or any number: choose one of these rules.';
  if (wrong) {
    throw new OperatorError(wrong);
  }
  return replace ? { yes, most } : undefined;
}

/** The answers of a form. */
function chosen(fields: ImportFields, form: Form, { notation }: Mapping): Mapping {
  const columns = valuesOf(form, 'column', (selected, { is, notation, format }) =>
    answerOf(fields, form[is] ?? '', selected, form[notation] ?? '', form[format] ?? ''),
  );
  const names = createFieldNames(fields, { columns, notation });
  const values = fields.list.map(({ path }) => {
    const meaningOf = (choice: string, { typed = '' }): string =>
      choice === ''
        ? typedValue(names, path, form[typed] ?? '') || ASKED
        : Object.hasOwn(otherChoices, choice)
          ? otherChoices[choice as keyof typeof otherChoices]
          : choice;
    return [path, valuesOf(form, path, meaningOf)] as const;
  });
  return readMappingValue(
    {
      columns,
      // One that is only offered may stay empty.
      defaults: valuesOf(
        form,
        'default',
        (value, { is }, path) => typedValue(names, path, value) || (form[is] === 'offered' ? '' : ASKED),
      ),
      values: Object.fromEntries(values.filter(([, texts]) => Object.keys(texts).length > 0)),
      rows: valuesOf(form, 'row', String),
    },
    'The form',
  );
}

/** The answer for all amounts, of columns that have none of their own. */
export function readAmounts(fields: ImportFields, form: Form): AmountsAnswer | undefined {
  const { amounts: notation = '' } = form;
  if (notation === '' || form.columns !== CHOSEN) {
    return undefined;
  }
  const open = valuesOf(form, 'column', (selected, { is, notation: own }) => {
    const { path, question } = readAnswer(fields, form[is] ?? '', '');
    // The page offers notations only where these are asked.
    return question !== undefined && selected === path && form[own] === '' ? path : '';
  });
  const columns = Object.keys(open).filter((name) => open[name] !== '');
  return columns.length === 0 ? undefined : { notation, columns };
}

/** @param is the answer that the page showed. */
function answerOf(fields: ImportFields, is: string, selected: string, unit: string, format: string): string {
  const { path, question, only, reason } = readAnswer(fields, is, '');
  // The unit of the field that the question is about.
  const field = selected === ASKED && unit !== '' ? path : selected;
  const kind = fields.byPath.get(field)?.kind;
  if (field === '') {
    const isLeftOut = path === '' && question === undefined && only === undefined;
    return writeAnswer({ path: '', words: [], ...(isLeftOut && reason && { reason }) });
  }
  if (kind === undefined) {
    return is;
  }
  // Without a unit that it needs, how decimals are written decides nothing.
  const notation = unit === '' && unitsOf(kind).length > 0 ? '' : [unit, format].filter(Boolean).join();
  const isSame = field === path;
  if (isSame && notation !== '' && typeof readWords(notation, fields.byPath.get(field)) !== 'string') {
    return `${field}:${notation}`;
  }
  // Of another field, or one without the unit that it needs, the notation is what its values show, if they do.
  const isDocumented = isSame && question === undefined && notation === '';
  const isAboutNotation = unitsOf(kind).length > 0 || kind === 'date';
  return isDocumented && (field === is || !isAboutNotation) ? field : `? ${field}`;
}

/** What is chosen for each key of a kind of field. */
export function valuesOf<Value>(
  form: Form,
  kind: string,
  read: (value: string, names: ReturnType<typeof numbered>, key: string) => Value,
): Record<string, Value> {
  const found: Record<string, Value> = {};
  for (let index = 0; ; index += 1) {
    const names = numbered(kind, index);
    const key = form[names.key];
    if (key === undefined) {
      return found;
    }
    found[key] = read(form[names.value] ?? '', names, key);
  }
}

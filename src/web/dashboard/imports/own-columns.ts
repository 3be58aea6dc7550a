import { shortened } from '../../../lib/text/one-line.ts';
import { readAnswer } from '../../../startups/import/columns/answers.ts';
import { toWords } from '../../../startups/import/columns/heading-names.ts';
import { type ImportFields, importFieldsFor } from '../../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import type { ColumnReport } from '../../../startups/import/columns/report.ts';
import { ASKED } from '../../../startups/import/notation/checks.ts';
import {
  canBeIndexed,
  MOST_INDEXED,
  MOST_OWN_FIELDS,
  OWN_NAME_LENGTH,
  type OwnField,
  type OwnKind,
  ownKindNames,
  ownPath,
} from '../../../startups/model/own-fields.ts';
import { LABEL_LENGTH, labelError, newNameError } from '../../../startups/own/declarations.ts';
import type { Form } from '../../page/page.ts';
import { capitalized } from '../../shared/components.tsx';
import { numbered, quoted, valuesOf } from './mapping-form.ts';

// Columns that are kept as fields of the operators' own. The mapping of the file declares them, and the import adds them.

/** What is chosen for a column that is kept as a new field of a kind. */
export const newFieldOf = (kind: OwnKind): string => `new:${kind}`;

type Declaration = NonNullable<Mapping['fields']>[string];

/** Whether there is room for another field. */
export const isRoomFor = ({ own }: ImportFields): boolean => own.length < MOST_OWN_FIELDS;

/** The field that the import adds for a column; undefined for any other column. */
export function newFieldIn(
  { added }: ImportFields,
  columns: readonly ColumnReport[],
  { name, field: path }: ColumnReport,
): OwnField | undefined {
  // Another column may be asked about the same field.
  const isFirst = columns.find(({ field }) => field === path)?.name === name;
  return isFirst ? added.find((one) => ownPath(one.name) === path) : undefined;
}

/** What was typed for a new field; undefined where the form did not have it yet. */
export function typedField(form: Form, { own, label, sortable }: ReturnType<typeof numbered>) {
  const name = form[own];
  return name === undefined
    ? undefined
    : { name: name.trim(), label: (form[label] ?? '').trim(), isSortable: form[sortable] === 'on' };
}

/** What is wrong with what was typed for a new field, by the names of its inputs. */
export function errorsOf(fields: ImportFields, field: OwnField, sent: Form, index: number): Form {
  const names = numbered('column', index);
  const typed = typedField(sent, names);
  if (typed === undefined) {
    return {};
  }
  const others = fields.own.flatMap(({ own }) => (own.name === field.name ? [] : own));
  const errors = {
    [names.own]: typed.name === field.name ? undefined : newNameError(others, typed.name),
    [names.label]: typed.label === field.label ? undefined : labelError(typed.label),
    [names.sortable]:
      typed.isSortable && !field.indexed && canBeIndexed(field.kind)
        ? `${MOST_INDEXED} fields are sortable already, which is the most.`
        : undefined,
  };
  return Object.fromEntries(
    Object.entries(errors).flatMap(([name, error]) =>
      error === undefined ? [] : [[name, capitalized(quoted(error))]],
    ),
  );
}

/** What is wrong with what was typed for new fields: the input of each error, and the column that it is about. */
export function openErrors(
  fields: ImportFields,
  columns: readonly ColumnReport[],
  sent: Form,
): readonly (readonly [id: string, about: string])[] {
  return columns.flatMap((column, index) => {
    const field = newFieldIn(fields, columns, column);
    const errors = field === undefined ? {} : errorsOf(fields, field, sent, index);
    const { own, sortable } = numbered('column', index);
    // The box to check is below the name.
    return Object.keys(errors).map((id) => [id === sortable ? own : id, column.name] as const);
  });
}

/** Answers for columns in which fields of the operators' own are chosen as all others. */
interface OwnAnswers {
  readonly form: Form;
  /** Declares the new fields. */
  readonly mapping: Mapping;
  readonly fields: ImportFields;
}

/**
 * Adds the fields as which columns are to be kept, changes those that were added before as it was typed, and removes those
 * whose columns are none any more. What was typed and is not allowed changes nothing: the page says why.
 *
 * @throws OperatorError for a form that no page has sent.
 */
export function takeOwnFields(form: Form, fields: ImportFields, mapping: Mapping): OwnAnswers {
  const draft = openDraft(form, fields);
  removeLeftOut(draft);
  while (draft.added.some((field) => changeAsTyped(draft, field))) {
    // One change may make room for another, until what is left is not allowed.
  }
  for (const column of draft.columns) {
    keepAsNew(draft, column);
  }
  const { answers, declared, added } = draft;
  const { fields: listed = {}, ...others } = mapping;
  // Those that are declared already stay as they are.
  const stay = Object.entries(listed).filter(([name]) => declared.some((field) => field.name === name));
  const all = [...stay, ...added.map((field) => [field.name, declarationOf(field)] as const)];
  const next: Mapping = { ...others, ...(all.length > 0 && { fields: Object.fromEntries(all) }) };
  return { form: answers, mapping: next, fields: importFieldsFor(declared, next) };
}

/** A form and the new fields of its file, while the answers of the one change the others. */
type Draft = ReturnType<typeof openDraft>;
type Column = Draft['columns'][number];

function openDraft(form: Form, fields: ImportFields) {
  const columns = Object.values(
    valuesOf(form, 'column', (selected, names, heading) => ({
      heading,
      names,
      /** The field that it was, or that its question was about. */
      path: readAnswer(fields, form[names.is] ?? '', heading).path,
      selected,
      /** The kind of the new field as which it is to be kept. */
      kind: ownKindNames.find((kind) => newFieldOf(kind) === selected),
    })),
  );
  return {
    columns,
    /** The fields of the form that name a field with a value for all that have none. */
    defaults: Object.values(valuesOf(form, 'default', (_, { key }) => key)),
    declared: fields.own.flatMap(({ own }) => (fields.added.includes(own) ? [] : own)),
    added: [...fields.added],
    /** The columns of the new fields, by the names of these. */
    owners: new Map<string, (typeof columns)[number]>(),
    /** The form with fields as they are called then. */
    answers: { ...form } as Record<string, string | undefined>,
  };
}

const allIn = ({ declared, added }: Draft): readonly OwnField[] => [...declared, ...added];

const isRoomForIndexed = (draft: Draft): boolean =>
  allIn(draft).filter((field) => field.indexed).length < MOST_INDEXED;

/** Finds the columns of the new fields, and removes the fields whose columns are others now. */
function removeLeftOut(draft: Draft): void {
  const { columns, defaults, answers, added, owners } = draft;
  draft.added = added.filter(({ name }) => {
    const path = ownPath(name);
    const owner = columns.find((column) => column.path === path);
    if (owner !== undefined && (owner.kind !== undefined || [path, ASKED].includes(owner.selected))) {
      owners.set(name, owner);
    }
    // One of a stored mapping may have a column that this file does not have.
    return (
      owner === undefined ||
      owners.has(name) ||
      columns.some(({ selected }) => selected === path) ||
      defaults.some((key) => answers[key] === path)
    );
  });
}

/** Changes a new field as far as what was typed is allowed. @returns whether that may make room for another change. */
function changeAsTyped(draft: Draft, field: OwnField): boolean {
  const owner = draft.owners.get(field.name);
  const typed = owner && typedField(draft.answers, owner.names);
  if (owner === undefined || typed === undefined) {
    return false;
  }
  const others = allIn(draft).filter((one) => one !== field);
  const canBeNamed = newNameError(others, typed.name) === undefined;
  const next: OwnField = {
    ...field,
    name: canBeNamed ? typed.name : field.name,
    label: labelError(typed.label) === undefined ? typed.label : field.label,
    indexed: typed.isSortable && canBeIndexed(field.kind) && (field.indexed || isRoomForIndexed(draft)),
  };
  draft.added = draft.added.map((one) => (one === field ? next : one));
  if (next.name !== field.name) {
    draft.owners.delete(field.name);
    draft.owners.set(next.name, owner);
    renameIn(draft, ownPath(field.name), ownPath(next.name));
  }
  return next.name !== field.name || next.indexed !== field.indexed;
}

/** Calls a field in all answers as it is called now. */
function renameIn({ columns, defaults, answers }: Draft, before: string, after: string): void {
  const answer = new RegExp(`^(\\? )?${before}(?=:|$)`);
  for (const { names } of columns) {
    answers[names.is] = answers[names.is]?.replace(answer, `$1${after}`);
  }
  for (const key of [...columns.map(({ names }) => names.value), ...defaults]) {
    if (answers[key] === before) {
      answers[key] = after;
    }
  }
  for (const key of textsOf(answers, before)) {
    answers[`${after}${key.slice(before.length)}`] = answers[key];
    delete answers[key];
  }
}

/** The fields of a form that say what texts of a field mean. */
const textsOf = (answers: Form, path: string): readonly string[] =>
  Object.keys(answers).filter((key) => key.startsWith(`${path}.`));

/** Keeps a column as a new field, or its field as one of another kind, if that was chosen. */
function keepAsNew(draft: Draft, { heading, names, kind }: Column): void {
  const { answers } = draft;
  if (kind === undefined) {
    return;
  }
  const before = draft.added.find(({ name }) => draft.owners.get(name)?.names.value === names.value);
  if (before === undefined && allIn(draft).length >= MOST_OWN_FIELDS) {
    Object.assign(answers, { [names.is]: `left out: ${MOST_REACHED}`, [names.value]: '' });
    return;
  }
  const name = before?.name ?? nameFrom(allIn(draft), heading);
  const field: OwnField = {
    name,
    kind,
    label: before?.label ?? labelFrom(heading, name),
    description: before?.description ?? null,
    indexed: canBeIndexed(kind) && (before?.indexed === true || isRoomForIndexed(draft)),
    choices: [],
  };
  draft.added = [...draft.added.filter((one) => one !== before), field];
  // Its notation and texts were those of another kind.
  Object.assign(answers, { [names.is]: '', [names.value]: ownPath(name) });
  for (const key of textsOf(answers, ownPath(name))) {
    delete answers[key];
  }
}

/** Why a column is left out for which no other field can be added. */
const MOST_REACHED = `there are ${MOST_OWN_FIELDS} fields of your own already, which is the most`;

const declarationOf = ({ kind, label, description, indexed }: OwnField): Declaration => ({
  kind,
  label,
  ...(description !== null && { description }),
  ...(indexed && { sortable: true }),
});

/** A heading as a name that no other field has: `Annual profit (net)` is `annualProfitNet`. */
function nameFrom(others: readonly OwnField[], heading: string): string {
  const words = toWords(heading.replace(/^own\./, '')).match(/[a-z0-9]+/g) ?? [];
  const [first = '', ...more] = /^\d/.test(words[0] ?? '0') ? ['field', ...words] : words;
  const name = first + more.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join('');
  for (let number = 1; ; number += 1) {
    const end = number === 1 ? '' : String(number);
    const numberedName = name.slice(0, OWN_NAME_LENGTH - end.length) + end;
    if (newNameError(others, numberedName) === undefined) {
      return numberedName;
    }
  }
}

/** A heading as a label; the name of the field for one without text. */
function labelFrom(heading: string, name: string): string {
  const label = shortened(heading.replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ').trim(), LABEL_LENGTH);
  return labelError(label) === undefined ? label : name;
}

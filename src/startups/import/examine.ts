import {
  type StartupField,
  type StartupFieldPath,
  type StoredStartupField,
  startupFields,
  storedStartupFields,
} from '../model/fields.ts';
import { createErrorLog, showValue, UnreadableInput } from './errors.ts';
import { addSlug, createFieldNames, missingFields } from './field-names.ts';
import { type Heading, readHeading } from './headings.ts';
import { type ImportInput, inputName } from './input.ts';
import { type Mapping, questionsOf } from './mapping.ts';
import type { StoredValue } from './notations.ts';
import { type Answer, readAnswer, writeAnswer } from './notations.ts';
import { type ShownRecord, showRecord, showStored } from './preview.ts';
import { createReader, fieldByValues, type Proposal, propose } from './propose.ts';
import { readRecords } from './read.ts';
import { sampleTable, type TableColumn, type TableSample } from './sample.ts';
import { zeroNotes } from './summary.ts';
import { createValidator, recordNames } from './validate.ts';

/** A column with its answer, and what its values become by it: the proof of a preview. */
export interface ColumnProof {
  readonly name: string;
  /** As the mapping has it. */
  readonly answer: string;
  /** The field that it fills, or that its question is about; null if there is none. */
  readonly field: StartupFieldPath | null;
  readonly state: 'field' | 'left out' | 'question';
  /** Why it is asked or left out. */
  readonly reason: string;
  /** The first values as they are in the file, and as they would be shown; null for one that is not allowed. */
  readonly cells: readonly { readonly written: string; readonly shown: string | null }[];
  /** Of amounts and numbers, as they would be shown. */
  readonly smallest: string | null;
  readonly largest: string | null;
  readonly empty: number;
  /** How many values are not allowed, and the first of them. */
  readonly misfits: number;
  readonly firstMisfits: readonly { readonly line: number; readonly written: string }[];
}

/** How a table may be imported: what it says itself, what was answered, and what is still to be answered. */
export interface Examination {
  readonly mapping: Mapping;
  readonly columns: readonly ColumnProof[];
  /** What is to be answered before an import, one each. */
  readonly questions: readonly string[];
  /** What people should know, a sentence each. */
  readonly notes: readonly string[];
  /** The first valid records as customers would see them, with `?` for each field that is not known. */
  readonly records: readonly ShownRecord[];
  /** How many records were read, how many of them are invalid, and a line for each kind of error. */
  readonly read: number;
  readonly rejected: number;
  readonly messages: readonly string[];
}

const SHOWN = 3;
const SHOWN_MISFITS = 2;

/**
 * Examines the header and the first 1,000 records of a table.
 *
 * @param given answers, which are kept as far as the table has their columns.
 * @throws OperatorError for an input that is no table; the signal's reason.
 */
export async function examineTable(
  input: ImportInput,
  given: Mapping = {},
  signal?: AbortSignal,
): Promise<Examination> {
  const sample = await sampleTable(input, given, signal);
  const proposals = proposeAll(sample, given);
  const filled = new Set(
    proposals.flatMap(({ answer: { path, question } }) => (question === undefined ? path : [])),
  );
  const emptyRequired = sample.columns.flatMap(({ empty }, index) => {
    const path = proposals[index]?.answer.question === undefined ? proposals[index]?.answer.path : '';
    return empty > 0 && missingFields(() => false, {}).includes(path as StartupFieldPath) && path !== 'name'
      ? path
      : [];
  });
  const missing = missingFields((path) => filled.has(path), {});
  const defaults = Object.fromEntries([
    ...[...missing, ...emptyRequired].filter((path) => path !== 'name').map((path) => [path, '?']),
    ...Object.entries(given.defaults ?? {}).filter(([, value]) => value !== '' && value !== '?'),
  ]);
  const values: Record<string, Record<string, string>> = {};
  for (const { answer, texts } of proposals) {
    const texted = { ...texts, ...given.values?.[answer.path] };
    if (answer.path !== '' && answer.question === undefined && Object.keys(texted).length > 0) {
      values[answer.path] = texted;
    }
  }
  const rows = Object.fromEntries(sample.oddRows.map((row) => [row, given.rows?.[row] ?? ('?' as const)]));
  const names = sample.columns.map(({ name }) => name);
  const columns = Object.fromEntries(
    proposals.flatMap(({ answer }, index) => {
      const name = names[index] ?? '';
      const text = writeAnswer(answer);
      return name === '' || text === name || (recordNames.has(name) && !stored.has(name))
        ? []
        : [[name, text]];
    }),
  );
  const { notation, path, ignoreUnknown } = given;
  const mapping: Mapping = {
    columns,
    ...(notation && { notation }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
    ...(Object.keys(values).length > 0 && { values }),
    ...(Object.keys(rows).length > 0 && { rows }),
    ...(path && { path }),
    ...(ignoreUnknown && { ignoreUnknown }),
    ...(sample.encoding !== 'utf-8' && { encoding: sample.encoding }),
  };
  const gone = Object.keys(given.columns ?? {}).filter((name) => !names.includes(name));
  const questions = [
    ...(filled.has('name') || missing.length === 0
      ? []
      : missing.includes('name')
        ? ['name (which column is the name of the startup)']
        : []),
    ...questionsOf(mapping),
  ];
  return {
    mapping,
    columns: sample.columns.map((column, index) =>
      prove(column, proposals[index]?.answer as Answer, mapping, sample),
    ),
    questions,
    notes: [
      ...sample.notes,
      ...gone.map((name) => `The mapping's column ${JSON.stringify(name)} is not in this file.`),
      ...zeroNotes(defaults),
    ],
    ...(await tryMapping(sample, mapping)),
  };
}

const stored: ReadonlySet<string> = new Set(storedStartupFields.map(({ path }) => path));
const fieldOf = (path: string): StoredStartupField | undefined =>
  storedStartupFields.find((field) => field.path === path);

/** What each column is: what was answered, what its heading and values say, or a question. */
function proposeAll({ columns, isCsv }: TableSample, given: Mapping): Proposal[] {
  const answered = new Map(
    Object.entries(given.columns ?? {}).map(([name, text]) => [name, readAnswer(text, name)] as const),
  );
  const givenOf = ({ name }: TableColumn): Answer | undefined => {
    const answer = answered.get(name);
    return answer?.question === undefined ? answer : undefined;
  };
  const taken = new Set(columns.map((column) => givenOf(column)?.path ?? ''));
  const chosen = new Set(
    [...answered.values()].flatMap(({ path, question }) => (question === '' ? path : [])),
  );
  const areOwn = columns.every(({ name }) => recordNames.has(name) || name.startsWith('revenue.'));
  const headings = columns.map(({ name }) => readHeading(name));
  /** How well a heading names its field: by its own path, by the end of it, or in other words. */
  const rank = (index: number): number =>
    columns[index]?.name === headings[index]?.path ? 2 : headings[index]?.isOwn ? 1 : 0;
  const currencies = columns.filter((_, index) => headings[index]?.isCurrency).flatMap(({ cells }) => cells);
  const currency = currencies
    .map(({ value }) => String(value).trim())
    .find((text) => !/^(usd|us\$|\$)$/i.test(text));
  const done = (answer: Answer): Proposal => ({ answer, texts: {} });
  const leaveOut = (reason: string): Proposal => done({ path: '', words: [], reason });
  return columns.map((column, index): Proposal => {
    const { name, cells } = column;
    const { path, excluded, isCurrency } = headings[index] as Heading;
    const before = givenOf(column);
    // A field that was chosen without a notation: its values may show that.
    const { path: wanted = '', question: why } = answered.get(name) ?? {};
    const isChosen = why === '' && wanted !== '';
    const field = isChosen ? fieldOf(wanted) : path === undefined ? undefined : fieldOf(path);
    if (isChosen && field !== undefined) {
      return taken.has(field.path)
        ? done({
            path: field.path,
            words: [],
            question: `another column is ${field.path}: leave one of them out`,
          })
        : propose(column, field, { isCsv, currency });
    }
    if (before !== undefined) {
      return done(before);
    }
    if (recordNames.has(name) && !stored.has(name)) {
      return leaveOut('revgate computes or records it');
    }
    if (stored.has(name) && (areOwn || cells.length === 0)) {
      return done({ path: name, words: [] });
    }
    if (isCurrency) {
      const only = String(cells[0]?.value ?? '').trim();
      return currency === undefined &&
        cells.every(({ value }) => String(value).trim() === only) &&
        column.empty === 0
        ? done({ path: '', words: [], only })
        : leaveOut('the amounts beside it are asked');
    }
    if (field === undefined) {
      const byValues =
        excluded === undefined
          ? fieldByValues(column, new Set([...taken, ...headings.map((one) => one.path ?? '')]))
          : undefined;
      return byValues === undefined
        ? leaveOut(excluded ?? 'no field has this name')
        : done({ path: byValues.path, words: [], question: `every value is one of ${byValues.path}` });
    }
    if (columns.some((other) => other !== column && other.name === name)) {
      return done({
        path: '',
        words: [],
        question: `two columns have this name: rename one, or leave them out`,
      });
    }
    const others = columns.filter(
      (_, at) =>
        at !== index &&
        headings[at]?.path === path &&
        givenOf(columns[at] as TableColumn) === undefined &&
        rank(at) >= rank(index),
    );
    if (taken.has(field.path) || chosen.has(field.path)) {
      return leaveOut(`another column is ${field.path}`);
    }
    if (others.length > 0) {
      const also = others.map((other) => JSON.stringify(other.name)).join(' and ');
      return done({ path: field.path, words: [], question: `${also} may be it, too: which one?` });
    }
    return propose(column, field, { isCsv, currency });
  });
}

function prove(column: TableColumn, answer: Answer, mapping: Mapping, { isCsv }: TableSample): ColumnProof {
  const { name, cells, empty } = column;
  const { path, question, reason = '' } = answer;
  const field = fieldOf(path);
  const isField = field !== undefined && question === undefined;
  const notation = createFieldNames(mapping).notationOf((field?.path ?? 'name') as StartupFieldPath);
  const texts = Object.fromEntries(
    Object.entries(mapping.values?.[path] ?? {}).filter(([, value]) => value !== '?'),
  );
  const read = isField ? createReader(field, notation, isCsv, texts) : () => undefined;
  const results = cells.map(({ value, line }) => ({ value, line, stored: read(value) }));
  const show = (one: StoredValue): string => (one === null ? 'no value' : showStored(field?.kind ?? '', one));
  const numbers = results.flatMap((one) => (typeof one.stored === 'number' ? one.stored : []));
  const misfits = isField ? results.filter((one) => one.stored === undefined) : [];
  const least = numbers.reduce((one, other) => Math.min(one, other), Number.POSITIVE_INFINITY);
  const most = numbers.reduce((one, other) => Math.max(one, other), Number.NEGATIVE_INFINITY);
  return {
    name,
    answer: writeAnswer(answer),
    field: field?.path ?? null,
    state: question !== undefined ? 'question' : isField ? 'field' : 'left out',
    reason: question ?? reason,
    cells: results.slice(0, SHOWN).map((one) => ({
      written: toText(one.value),
      shown: one.stored === undefined ? null : show(one.stored),
    })),
    smallest: numbers.length > 0 ? show(least) : null,
    largest: numbers.length > 0 ? show(most) : null,
    empty,
    misfits: misfits.length,
    firstMisfits: misfits
      .slice(0, SHOWN_MISFITS)
      .map(({ line, value }) => ({ line, written: toText(value) })),
  };
}

const toText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map((one) => (typeof one === 'string' ? one : showValue(one))).join(', ')
      : showValue(value);

/** Reads the records with any value for what is not answered, none of which is shown. */
async function tryMapping({ input }: TableSample, proposed: Mapping) {
  const asked = new Set(
    Object.entries(proposed.defaults ?? {}).flatMap(([path, value]) => (value === '?' ? path : [])),
  );
  const mapping: Mapping = {
    ...proposed,
    columns: Object.fromEntries(
      Object.entries(proposed.columns ?? {}).map(([name, text]) => [name, text.startsWith('?') ? '' : text]),
    ),
    defaults: {
      ...proposed.defaults,
      ...Object.fromEntries([...asked].map((path) => [path, anyOf(path as StartupFieldPath)])),
    },
    values: Object.fromEntries(
      Object.entries(proposed.values ?? {}).map(([path, texts]) => [
        path,
        Object.fromEntries(Object.entries(texts).filter(([, value]) => value !== '?')),
      ]),
    ),
    rows: Object.fromEntries(
      Object.entries(proposed.rows ?? {}).map(([row, answer]) => [
        row,
        answer === '?' ? 'leave out' : answer,
      ]),
    ),
  };
  const names = createFieldNames(mapping);
  const log = createErrorLog(0);
  const records: ShownRecord[] = [];
  let [read, rejected] = [0, 0];
  try {
    const validate = createValidator(mapping, names);
    for await (const items of readRecords(input, { names })) {
      for (const item of items) {
        const errors = 'error' in item ? [item.error] : [];
        if (!('error' in item)) {
          addSlug(item.value);
        }
        const row = 'error' in item ? undefined : validate(item.value, item.line, errors);
        if (row !== undefined && records.length < SHOWN) {
          records.push(
            showRecord(row).map(({ path, text }) => ({ path, text: asked.has(path) ? '?' : text })),
          );
        }
        read += 1;
        rejected += row === undefined ? 1 : 0;
        for (const error of errors) {
          log.add(inputName(input), error);
        }
      }
    }
  } catch (error) {
    // Such as no column for a required field. The end of a long array is missing in its beginning, too.
    if (!(error instanceof UnreadableInput)) {
      throw error;
    }
    for (const one of records.length === 0 ? error.errors : []) {
      log.add(inputName(input), one);
    }
  }
  return { records, read, rejected, messages: log.kinds() };
}

function anyOf(path: StartupFieldPath): string {
  const { kind, values = [] }: StartupField = startupFields[path];
  return kind === 'choice' ? (values[0] as string) : kind === 'boolean' ? 'false' : '0';
}

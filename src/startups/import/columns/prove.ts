import {
  type StartupField,
  type StartupFieldPath,
  type StoredStartupField,
  startupFields,
  storedStartupFields,
} from '../../model/fields.ts';
import { showValue, UnreadableInput } from '../errors.ts';
import { readRecords } from '../rows/read.ts';
import type { TableColumn, TableSample } from '../rows/sample.ts';
import { type Answer, type StoredValue, writeAnswer } from '../values/notations.ts';
import { type ShownRecord, showRecord, showStored } from '../values/preview.ts';
import { createValidator } from '../values/validate.ts';
import { addSlug, createFieldNames } from './field-names.ts';
import type { Mapping } from './mapping.ts';
import { createReader } from './propose.ts';

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

const SHOWN = 3;
const SHOWN_MISFITS = 2;

export const fieldOf = (path: string): StoredStartupField | undefined =>
  storedStartupFields.find((field) => field.path === path);

/** What the values of a column become by its answer. */
export function prove(
  column: TableColumn,
  answer: Answer,
  mapping: Mapping,
  { isCsv }: TableSample,
): ColumnProof {
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

/** The first valid records, with any value for what is not answered, none of which is shown. */
export async function tryMapping(
  { input }: TableSample,
  proposed: Mapping,
  open: readonly StartupFieldPath[],
): Promise<ShownRecord[]> {
  const asked = new Set<string>([
    ...open.filter((path) => path !== 'name'),
    ...Object.entries(proposed.defaults ?? {}).flatMap(([path, value]) => (value === '?' ? path : [])),
  ]);
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
  const records: ShownRecord[] = [];
  try {
    const validate = createValidator(mapping, names);
    for await (const items of readRecords(input, { names })) {
      for (const item of items) {
        if ('error' in item) {
          continue;
        }
        addSlug(item.value);
        const row = validate(item.value, item.line, []);
        const shown = row === undefined ? [] : showRecord(row);
        records.push(
          ...(row ? [shown.map(({ path, text }) => ({ path, text: asked.has(path) ? '?' : text }))] : []),
        );
        if (records.length === SHOWN) {
          return records;
        }
      }
    }
  } catch (error) {
    // Such as no column for a required field. The end of a long array is missing in its beginning, too.
    if (!(error instanceof UnreadableInput)) {
      throw error;
    }
  }
  return records;
}

function anyOf(path: StartupFieldPath): string {
  const { kind, values = [] }: StartupField = startupFields[path];
  return kind === 'choice' ? (values[0] as string) : kind === 'boolean' ? 'false' : '0';
}

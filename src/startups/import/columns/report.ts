import type { StoredValue } from '../../model/stored-value.ts';
import { showStored } from '../notation/checks.ts';
import { showValue } from '../rows/errors.ts';
import { writeAnswer } from './answers.ts';
import { createReader } from './decide-notation.ts';
import type { FieldNames } from './field-names.ts';
import type { Proposed } from './propose-columns.ts';

/** The decision about a column: its kind, its notation, what is asked, and what its values become by it. */
export type ColumnReport = ReturnType<typeof reportColumn>;

const SHOWN = 3;
const SHOWN_MISFITS = 2;

/** Reports the decision about a column. */
export function reportColumn({ column, answer, field }: Proposed, names: FieldNames, isCsv: boolean) {
  const { name, cells, empty } = column;
  const { path, words, question, reason, warning } = answer;
  const read =
    field && createReader(field, names.notationOf(field), isCsv, names.mapping.values?.[field.path]);
  const results = cells.map(({ value, line }) => ({ line, written: toText(value), stored: read?.(value) }));
  const show = (one: StoredValue): string =>
    one === null || field === undefined ? 'no value' : showStored(field.kind, one);
  const numbers = results.flatMap(({ stored }) => (typeof stored === 'number' ? stored : []));
  numbers.sort((one, other) => one - other);
  const misfits = field ? results.filter(({ stored }) => stored === undefined) : [];
  const state = question !== undefined ? 'question' : field ? 'field' : 'left out';
  return {
    name,
    /** As the mapping has it. */
    answer: writeAnswer(answer),
    /** The notation of its values, as far as its answer names it. */
    words,
    /** The field that it fills, or that its question is about; null if there is none. */
    field: names.fields.byPath.get(path)?.path ?? null,
    state: state as 'question' | 'field' | 'left out',
    /** What is asked; undefined if nothing is. */
    question,
    /** Why it is left out; undefined if it is not. */
    reason,
    /** What should be known of its answer. */
    warning,
    /** The first values as they are in the file, and as they would be shown; null for one that is not allowed. */
    cells: results
      .slice(0, SHOWN)
      .map(({ written, stored }) => ({ written, shown: stored === undefined ? null : show(stored) })),
    /** Of amounts and numbers, as they would be shown. */
    smallest: numbers.length > 0 ? show(numbers[0] as number) : null,
    largest: numbers.length > 0 ? show(numbers.at(-1) as number) : null,
    empty: empty.length,
    /** How many values are not allowed, and the first of them. */
    misfits: misfits.length,
    firstMisfits: misfits.slice(0, SHOWN_MISFITS).map(({ line, written }) => ({ line, written })),
  };
}

const toText = (value: unknown): string =>
  typeof value === 'string'
    ? value
    : Array.isArray(value)
      ? value.map((one) => (typeof one === 'string' ? one : showValue(one))).join(', ')
      : showValue(value);

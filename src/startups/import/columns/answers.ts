import { OperatorError } from '../../../lib/errors.ts';
import { ASKED } from '../notation/checks.ts';
import { readWords, unitsOf, type Word } from '../notation/notations.ts';
import type { ImportFields } from './import-fields.ts';
import type { Mapping } from './mapping.ts';
import { isOwnPath, withoutKind } from './own-import-fields.ts';
import type { ColumnQuestion, Reason, TableQuestion } from './questions.ts';
import { questionText, readQuestion, readReason, reasonText } from './words.ts';

// Apart from the schema of a mapping: each import reads answers in a thread of its own, which would load zod for nothing.

/** What a mapping says of a column. */
export interface MappedColumn {
  /** The field, or one that a question is about; empty for a column that is left out. */
  readonly path: string;
  readonly words: readonly Word[];
  /** What is asked, if it is a question. */
  readonly question?: ColumnQuestion;
  /** Why the column is left out. */
  readonly reason?: Reason;
  /** What should be known of a column that is answered: that its money is foreign. */
  readonly warning?: ColumnQuestion | undefined;
  /** The only text that its cells may have. */
  readonly only?: string;
}

/** @throws OperatorError for words that do not exist. */
export function readAnswer(fields: ImportFields, text: string, column: string): MappedColumn {
  if (text.startsWith(ASKED)) {
    const [, asked = '', why = ''] = /^\?\s*([\w.]*)(?::\s*(.*))?$/s.exec(text) ?? [];
    return fields.paths.has(asked) || isOwnPath(asked)
      ? { path: asked, words: [], question: readQuestion(asked, why) }
      : { path: '', words: [], question: readQuestion('', text.slice(1).trim()) };
  }
  const [, leftOut, reason = ''] = /^(|left out)(?::\s*(.*))?$/s.exec(text) ?? [];
  if (leftOut !== undefined) {
    return { path: '', words: [], reason: readReason(reason) };
  }
  const [, path = '', rest = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  if (path === 'only') {
    return { path: '', words: [], only: rest.trim() };
  }
  const field = fields.byPath.get(path);
  const words = readWords(withoutKind(path, rest, field), field);
  if (typeof words === 'string') {
    throw new OperatorError(`The column ${JSON.stringify(column)} is ${JSON.stringify(text)}: ${words}.`);
  }
  return { path, words };
}

/** An answer as a mapping has it. */
export function writeAnswer({ path, words, question, reason, only }: MappedColumn): string {
  const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(': ');
  return question !== undefined
    ? `? ${joined(path, questionText(question))}`
    : only !== undefined
      ? `only:${only}`
      : path === ''
        ? joined('left out', reason && reasonText(reason))
        : `${path}${words.length > 0 ? `:${words.join()}` : ''}`;
}

/**
 * What a mapping says of each column that it names. Its notation answers which unit amounts have.
 *
 * @throws OperatorError for words that do not exist.
 */
export function readAnswers(
  fields: ImportFields,
  { columns = {}, notation = '' }: Mapping,
): Map<string, MappedColumn> {
  const common = readWords(notation);
  const isUnitKnown = unitsOf('cents').some((unit) => common.includes(unit));
  return new Map(
    Object.entries(columns).map(([name, text]) => {
      const answer = readAnswer(fields, text, name);
      const isAnswered = isUnitKnown && answer.question?.kind === 'unit';
      return [name, isAnswered ? { path: answer.path, words: [] } : answer];
    }),
  );
}

/** The questions of a mapping. */
export function questionsOf(fields: ImportFields, mapping: Mapping): TableQuestion[] {
  const { defaults = {}, values = {}, rows = {} } = mapping;
  const asked: TableQuestion[] = [];
  const answers = [...readAnswers(fields, mapping)];
  const units = answers.flatMap(([name, { question }]) => (question?.kind === 'unit' ? name : []));
  const rounding = new Set(
    answers.flatMap(([, { question }]) => (question?.kind === 'unit' ? (question.rounding ?? []) : [])),
  );
  for (const [column, { question }] of answers) {
    if (question?.kind === 'unit' && units.length > 1) {
      // Once, where the first of them stands.
      if (column === units[0]) {
        asked.push({ kind: 'units', columns: units, rounding: [...rounding] });
      }
    } else if (question !== undefined) {
      asked.push({ kind: 'column', column, question });
    }
  }
  for (const [field, value] of Object.entries(defaults)) {
    if (value.startsWith(ASKED)) {
      asked.push({ kind: 'default', field });
    }
  }
  const wordsByPath = new Map(answers.toReversed().map(([, { path, words }]) => [path, words]));
  for (const [field, byText] of Object.entries(values)) {
    // The unit of the column of a field, in which answers about its texts are read, too.
    const unit = wordsByPath.get(field)?.find((word) => unitsOf('cents').includes(word));
    for (const [text, value] of Object.entries(byText)) {
      if (value.startsWith(ASKED)) {
        asked.push({ kind: 'text', field, text, unit });
      }
    }
  }
  for (const [row, answer] of Object.entries(rows)) {
    if (answer.startsWith(ASKED)) {
      asked.push({ kind: 'row', row, why: answer.slice(1).trim() });
    }
  }
  return asked;
}

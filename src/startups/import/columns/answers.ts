import { amount, OperatorError } from '../../../lib/errors.ts';
import { startupFields } from '../../model/fields.ts';
import { ASKED, fieldOf } from '../notation/checks.ts';
import { readWords, unitsOf, type Word } from '../notation/notations.ts';
import { showText } from '../rows/errors.ts';
import type { Mapping } from './mapping.ts';

// Apart from the schema of a mapping: each import reads answers in a thread of its own, which would load zod for nothing.

/** One of several notations that the values of a column may have, with what one of them would be: `1,000 is $10.00`, if any. */
export interface Way {
  readonly words: readonly Word[];
  readonly reads: string;
}

/** What a mapping says of a column. */
export interface Answer {
  /** The field, or one that a question is about; empty for a column that is left out. */
  readonly path: string;
  readonly words: readonly Word[];
  /** Why it is asked, if it is a question; empty if that is not known. */
  readonly question?: string;
  /** The answers of a question about a notation: each reads what is asked. A mapping has them in its text. */
  readonly ways?: readonly Way[] | undefined;
  /** Why the column is left out. */
  readonly reason?: string;
  /** The only text that its cells may have. */
  readonly only?: string;
}

/** @throws OperatorError for words that do not exist. */
export function readAnswer(text: string, column: string): Answer {
  if (text.startsWith(ASKED)) {
    const [, asked = '', why = ''] = /^\?\s*([\w.]*)(?::\s*(.*))?$/s.exec(text) ?? [];
    return Object.hasOwn(startupFields, asked)
      ? { path: asked, words: [], question: why }
      : { path: '', words: [], question: text.slice(1).trim() };
  }
  const [, leftOut, reason = ''] = /^(|left out)(?::\s*(.*))?$/s.exec(text) ?? [];
  if (leftOut !== undefined) {
    return { path: '', words: [], reason };
  }
  const [, path = '', rest = ''] = /^([^:]*):?(.*)$/s.exec(text) ?? [];
  if (path === 'only') {
    return { path: '', words: [], only: rest.trim() };
  }
  const words = readWords(rest, fieldOf(path)?.kind);
  if (typeof words === 'string') {
    throw new OperatorError(`The column ${JSON.stringify(column)} is ${JSON.stringify(text)}: ${words}.`);
  }
  return { path, words };
}

/** An answer as a mapping has it. */
export function writeAnswer({ path, words, question, reason, only }: Answer): string {
  const joined = (...parts: (string | undefined)[]): string => parts.filter(Boolean).join(': ');
  return question !== undefined
    ? `? ${joined(path, question)}`
    : only !== undefined
      ? `only:${only}`
      : path === ''
        ? joined('left out', reason)
        : `${path}${words.length > 0 ? `:${words.join()}` : ''}`;
}

/** What is asked of amounts whose unit is not known: once for all columns. */
export const WHICH_UNIT = 'which unit: dollars, cents, thousands or millions?';

/**
 * What a mapping says of each column that it names. Its notation answers which unit amounts have.
 *
 * @throws OperatorError for words that do not exist.
 */
export function readAnswers({ columns = {}, notation = '' }: Mapping): Map<string, Answer> {
  const common = readWords(notation);
  const isUnitKnown = unitsOf('cents').some((unit) => common.includes(unit));
  return new Map(
    Object.entries(columns).map(([name, text]) => {
      const answer = readAnswer(text, name);
      const isAnswered = isUnitKnown && answer.question === WHICH_UNIT;
      return [name, isAnswered ? { path: answer.path, words: [] } : answer];
    }),
  );
}

/** The names of columns in a question: three of them. */
const MOST_NAMED = 3;
export function namesText(names: readonly string[]): string {
  const shown = names.slice(0, MOST_NAMED).map(showText);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, amount(more, 'other')] : shown;
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

/** The questions of a mapping, one each. */
export function questionsOf(mapping: Mapping): string[] {
  const { defaults = {}, values = {}, rows = {} } = mapping;
  const ask = (name: string, answer: string, why: string): string[] =>
    answer.startsWith(ASKED) ? [`${name}${why === '' ? '' : ` (${why})`}`] : [];
  const answers = [...readAnswers(mapping)].map(([name, answer]) => ({ name, ...answer }));
  const withoutUnit = answers.filter(({ question }) => question === WHICH_UNIT);
  const [first, ...others] = withoutUnit;
  const asOne = others.length > 0 && `columns ${namesText(withoutUnit.map(({ name }) => name))}`;
  const wordsOf = new Map(answers.toReversed().map(({ path, words }) => [path, words]));
  /** The unit of the column of a field, in which answers about its texts are read, too. */
  const unitOf = (path: string): string => {
    const words = wordsOf.get(path) ?? [];
    const unit = words.find((word) => unitsOf('cents').includes(word));
    return unit === undefined ? '' : `, in ${unit}`;
  };
  return [
    ...answers.flatMap((answer) =>
      asOne !== false && answer.question === WHICH_UNIT
        ? ask(asOne, answer === first ? ASKED : '', WHICH_UNIT)
        : answer.question === undefined
          ? []
          : ask(`column ${showText(answer.name)}`, ASKED, writeAnswer(answer).slice(2)),
    ),
    ...Object.entries(defaults).flatMap(([path, text]) =>
      ask(path, text, 'a required field without a value: map a column, or give a default'),
    ),
    ...Object.entries(values).flatMap(([path, byText]) =>
      Object.entries(byText).flatMap(([text, value]) =>
        ask(`${path} ${JSON.stringify(text)}`, value, `what it means${unitOf(path)}`),
      ),
    ),
    ...Object.entries(rows).flatMap(([name, answer]) =>
      ask(`row ${JSON.stringify(name)}`, answer, answer.slice(1).trim() || 'keep, or leave out'),
    ),
  ];
}

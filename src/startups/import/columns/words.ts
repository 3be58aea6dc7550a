import { amount } from '../../../lib/errors.ts';
import { onPage } from '../../../lib/text/wording.ts';
import { labelOfField } from '../../model/field-labels.ts';
import { type StartupFieldPath, startupFields } from '../../model/fields.ts';
import { unitsOf } from '../notation/notations.ts';
import { errorMessage, showName, showText, showValue } from '../rows/errors.ts';
import type { ImportFields } from './import-fields.ts';
import { isOwnField } from './own-import-fields.ts';
import type {
  ColumnQuestion,
  ColumnQuestionKind,
  Note,
  PlacedValue,
  Problem,
  Reason,
  TableQuestion,
} from './questions.ts';
import { type RepeatAnswer, repeatAnswers } from './repeats.ts';

// The words of questions, notes and reasons: those of the command, a mapping and HTTP, and those of the page where
// they differ.

/** How a surface writes what stands in a sentence. */
interface Voice {
  readonly isPage: boolean;
  /** A value of the file, or a name in it. */
  readonly value: (value: unknown) => string;
  readonly field: (path: string) => string;
  /** A field by itself. */
  readonly name: (path: string) => string;
  /** A field or a column with which a sentence begins. */
  readonly subject: (name: string) => string;
}

const command: Voice = {
  isPage: false,
  value: showValue,
  field: (path) => path,
  name: (path) => path,
  subject: showName,
};
const valueOnPage = (value: unknown): string =>
  typeof value === 'string' ? `“${showText(value).slice(1, -1)}”` : showValue(value);
const pageWith = (fields: NamedFields): Voice => ({
  isPage: true,
  value: valueOnPage,
  // A path that is a plain word is one of its sentence.
  field: (path) => (/[.A-Z]/.test(path) ? nameOfField(fields, path) : path),
  name: (path) => nameOfField(fields, path),
  subject: (name) => (showName(name) === name ? nameOfField(fields, name) : valueOnPage(name)),
});

/** The fields that texts name, some of which may have labels of their own. */
type NamedFields = Pick<ImportFields, 'byPath'>;

/** What a field is called; a name that is none is unchanged. */
export function nameOfField({ byPath }: NamedFields, path: string): string {
  const field = byPath.get(path);
  return field !== undefined && isOwnField(field)
    ? field.own.label
    : Object.hasOwn(startupFields, path)
      ? labelOfField(path as StartupFieldPath)
      : path;
}

/** The units of amounts: the one in which amounts are mostly written, then those that people add to it. */
const [plainUnit, otherUnits] = ['dollars' as const, unitsOf('cents').filter((word) => word !== 'dollars')];
/** What is asked of amounts whose unit is not known: once for all columns. */
const WHICH_UNIT = `which unit: ${[plainUnit, ...otherUnits.slice(0, -1)].join(', ')} or ${otherUnits.at(-1)}?`;

const ROUNDED_BY = ' Fractions of a cent are rounded by ';
/** @param rounding the notations in which amounts have a fraction of a cent. */
const unitQuestion = (rounding: readonly string[] = [], field = ''): string =>
  rounding.length === 0
    ? WHICH_UNIT
    : `${WHICH_UNIT}${ROUNDED_BY}${rounding.map((notation) => field + notation).join(' or ')}`;

/** The first of some lines. */
const MOST_LINES = 3;
export const linesText = (lines: readonly number[]): string =>
  `${lines.length === 1 ? 'line' : 'lines'} ${lines.slice(0, MOST_LINES).join(', ')}${lines.length > MOST_LINES ? ', …' : ''}`;

const cellsText = (cells: readonly PlacedValue[], say: Voice): string =>
  cells
    .slice(0, 2)
    .map(({ line, value }) => `line ${line}: ${say.value(value)}`)
    .join(', ');

/** The names of columns in a question: three of them. */
const MOST_NAMED = 3;
function namesIn(names: readonly string[], say: Voice): string {
  const shown = names.slice(0, MOST_NAMED).map(say.value);
  const more = names.length - shown.length;
  const all = more > 0 ? [...shown, amount(more, 'other')] : shown;
  return all.length < 2 ? all.join() : `${all.slice(0, -1).join(', ')} and ${all.at(-1)}`;
}

interface QuestionWords<Kind extends ColumnQuestionKind> {
  readonly text: (question: Extract<ColumnQuestion, { readonly kind: Kind }>, say: Voice) => string;
  /** Whether its field, without a notation, answers it: what is to be converted or left out, is not. */
  readonly isConfirmable: boolean;
  /** Whether it asks only how values are written, so that one answer for all amounts answers it. */
  readonly isOfAllAmounts?: true;
}

const words: { readonly [Kind in ColumnQuestionKind]: QuestionWords<Kind> } = {
  unit: {
    text: ({ field, rounding }, say) => unitQuestion(say.isPage ? [] : rounding, `${field}:`),
    isConfirmable: true,
    isOfAllAmounts: true,
  },
  meaning: {
    text: ({ field, meanings }, say) =>
      meanings
        .map(({ value, notations }) => {
          const texts = notations.map(({ shown, words: way }) =>
            say.isPage ? shown : `${shown} (${field}:${way.join()})`,
          );
          return `does ${say.value(value)} mean ${texts.join(' or ')}?`;
        })
        .join(' Or '),
    isConfirmable: true,
    isOfAllAmounts: true,
  },
  fraction: {
    text: ({ field, value, words: way }, say) =>
      `${say.value(value)} has a fraction of a cent${say.isPage ? '' : `: round it with ${field}:${way.join()}`}`,
    isConfirmable: true,
  },
  currency: {
    text: ({ currency }) => `these are ${currency}: convert them to US dollars, or leave the column out`,
    isConfirmable: false,
  },
  'foreign cells': {
    text: ({ currency, rows }, say) =>
      `${amount(rows.length, 'value is', 'values are')} ${currency} (${cellsText(rows, say)}): ` +
      'convert them to US dollars in the file, or leave the column out',
    isConfirmable: false,
  },
  'other heading': {
    text: ({ field, contained, otherwise }, say) => {
      if (say.isPage) {
        return `Is this “${say.name(field)}”?`;
      }
      const what = contained === undefined ? 'the heading' : `it has the name "${contained}", and`;
      const rest = typeof otherwise === 'string' ? otherwise : questionIn(otherwise, say);
      return `${what} may mean something else; if not, ${rest}`;
    },
    isConfirmable: true,
  },
  handle: {
    text: ({ field, value }, say) =>
      `${say.value(value)} is a handle, not a name: is it ${say.field(field)}?`,
    isConfirmable: true,
  },
  misfits: { text: misfitsIn, isConfirmable: true },
  empty: {
    text: ({ field }, say) => `every cell is empty: does it clear ${say.field(field)}?`,
    isConfirmable: true,
  },
  choices: {
    text: ({ field }, say) => `every value is one of ${say.field(field)}`,
    isConfirmable: true,
  },
  rivals: {
    text: ({ columns }, say) => `${namesIn(columns, say)} may be it: which one?`,
    isConfirmable: true,
  },
  taken: {
    text: ({ field }, say) => `another column is ${say.field(field)}: leave one of them out`,
    isConfirmable: false,
  },
  'no heading': { text: () => 'it has no heading: what is it?', isConfirmable: true },
  chosen: { text: () => '', isConfirmable: true },
  given: { text: ({ text }) => text, isConfirmable: true },
};

const wordsOfQuestion = ({ kind }: ColumnQuestion): QuestionWords<ColumnQuestionKind> =>
  words[kind] as QuestionWords<ColumnQuestionKind>;
const questionIn = (question: ColumnQuestion, say: Voice): string =>
  wordsOfQuestion(question).text(question as never, say);

interface Misfits {
  readonly field: string;
  readonly misfits: number;
  readonly values: number;
  readonly value: unknown;
}

function misfitsIn({ field, misfits, values, value }: Misfits, say: Voice): string {
  const are = values === 1 ? 'is' : 'are';
  return `${misfits} of ${values} values ${are} not allowed in ${say.field(field)}: ${say.value(value)}`;
}
const NO_FIELD = 'no field has this name';

function reasonIn(reason: Reason, say: Voice): string {
  switch (reason.kind) {
    case 'given':
      return say.isPage ? writtenWith(say, reason.text) : reason.text;
    case 'no field':
      return say.isPage ? 'not recognized' : NO_FIELD;
    case 'no values':
      return 'it has no values';
    case 'computed':
      return 'revgate computes or records it';
    case 'other column':
      return `another column is ${say.field(reason.field)}`;
    case 'misfits':
      return misfitsIn(reason, say);
    case 'currencies':
      return `it says ${reason.currency ?? 'nothing in some rows'}: the amounts beside it are asked`;
    case 'heading':
      return reason.why;
  }
}

/** Why a column is left out, as a mapping, the command and HTTP say it; empty if somebody chose it. */
export const reasonText = (reason: Reason): string => reasonIn(reason, command);
export const reasonOnPage = (fields: NamedFields, reason: Reason): string =>
  reasonIn(reason, pageWith(fields));

/** A reason of a mapping. */
export const readReason = (text: string): Reason =>
  text === NO_FIELD ? { kind: 'no field' } : { kind: 'given', text };

/**
 * A text that somebody wrote into a mapping, or that was stored with an import, for a page: with its quotes, and what its
 * fields are called.
 */
export const writtenOnPage = (fields: NamedFields, text: string): string =>
  writtenWith(pageWith(fields), text);

const writtenWith = (say: Voice, text: string): string =>
  text.replace(/"((?:[^"\\]|\\.)*)"|^[\w.]+|\b[a-z]+(?:\.\w+|[A-Z]\w*)\b/g, (all, quoted?: string) =>
    quoted === undefined ? say.name(all) : `“${quoted}”`,
  );

/** A question as a mapping has it, without the field. */
export const questionText = (question: ColumnQuestion): string => questionIn(question, command);

/** A question as the page asks it. */
export const questionOnPage = (fields: NamedFields, question: ColumnQuestion): string =>
  questionIn(question, pageWith(fields));

/** Whether a question is answered by saying yes to its field. */
export const canBeConfirmed = (question: ColumnQuestion): boolean =>
  question.field !== '' && question.notations.length === 0 && wordsOfQuestion(question).isConfirmable;

/** Whether one answer for all amounts answers a question. */
export const isOfAllAmounts = ({ byPath }: ImportFields, question: ColumnQuestion): boolean =>
  byPath.get(question.field)?.kind === 'cents' && wordsOfQuestion(question).isOfAllAmounts === true;

/** A question of a mapping: nothing is known of it but its text, unless that is what is asked of every amount. */
export function readQuestion(field: string, text: string): ColumnQuestion {
  const [unit, rounding] = text.split(ROUNDED_BY);
  return text === ''
    ? { kind: 'chosen', field, notations: [] }
    : unit === WHICH_UNIT
      ? {
          kind: 'unit',
          field,
          notations: [],
          ...(rounding && { rounding: rounding.replaceAll(`${field}:`, '').split(' or ') }),
        }
      : { kind: 'given', field, notations: [], text };
}

const withWhy = (what: string, why: string): string => (why === '' ? what : `${what} (${why})`);

/** A question about a table in a line, as the command and the error of an incomplete mapping ask it. */
export function tableQuestionText(asked: TableQuestion): string {
  switch (asked.kind) {
    case 'name':
      return 'name (which column is the name of the startup)';
    case 'column': {
      const { column, question } = asked;
      const why = [question.field, questionText(question)].filter(Boolean).join(': ');
      return withWhy(`column ${showText(column)}`, why);
    }
    case 'units':
      return withWhy(`columns ${namesIn(asked.columns, command)}`, unitQuestion(asked.rounding));
    case 'default':
      return withWhy(asked.field, 'a required field without a value: map a column, or give a default');
    case 'text': {
      const unit = asked.unit === undefined ? '' : `, in ${asked.unit}`;
      return withWhy(`${asked.field} ${JSON.stringify(asked.text)}`, `what it means${unit}`);
    }
    case 'row':
      return withWhy(`row ${JSON.stringify(asked.row)}`, asked.why || 'keep, or leave out');
    case 'more texts':
      return `${asked.field} (${amount(asked.more, 'more text')}: asked next)`;
    case 'more rows':
      return `rows (${amount(asked.more, 'more row')} that may be no startup: asked next)`;
    case 'more names':
      return `rows (${amount(asked.more, 'more repeated name')}: asked next)`;
    case 'wrong default':
      return `The default of ${asked.field} is ${asked.wrong}`;
  }
}

function noteIn(note: Note, say: Voice): string {
  switch (note.kind) {
    case 'titles skipped':
      return `${note.file}: ${amount(note.titles.length, 'title row')} skipped: ${note.titles.map(say.value).join(', ')}`;
    case 'row left out':
      return say.isPage
        ? `${note.file}, line\u00a0${note.line}: ${say.value(note.row)}`
        : `${note.file}: line ${note.line}${LEFT_OUT}${say.value(note.row)}`;
    case 'repeats left out':
      return `${say.value(note.name)}: ${amount(note.repeats, 'repeated record')}${say.isPage ? '' : REPEATS_LEFT_OUT}${keptText(note.kept)}`;
    case 'rounded':
      return `${amount(note.count, 'amount')} rounded to whole cents, by at most ${Number(note.largest.toPrecision(3))} of a cent.`;
    case 'foreign money':
      return `${say.subject(note.column)}: the heading says ${note.currency}, but the answer US dollars: nothing is converted.`;
    case 'default figure': {
      const { field, value, shown, isRequired, isUpdate } = note;
      const as = shown === value ? '' : ` (${shown})`;
      const rank = field === 'revenue.total' ? ' These startups have the same rank.' : '';
      const figure = isRequired ? 'verified figure' : 'figure';
      return `${say.subject(field)}: ${value}${as} is shown as a ${figure} of each ${isUpdate ? 'new ' : ''}startup that has none in the file.${rank}`;
    }
    case 'declared':
      return say.isPage
        ? `${say.subject(note.field)}: declared with this import, as ${note.field} (${note.ownKind}).`
        : `${say.subject(note.field)}: declared with this import, as ${note.ownKind} (${say.value(note.label)}).`;
    case 'own cleared': {
      const startups = amount(note.count, 'startup loses its value', 'startups lose their values');
      return `${say.subject(note.field)}: ${startups}, as the file has none. To keep what a file does not have, ${say.isPage ? 'update in part' : 'use --update'}.`;
    }
    case 'titles':
      return `Skipped above the header: ${note.titles.map(say.value).join(', ')}.`;
    case 'encoding':
      return 'The file is no UTF-8 at all: it is read as Windows-1252.';
    case 'absent columns':
      return note.columns.length === 1
        ? `The mapping's column ${namesIn(note.columns, say)} is not in this file.`
        : `The mapping's columns ${namesIn(note.columns, say)} are not in this file.`;
    case 'counted as empty': {
      const values = amount(note.rows.length, 'value counts', 'values count');
      return `${say.subject(note.field)}: ${values} as empty (${cellsText(note.rows, say)}).`;
    }
  }
}

const keptText = (kept: RepeatAnswer): string => `, ${kept === 'none' ? '' : 'the '}${kept} is kept.`;
const REPEATS_LEFT_OUT = ' left out';
const LEFT_OUT = ' left out: ';

/** A note as the command and HTTP say it, and as it is stored with an import. */
export const noteText = (note: Note): string => noteIn(note, command);
export const noteOnPage = (fields: NamedFields, note: Note): string => noteIn(note, pageWith(fields));

/** Whether a note only says which rows an answer leaves out; others need attention. */
export const isLeftOut = ({ kind }: Note): boolean => kind === 'row left out' || kind === 'repeats left out';

/** Of a note that was stored as text: which rows it says are left out; undefined for any other. */
export function readStoredLeftOut(note: string): string | undefined {
  const kept = repeatAnswers.map(keptText).find((text) => note.endsWith(REPEATS_LEFT_OUT + text));
  const rows = kept
    ? `${note.slice(0, -(REPEATS_LEFT_OUT + kept).length)}${kept}`
    : note.replace(STORED_ROW, ', line\u00a0$1: ');
  return rows === note ? undefined : rows;
}
const STORED_ROW = new RegExp(`: line (\\d+)${LEFT_OUT}`);

function problemIn(problem: Problem, say: Voice): string {
  switch (problem.kind) {
    case 'unreadable': {
      const { file, error } = problem;
      return say.isPage
        ? `${writtenWith(say, errorMessage(file, { ...error, fix: error.fix && onPage(error.fix) }))}.`
        : `${errorMessage(file, error)}.`;
    }
    case 'not allowed': {
      const { column, field, misfits, rows } = problem;
      const values = amount(misfits, 'value is', 'values are');
      return `${say.subject(column)}: ${values} not allowed in ${say.field(field)} (${cellsText(rows, say)}): correct the file, or change the answer.`;
    }
    case 'no value': {
      const { field, lines } = problem;
      const records = amount(lines.length, 'record has', 'records have');
      return `${say.subject(field)}: ${records} no value (${linesText(lines)}), and cannot be imported without one.`;
    }
  }
}
/** A problem in a sentence. */
export const problemText = (problem: Problem): string => problemIn(problem, command);
export const problemOnPage = (fields: NamedFields, problem: Problem): string =>
  problemIn(problem, pageWith(fields));

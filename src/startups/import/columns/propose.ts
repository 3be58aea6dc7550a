import { ASKED, FEW_VALUES } from '../notation/checks.ts';
import { type Notation, powerOf } from '../notation/notations.ts';
import { textKey } from '../notation/text-checks.ts';
import type { MappedColumn } from './answers.ts';
import {
  type Candidate,
  currencyQuestion,
  decideDecimals,
  decideNotation,
  foreignCells,
  isQuestion,
  misfitsOf,
  type Reader,
  saysNothing,
} from './decide-notation.ts';
import type { ColumnQuestion, Reason } from './questions.ts';

/** A proposal for a column, with the texts of it that are no values of its field. */
export interface Proposal {
  readonly answer: MappedColumn;
  /** Empty for a text that says that there is no value, `?` for one that is to be answered. */
  readonly texts: Readonly<Record<string, string>>;
}

/** An answer, a column that is left out, and a question, without texts. */
export const done = (answer: MappedColumn): Proposal => ({ answer, texts: {} });
export const leaveOut = (reason: Reason): Proposal => done({ path: '', words: [], reason });
export const ask = (question: ColumnQuestion): Proposal =>
  done({ path: question.field, words: [], question });

/**
 * What the values of an answered column say: how the decimals of amounts are written, texts and foreign money.
 *
 * @param notation of the field, with the words that other columns have in common.
 */
export function proposeAnswered(candidate: Candidate, answer: MappedColumn, notation: Notation): Proposal {
  const { column, field, values, meanings, readerOf } = candidate;
  const given = [...notation];
  const read = readerOf(given);
  const warning = field.kind === 'cents' ? currencyQuestion(candidate) : undefined;
  const meant = new Set(
    Object.keys(meanings).flatMap((text) => (meanings[text] === ASKED ? [] : (textKey(text) ?? []))),
  );
  const open = column.cells.filter(
    ({ value }) => read(value) === undefined && !meant.has(textKey(value) ?? ''),
  );
  const isOpen =
    field.kind === 'cents' && powerOf(notation) !== undefined && misfitsOf(values, read).length > 0;
  const foreign = warning && foreignCells(field, open);
  if (foreign !== undefined) {
    return ask(foreign);
  }
  const words = isOpen ? decideDecimals(candidate, given) : given;
  if (isQuestion(words)) {
    return ask(words);
  }
  const found = words.length > given.length ? { ...answer, words } : answer;
  return {
    answer: warning === undefined ? found : { ...found, warning },
    texts: textsOf(candidate, readerOf(words)),
  };
}

const isNoName = (value: unknown): boolean =>
  typeof value !== 'string' || /^\s*(https?:\/\/|www\.)|^[\d.,\s]+$/i.test(value);
const isHandle = (value: unknown): boolean =>
  typeof value === 'string' && /^\s*(@|(https?:\/\/)?(www\.)?(x|twitter)\.com\/)/i.test(value);

/**
 * Proposes how the values of a column are written.
 *
 * @param isChosen whether people have chosen the field: then its texts are asked, however many are not allowed.
 */
export function propose(candidate: Candidate, isChosen = false): Proposal {
  const { values, readerOf, isUpdate } = candidate;
  const { path, nullable } = candidate.field;
  const canClear = isUpdate && nullable === true;
  if (values.length === 0 && !(canClear && isChosen)) {
    return canClear ? ask({ kind: 'empty', field: path, notations: [] }) : leaveOut({ kind: 'no values' });
  }
  const handles = path === 'founderName' && !isChosen ? new Set(values.filter(isHandle)) : new Set();
  // A few among names are asked, each for its row.
  if (2 * handles.size > new Set(values).size || areMany(candidate, handles.size)) {
    return ask({ kind: 'handle', field: 'xHandle', notations: [], value: [...handles][0] });
  }
  const words = decideNotation(candidate);
  if (isQuestion(words)) {
    return ask(words);
  }
  const read = readerOf(words);
  const misfits = values.filter((value) => read(value) === undefined || (path === 'name' && isNoName(value)));
  const asked = misfits.filter((value) => !isBelowZero(candidate, value));
  const texts = textsOf(candidate, read);
  const wrong = { field: path, misfits: misfits.length, values: values.length, value: misfits[0] };
  if (!isChosen && 2 * misfits.length > values.length) {
    return leaveOut({ kind: 'misfits', ...wrong });
  }
  // Whether they are errors is one question, not one for each of them.
  return !isChosen && areMany(candidate, new Set(asked).size)
    ? ask({ kind: 'misfits', notations: [], ...wrong })
    : { answer: { path, words }, texts };
}

const NEGATIVE = /^\s*[-−]\s*[\d.,]+\s*%?\s*$/;
/** Whether a value of a share of all is negative: an error of its line, about which nothing is to be asked. */
const isBelowZero = ({ field: { kind, minimum } }: Candidate, value: unknown): boolean =>
  kind === 'percent' && minimum === 0 && NEGATIVE.test(String(value));

/** How many different texts of a column are asked, where each needs a value of its own. */
const MOST_TYPED = 5;
const areMany = ({ field: { kind } }: Candidate, texts: number): boolean =>
  texts > MOST_TYPED && !FEW_VALUES.has(kind);

const CROSS = /^\s*x\s*$/i;
const CHECK_MARK = /^\s*[✓✔☑✅]\ufe0f?\s*$/u;
/**
 * Whether a cross may mean no. It means yes in a checkbox, of which an empty cell is the opposite; beside check marks, and
 * where no other cell says no, it is probably their opposite.
 */
function mayCrossesMeanNo({ column: { cells, empty }, field, readerOf }: Candidate): boolean {
  const read = readerOf(['words']);
  return (
    field.kind === 'boolean' &&
    empty.length === 0 &&
    cells.some(({ value }) => CHECK_MARK.test(String(value))) &&
    cells.every(({ value }) => read(value) === true)
  );
}

/**
 * The texts of a column that are no values of its field: those that say nothing, and those that are asked. Many are
 * errors of the file, or of the answer.
 */
function textsOf(candidate: Candidate, read: Reader): Proposal['texts'] {
  const { column, field } = candidate;
  const areCrossesAsked = mayCrossesMeanNo(candidate);
  const isAsked = (value: unknown): boolean =>
    (areCrossesAsked && CROSS.test(String(value))) || isUnread(value);
  const isUnread = (value: unknown): boolean =>
    field.path === 'founderName'
      ? isHandle(value)
      : field.kind !== 'string' && read(value) === undefined && !isBelowZero(candidate, value);
  const texts = column.cells.flatMap(({ value }) =>
    typeof value !== 'string' || read(value) === null
      ? []
      : saysNothing(value, field)
        ? [[value, '']]
        : isAsked(value)
          ? [[value, ASKED]]
          : [],
  );
  const asked = new Set(texts.flatMap(([text, meaning]) => (meaning === ASKED ? [text] : [])));
  return Object.fromEntries(
    areMany(candidate, asked.size) ? texts.filter(([text]) => !asked.has(text)) : texts,
  );
}

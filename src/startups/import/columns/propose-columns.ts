import type { ImportField } from '../../model/fields.ts';
import { ASKED, createCheck, FIGURES } from '../notation/checks.ts';
import { readWords, unitsOf } from '../notation/notations.ts';
import { cut } from '../rows/errors.ts';
import { writeAnswer } from './answers.ts';
import {
  type Candidate,
  candidateOf,
  currencyQuestion,
  decideNotation,
  isQuestion,
} from './decide-notation.ts';
import { createFieldNames } from './field-names.ts';
import { readHeading } from './headings.ts';
import { type ImportFields, REVENUE } from './import-fields.ts';
import type { Mapping } from './mapping.ts';
import { ask, done, leaveOut, type Proposal, propose, proposeAnswered } from './propose.ts';
import type { TableColumn, TableSample } from './sample.ts';

/** Whether an answer of a mapping is none of its questions. */
export const isKnown = ([, value]: readonly [string, string]): boolean => !value.startsWith(ASKED);

/** A column with what is proposed for it. */
export type Proposed = ReturnType<typeof proposeAll>[number];

/** Whether it is a field that no import fills. A column `revenue` is none: its parts are fields, and it may be any of them. */
export const isComputed = ({ recordNames, byPath }: ImportFields, name: string): boolean =>
  recordNames.has(name) && !byPath.has(name) && name !== REVENUE;

/** What the proposals for the columns of a table depend on. */
type Table = ReturnType<typeof tableOf>;

function tableOf(fields: ImportFields, sample: TableSample, given: Mapping, isUpdate: boolean) {
  const names = createFieldNames(fields, given);
  const columns = sample.columns.map((column) => ({
    column,
    heading: readHeading(fields, column.heading),
    before: names.answers.get(column.name),
  }));
  const pathsOf = (kind?: 'chosen'): ReadonlySet<string> =>
    new Set(columns.flatMap(({ before }) => (before && before.question?.kind === kind ? before.path : [])));
  const common = readWords(given.notation ?? '');
  const currency = columns
    .flatMap(({ column: { cells }, heading: { isCurrency } }) => (isCurrency ? cells : []))
    .map(({ value }) => String(value).trim())
    .find((text) => !/^(usd|us\$|\$)$/i.test(text));
  return {
    fields,
    sample,
    isUpdate,
    names,
    columns,
    /** The kinds of fields of which a column with values has another name than ours, so that each unit is to be known. */
    foreignKinds: new Set(
      columns.flatMap(({ column, heading, before }) => {
        const isOpen = before === undefined || (before.path === '' && before.question !== undefined);
        const field = fields.byPath.get(isOpen ? (heading.path ?? '') : before.path);
        return field === undefined || column.name === field.path || column.cells.length === 0
          ? []
          : field.kind;
      }),
    ),
    /** The fields of the answered columns, those that were chosen without a notation, and those that headings name. */
    taken: pathsOf(),
    chosen: pathsOf('chosen'),
    headings: new Set(columns.flatMap(({ heading: { path, rank } }) => (rank < 0 ? [] : (path ?? [])))),
    common: typeof common === 'string' ? [] : common,
    /** What a column of currencies says, if there is one: money other than US dollars. */
    currency: currency === undefined ? undefined : cut(currency),
    /** Whether all columns have our names. */
    areOwn: columns.every(
      ({ column: { name } }) =>
        name !== REVENUE && (fields.recordNames.has(name) || name.startsWith('revenue.')),
    ),
  };
}

/**
 * What each column is: what was answered, what its heading and values say, or a question.
 *
 * @param isUpdate whether an empty cell clears.
 */
export function proposeAll(fields: ImportFields, sample: TableSample, given: Mapping, isUpdate: boolean) {
  const table = tableOf(fields, sample, given, isUpdate);
  const { columns, chosen } = table;
  const proposals = columns.map((one) => ({ ...one, ...proposeOne(one, table) }));
  const isRival = ({ heading, answer, before }: (typeof proposals)[number]): boolean =>
    heading.path !== undefined &&
    answer.path === heading.path &&
    (before === undefined || (before.question !== undefined && before.question.kind !== 'chosen'));
  /** The names of the columns that may be a field, by how well their headings name it. */
  const rivals = new Map<string, Map<number, string[]>>();
  for (const { heading, column } of proposals.filter(isRival)) {
    const { path = '', rank } = heading;
    const byRank = rivals.get(path) ?? new Map<number, string[]>();
    const names = byRank.get(rank) ?? [];
    names.push(column.name);
    rivals.set(path, byRank.set(rank, names));
  }
  // Of several columns for a field, the one whose heading names it best.
  return proposals.map((one) => {
    const { path = '', rank } = one.heading;
    // Revenue of which period it is, no other column says.
    const isPeriod = rank === 0 && path.startsWith('revenue.');
    const byRank = rivals.get(path);
    const isOther = chosen.has(path) || Math.max(...(byRank?.keys() ?? [])) > rank;
    const equal = byRank?.get(rank) ?? [];
    const proposal = !isRival(one)
      ? one
      : !isPeriod && isOther
        ? leaveOut({ kind: 'other column', field: path })
        : equal.length > 1
          ? ask({ kind: 'rivals', field: path, notations: [], columns: equal })
          : one;
    const { answer, texts } = proposal;
    /** The field that it fills; undefined for a question, and for a column that is left out. */
    const field = answer.question === undefined ? fields.byPath.get(answer.path) : undefined;
    return { column: one.column, answer, texts, field };
  });
}

/** How many different texts a column may have whose heading names a field of few values: more are free text. */
const MOST_CHOICES = 200;

/** What a column is by itself. */
function proposeOne({ column, heading, before }: Table['columns'][number], table: Table): Proposal {
  const { fields, sample, names, taken, headings, currency, foreignKinds, areOwn } = table;
  const { isCsv } = sample;
  const { name, cells } = column;
  const candidate = (of: ImportField): Candidate =>
    candidateOf(column, of, isCsv, table, names.mapping.values?.[of.path]);
  const known = fields.byPath.get(before?.path ?? '');
  if (before !== undefined && before.question === undefined) {
    // The documented format of a figure is strict: a cell in another one is an error, not a text with a meaning.
    const isOwn = FIGURES.has(known?.kind ?? '') && known?.path === name && before.words.length === 0;
    if (known === undefined || (isOwn && !foreignKinds.has(known.kind))) {
      return done(before);
    }
    const notation = names.notationOf(known);
    const units = unitsOf(known.kind);
    return units.length > 0 && !units.some((unit) => notation.has(unit))
      ? propose(candidate(known), true)
      : proposeAnswered(candidate(known), before, notation);
  }
  const byValues = (): ImportField | undefined =>
    heading.excluded
      ? undefined
      : fieldByValues(fields, column, ({ path }) => taken.has(path) || headings.has(path));
  const isAskedByItself = (path: string): boolean => (heading.path ?? byValues()?.path) === path;
  // A field that was chosen without a notation: its values may show that.
  if (known !== undefined && (before?.question?.kind === 'chosen' || !isAskedByItself(known.path))) {
    return taken.has(known.path)
      ? ask({ kind: 'taken', field: known.path, notations: [] })
      : propose(candidate(known), true);
  }
  if (isComputed(fields, column.heading)) {
    return leaveOut({ kind: 'computed' });
  }
  const own = fields.byPath.get(name);
  if (own !== undefined && !foreignKinds.has(own.kind)) {
    const isCents = own.kind === 'cents' && currencyQuestion(candidate(own)) === undefined;
    const answer = { path: name, words: [] };
    if (isCents || cells.length === 0 || (areOwn && FIGURES.has(own.kind))) {
      return done(answer);
    }
    if (areOwn) {
      // As it is once it is answered: the next step asks nothing else.
      const decision = own.kind === 'choice' ? decideNotation(candidate(own)) : [];
      const words = isQuestion(decision) ? [] : decision;
      return proposeAnswered(
        candidate(own),
        { path: name, words },
        new Set([...words, ...names.notationOf(own)]),
      );
    }
  }
  if (heading.isCurrency) {
    const only = String(cells[0]?.value ?? '').trim();
    const isOne = cells.every(({ value }) => String(value).trim() === only) && column.empty.length === 0;
    return currency === undefined && isOne
      ? done({ path: '', words: [], only })
      : leaveOut({ kind: 'currencies', currency });
  }
  if (column.heading === '') {
    return cells.length === 0
      ? leaveOut({ kind: 'no values' })
      : ask({ kind: 'no heading', field: '', notations: [] });
  }
  const field = fields.byPath.get(heading.path ?? '');
  if (field === undefined) {
    const shown = byValues();
    return shown === undefined
      ? leaveOut(
          heading.excluded === undefined ? { kind: 'no field' } : { kind: 'heading', why: heading.excluded },
        )
      : ask({ kind: 'choices', field: shown.path, notations: [] });
  }
  if (taken.has(field.path)) {
    return leaveOut({ kind: 'other column', field: field.path });
  }
  const texts = new Set(cells.flatMap(({ value }) => (typeof value === 'string' ? value : [])));
  const isChoice = field.kind === 'choice' && texts.size > 0 && texts.size <= MOST_CHOICES;
  const proposal = propose(candidate(field), isChoice && heading.rank > 0);
  const { path, question } = proposal.answer;
  if (heading.rank > 0 || path === '') {
    return proposal;
  }
  return ask({
    kind: 'other heading',
    field: path,
    notations: [],
    contained: heading.contained,
    otherwise: question ?? writeAnswer(proposal.answer),
  });
}

/** The field of whose few values every value of a column is one. */
function fieldByValues(
  { list }: ImportFields,
  { cells }: TableColumn,
  isTaken: (field: ImportField) => boolean,
): ImportField | undefined {
  return list.find((field) => {
    const { read } = createCheck(field);
    return (
      field.kind === 'choice' &&
      !isTaken(field) &&
      cells.length > 0 &&
      cells.every(({ value }) => read(value) !== undefined) &&
      cells.some(({ value }) => /\p{L}/u.test(String(value)))
    );
  });
}

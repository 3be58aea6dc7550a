import { questionsOf, writeAnswer } from './columns/answers.ts';
import { isMeaning, wrongValue } from './columns/check-mapping.ts';
import { createFieldNames, type FieldNames, missingFields, slugFrom } from './columns/field-names.ts';
import type { ImportFields } from './columns/import-fields.ts';
import type { Mapping } from './columns/mapping.ts';
import { periodColumn, repeatQuestion } from './columns/periods.ts';
import { isComputed, isKnown, type Proposed, proposeAll } from './columns/propose-columns.ts';
import type { Note, Problem, TableQuestion } from './columns/questions.ts';
import { type ColumnReport, reportColumn } from './columns/report.ts';
import { sampleTable, type TableSample } from './columns/sample.ts';
import {
  isOfAllAmounts,
  linesText,
  noteText,
  problemText,
  questionText,
  reasonText,
  tableQuestionText,
} from './columns/words.ts';
import { ASKED, FIGURES } from './notation/checks.ts';
import { readWords } from './notation/notations.ts';
import { textKey } from './notation/text-checks.ts';
import { type ImportInput, inputName } from './rows/input.ts';
import { firstRecords } from './values/preview.ts';
import { mappingNotes } from './values/summary.ts';

/** How a table may be imported: what it says itself, what was answered, and what is still to be answered. */
export type Examination = Awaited<ReturnType<typeof examineTable>>;

/** One answer for all amounts of which only is asked how they are written. */
export interface AmountsAnswer {
  /** The words of their notation. */
  readonly notation: string;
  /** The columns that have no answer of their own. */
  readonly columns: readonly string[];
}

interface ExamineOptions {
  readonly signal?: AbortSignal | undefined;
  readonly amounts?: AmountsAnswer | undefined;
  /** Whether records have only what they set: what they lack is asked of no column, as only new startups need it. */
  readonly update?: boolean | undefined;
}

/**
 * Examines the header and the first 1,000 records of a table.
 *
 * @param answers which are kept as far as the table has their columns.
 * @throws OperatorError for an input that is no table; the signal's reason.
 */
export async function examineTable(
  fields: ImportFields,
  input: ImportInput,
  answers: Mapping = {},
  { signal, amounts, update = false }: ExamineOptions = {},
) {
  const sample = await sampleTable(fields, input, answers, signal);
  const given = amounts === undefined ? answers : answerAmounts(fields, sample, answers, amounts, update);
  const proposals = proposeAll(fields, sample, given, update);
  const filled = new Map(proposals.flatMap((one) => (one.field ? [[one.field.path, one]] : [])));
  const asked = new Set(proposals.flatMap(({ field, answer }) => (field ? [] : answer.path)));
  const needed = missingFields(fields, (path) => filled.has(path), {});
  const missing = update ? needed.filter((path) => path === 'name' && !filled.has('slug')) : needed;
  const isPartlyEmpty = (path: string): boolean =>
    path !== 'name' && Boolean(filled.get(path)?.column.empty.length);
  const partlyEmpty = fields.required.filter(isPartlyEmpty);
  // One figure for all that have none would be invented.
  const isFigure = (path: string): boolean =>
    filled.get(path)?.column.cells.length !== 0 && FIGURES.has(fields.byPath.get(path)?.kind ?? '');
  const answered = createFieldNames(fields, given);
  const texts = proposals.map((one) => textsAsked(one, answered));
  const odd = firstAsked(sample.oddRows.map((row) => [row, given.rows?.[row] ?? ASKED]));
  const repeated = repeatedNames(filled, given, proposals);
  const mapping = mappingOf(sample, answered, proposals, texts, odd, repeated, [
    // A column that is asked may be it.
    ...missing.filter((path) => path !== 'name' && !asked.has(path)),
    ...(update ? [] : partlyEmpty.filter((path) => !isFigure(path))),
  ]);
  const names = createFieldNames(fields, mapping, update);
  const columns = proposals.map((one) => reportColumn(one, names, sample.isCsv));
  return {
    mapping,
    columns,
    /** What is to be answered before an import, one each. */
    questions: [
      ...(missing.includes('name') ? [{ kind: 'name' } as const] : []),
      ...questionsOf(fields, mapping),
      ...texts.flatMap(({ path, more }) =>
        more > 0 ? ({ kind: 'more texts', field: path, more } as const) : [],
      ),
      ...(odd.more > 0 ? [{ kind: 'more rows', more: odd.more } as const] : []),
      ...(repeated.more > 0 ? [{ kind: 'more names', more: repeated.more } as const] : []),
      ...Object.entries(mapping.defaults ?? {}).flatMap(([path, value]) => {
        const field = fields.byPath.get(path);
        const wrong = field && wrongValue(names, field, value);
        return wrong === undefined ? [] : ({ kind: 'wrong default', field: path, wrong } as const);
      }),
    ] satisfies TableQuestion[],
    /** What an import would refuse, although it is answered. */
    problems: [
      ...sample.errors
        .slice(0, MOST_ERRORS)
        .map((error) => ({ kind: 'unreadable', file: inputName(input), error }) as const),
      ...columns.flatMap((column) => problemOf(column, mapping)),
      ...partlyEmpty.flatMap((path) => {
        const { empty: lines = [] } = filled.get(path)?.column ?? {};
        // A key of JSON may also be absent: then an update in part leaves the field as it is.
        const isError = update ? sample.isCsv : isFigure(path) && !mapping.defaults?.[path];
        return isError ? [{ kind: 'no value', field: path, lines } as const] : [];
      }),
    ] satisfies Problem[],
    /** What people should know. */
    notes: [
      ...sample.notes,
      ...absentNotes(sample, given),
      ...proposals.flatMap((one) => emptyNotes(one, mapping)),
      ...mappingNotes(names),
    ],
    /** The first valid records as customers would see them, with `?` for each field that is not known. */
    records: await firstRecords(
      fields,
      sample,
      mapping,
      missing.filter((path) => path !== 'name' && asked.has(path)),
      update,
    ),
  };
}

/** The answers with that for all amounts, which each column has for which it is one. */
function answerAmounts(
  fields: ImportFields,
  sample: TableSample,
  given: Mapping,
  { notation, columns }: AmountsAnswer,
  isUpdate: boolean,
): Mapping {
  const answered = proposeAll(fields, sample, given, isUpdate).flatMap(
    ({ column: { name }, answer: { path, question } }) =>
      question !== undefined &&
      columns.includes(name) &&
      isOfAllAmounts(fields, question) &&
      typeof readWords(notation, { kind: 'cents' }) !== 'string'
        ? [[name, `${path}:${notation}`] as const]
        : [],
  );
  return { ...given, columns: { ...given.columns, ...Object.fromEntries(answered) } };
}

/** An examination for programs, in the words of the command. */
export function toExaminationReport({ mapping, columns, questions, problems, notes, records }: Examination) {
  return {
    mapping,
    columns: columns.map(({ name, answer, field, state, question, reason, warning, words: _, ...proof }) => {
      const asked = question ?? warning;
      return {
        name,
        answer,
        field,
        state,
        reason: asked === undefined ? (reason === undefined ? '' : reasonText(reason)) : questionText(asked),
        ways: question?.notations ?? [],
        ...proof,
      };
    }),
    questions: questions.map(tableQuestionText),
    problems: problems.map(problemText),
    notes: notes.map(noteText),
    records,
  };
}

/** Which columns of a mapping the table does not have. */
function absentNotes({ columns: all }: TableSample, given: Mapping): Note[] {
  const names = new Set(all.map(({ name }) => name));
  const columns = Object.keys(given.columns ?? {}).filter((name) => !names.has(name));
  return columns.length === 0 ? [] : [{ kind: 'absent columns', columns }];
}

/** What of a column is not allowed, unless its texts are still asked. */
function problemOf(
  { name: column, field, state, misfits, firstMisfits }: ColumnReport,
  { values }: Mapping,
): Problem[] {
  const isAsked = Object.values(values?.[field ?? ''] ?? {}).includes(ASKED);
  if (state !== 'field' || field === null || misfits === 0 || isAsked) {
    return [];
  }
  const rows = firstMisfits.map(({ line, written }) => ({ line, value: written }));
  return [{ kind: 'not allowed', column, field, misfits, rows }];
}

/** Which cells of a column count as empty because of what they say. */
function emptyNotes({ field, column: { cells } }: Proposed, { values }: Mapping): Note[] {
  const path = field?.path ?? '';
  const texts = new Set(
    Object.entries(values?.[path] ?? {}).flatMap(([text, value]) =>
      value === '' ? (textKey(text) ?? []) : [],
    ),
  );
  const rows = cells.filter(({ value }) => texts.has(textKey(value) ?? ''));
  return rows.length === 0 ? [] : [{ kind: 'counted as empty', field: path, rows }];
}

/** How many records that cannot be read are named. */
const MOST_ERRORS = 3;

/** How many texts of a column, odd rows or repeated names are asked at once. */
const MOST_ASKED = 50;

/** Answers and questions, as a mapping has them, with how many of the questions are still left out. */
type Asked = ReturnType<typeof firstAsked>;

function firstAsked(all: readonly (readonly [string, string])[]) {
  const asked = all.filter(([, value]) => value.startsWith(ASKED));
  const later = new Set(asked.slice(MOST_ASKED));
  return { entries: all.filter((one) => !later.has(one)), more: later.size };
}

/** What texts of a field were answered to mean, if that is allowed. */
function answeredTexts(names: FieldNames, path: string): Record<string, string> {
  const field = names.fields.byPath.get(path);
  const all = Object.entries(names.mapping.values?.[path] ?? {}).filter(isKnown);
  return Object.fromEntries(all.filter(([, value]) => field && isMeaning(names, field, value)));
}

/** What the texts of a column mean, and those that are to be answered. */
function textsAsked({ answer: { path, question }, texts }: Proposed, given: FieldNames) {
  const asked = question === undefined ? texts : {};
  return { path, ...firstAsked(Object.entries({ ...asked, ...answeredTexts(given, path) })) };
}

/** The names and slugs that several records have, of which an import takes one. */
function repeatedNames(
  filled: ReadonlyMap<string, Proposed>,
  { rows = {} }: Mapping,
  proposals: readonly Proposed[],
): Asked {
  const slugs = new Map(filled.get('slug')?.column.cells.map(({ value, line }) => [line, value]));
  const bySlug = new Map<unknown, { name: unknown; lines: number[] }>();
  for (const { value, line } of filled.get('name')?.column.cells ?? []) {
    const slug = slugs.get(line) ?? slugFrom(value).slug;
    const known = bySlug.get(slug) ?? { name: slugs.get(line) ?? value, lines: [] };
    known.lines.push(line);
    bySlug.set(slug, known);
  }
  bySlug.delete(undefined);
  const repeated = [...bySlug.values()].filter(({ lines }) => lines.length > 1);
  const period = periodColumn(
    // Of a startup, a day such as that of its founding is no period.
    proposals.flatMap(({ column, field }) => (field === undefined ? column : [])),
    repeated.map(({ lines }) => lines),
  );
  const answers = repeated.map(({ name, lines }) => {
    const given = rows[String(name)] ?? ASKED;
    const isAsked = given.startsWith(ASKED);
    return [String(name), isAsked ? repeatQuestion(linesText(lines), period) : given] as const;
  });
  return firstAsked(answers);
}

/** The answers and questions of a table; answers to what it does not have are kept for the next one. */
function mappingOf(
  { encoding }: TableSample,
  answered: FieldNames,
  proposals: readonly Proposed[],
  texts: readonly (Asked & { readonly path: string })[],
  odd: Asked,
  repeated: Asked,
  askedDefaults: readonly string[],
): Mapping {
  const { fields, mapping: given } = answered;
  const { notation, path, ignoreUnknown, fields: declared } = given;
  const columns = proposals.flatMap(({ column: { name }, answer }) => {
    const text = writeAnswer(answer);
    const isNoQuestion = isComputed(fields, name) && answer.path === '';
    const isDocumented = text === name && given.columns?.[name] === undefined;
    return isDocumented || isNoQuestion ? [] : [[name, text]];
  });
  const defaults = [
    ...askedDefaults.map((field) => [field, ASKED]),
    ...Object.entries(given.defaults ?? {}).filter((one) => one[1] !== '' && isKnown(one)),
  ];
  const values = [
    ...Object.keys(given.values ?? {}).map((field) => [field, answeredTexts(answered, field)] as const),
    ...texts.map(({ path: field, entries }) => [field, Object.fromEntries(entries)] as const),
  ].filter(([, byText]) => Object.keys(byText).length > 0);
  const rows = [...odd.entries, ...repeated.entries];
  return {
    columns: Object.fromEntries(columns),
    ...(notation && { notation }),
    ...(defaults.length > 0 && { defaults: Object.fromEntries(defaults) }),
    ...(values.length > 0 && { values: Object.fromEntries(values) }),
    ...(rows.length > 0 && { rows: Object.fromEntries(rows) }),
    ...(declared && { fields: declared }),
    ...(path && { path }),
    ...(ignoreUnknown && { ignoreUnknown }),
    ...(encoding !== 'utf-8' && { encoding }),
  };
}

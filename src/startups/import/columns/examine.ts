import { amount } from '../../../lib/text/amount.ts';
import { storedStartupFields } from '../../model/fields.ts';
import type { ImportInput } from '../rows/input.ts';
import { sampleTable, type TableColumn, type TableSample } from '../rows/sample.ts';
import { zeroNotes } from '../summary.ts';
import { type Answer, readAnswer, writeAnswer } from '../values/notations.ts';
import type { ShownRecord } from '../values/preview.ts';
import { recordNames } from '../values/validate.ts';
import { createFieldNames, missingFields } from './field-names.ts';
import { type Heading, readHeading } from './headings.ts';
import { type Mapping, questionsOf } from './mapping.ts';
import { fieldByValues, type Proposal, propose, proposeTexts } from './propose.ts';
import { type ColumnProof, fieldOf, prove, tryMapping } from './prove.ts';

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
}

/**
 * Examines the header and the first 1,000 records of a table.
 *
 * @param given answers, which are kept as far as the table has their columns.
 * @param asksTexts whether texts that no answer explains are asked: not where somebody has chosen that they are errors.
 * @throws OperatorError for an input that is no table; the signal's reason.
 */
export async function examineTable(
  input: ImportInput,
  given: Mapping = {},
  { asksTexts = true, signal }: { asksTexts?: boolean | undefined; signal?: AbortSignal } = {},
): Promise<Examination> {
  const sample = await sampleTable(input, given, signal);
  const proposals = proposeAll(sample, given, asksTexts);
  const filled = new Set(
    proposals.flatMap(({ answer: { path, question } }) => (question === undefined ? path : [])),
  );
  const required: ReadonlySet<string> = new Set(missingFields(() => false, {}));
  const partlyEmpty = sample.columns.flatMap(({ empty, cells }, index) => {
    const { path = '', question } = proposals[index]?.answer ?? {};
    const isOne = question === undefined && required.has(path) && path !== 'name' && empty > 0;
    // One figure for all that have none would be invented.
    const isFigure = cells.length > 0 && FIGURES.has(fieldOf(path)?.kind ?? '');
    return isOne ? [{ path, empty, isFigure }] : [];
  });
  const emptyRequired = partlyEmpty.filter(({ isFigure }) => !isFigure).map(({ path }) => path);
  const missing = missingFields((path) => filled.has(path), {});
  const asked = new Set<string>(
    proposals.flatMap(({ answer: { path, question } }) => (question === undefined ? [] : path)),
  );
  const defaults = Object.fromEntries([
    // A column that is asked may be it.
    ...[...missing, ...emptyRequired]
      .filter((path) => path !== 'name' && !asked.has(path ?? ''))
      .map((path) => [path, '?']),
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
      ...partlyEmpty
        .filter(({ path, isFigure }) => isFigure && !Object.hasOwn(defaults, path))
        .map(
          ({ path, empty }) =>
            `${path}: ${amount(empty, 'record has', 'records have')} no value, and cannot be imported without one.`,
        ),
      ...zeroNotes(mapping),
    ],
    records: await tryMapping(
      sample,
      mapping,
      missing.filter((path) => asked.has(path)),
    ),
  };
}

/** Kinds of fields whose values are amounts and counts. */
const FIGURES: ReadonlySet<string> = new Set(['cents', 'count', 'percent']);

const stored: ReadonlySet<string> = new Set(storedStartupFields.map(({ path }) => path));

/** What each column is: what was answered, what its heading and values say, or a question. */
function proposeAll({ columns, isCsv }: TableSample, given: Mapping, asksTexts: boolean): Proposal[] {
  const names = createFieldNames(given);
  const answered = new Map(
    Object.entries(given.columns ?? {}).map(([name, text]) => [name, readAnswer(text, name)] as const),
  );
  const givenOf = ({ name }: TableColumn): Answer | undefined => {
    const answer = answered.get(name);
    return answer?.question === undefined ? answer : undefined;
  };
  const taken = new Set(columns.map((column) => givenOf(column)?.path ?? ''));
  const chosenPaths = new Set(
    [...answered.values()].flatMap(({ path, question }) => (question === '' ? path : [])),
  );
  const areOwn = columns.every(({ name }) => recordNames.has(name) || name.startsWith('revenue.'));
  const headings = columns.map(({ name }) => readHeading(name));
  const currencies = columns.filter((_, index) => headings[index]?.isCurrency).flatMap(({ cells }) => cells);
  const currency = currencies
    .map(({ value }) => String(value).trim())
    .find((text) => !/^(usd|us\$|\$)$/i.test(text));
  const done = (answer: Answer): Proposal => ({ answer, texts: {} });
  const leaveOut = (reason: string): Proposal => done({ path: '', words: [], reason });
  const ask = (path: string, question: string): Proposal => done({ path, words: [], question });
  /** What a column is by itself. */
  const alone = (column: TableColumn, { path, excluded, isCurrency, rank }: Heading): Proposal => {
    const { name, cells } = column;
    const before = givenOf(column);
    // A field that was chosen without a notation: its values may show that.
    const { path: wanted = '', question: why } = answered.get(name) ?? {};
    const chosen = why === '' ? fieldOf(wanted) : undefined;
    if (chosen !== undefined) {
      return taken.has(chosen.path)
        ? ask(chosen.path, `another column is ${chosen.path}: leave one of them out`)
        : propose(column, chosen, { isCsv, currency });
    }
    if (before !== undefined) {
      const known = fieldOf(before.path);
      const texts =
        known === undefined || !asksTexts
          ? {}
          : proposeTexts(
              column,
              known,
              names.notationOf(known.path),
              isCsv,
              given.values?.[known.path] ?? {},
            );
      return { answer: before, texts };
    }
    if (recordNames.has(name) && !stored.has(name)) {
      return leaveOut('revgate computes or records it');
    }
    if (stored.has(name) && (areOwn || cells.length === 0)) {
      return done({ path: name, words: [] });
    }
    if (isCurrency) {
      const only = String(cells[0]?.value ?? '').trim();
      const isOne = cells.every(({ value }) => String(value).trim() === only) && column.empty === 0;
      return currency === undefined && isOne
        ? done({ path: '', words: [], only })
        : leaveOut('the amounts beside it are asked');
    }
    if (columns.some((other) => other !== column && other.name === name)) {
      return ask('', 'two columns have this name: rename one, or leave them out');
    }
    const field = path === undefined ? undefined : fieldOf(path);
    if (field === undefined) {
      const others = new Set([...taken, ...headings.map((one) => one.path ?? '')]);
      const byValues = excluded === undefined ? fieldByValues(column, others) : undefined;
      return byValues === undefined
        ? leaveOut(excluded ?? 'no field has this name')
        : ask(byValues.path, `every value is one of ${byValues.path}`);
    }
    if (taken.has(field.path)) {
      return leaveOut(`another column is ${field.path}`);
    }
    const proposal = propose(column, field, { isCsv, currency });
    const { question } = proposal.answer;
    return rank > 0 || proposal.answer.path === ''
      ? proposal
      : ask(
          field.path,
          `the heading may mean something else; if not, ${question ?? writeAnswer(proposal.answer)}`,
        );
  };
  const proposals = columns.map((column, index) => alone(column, headings[index] as Heading));
  // Of several columns for a field, the one whose heading names it best.
  return proposals.map((proposal, index) => {
    const { path } = headings[index] as Heading;
    const isOpen = (at: number): boolean =>
      path !== undefined &&
      headings[at]?.path === path &&
      proposals[at]?.answer.path === path &&
      !answered.has(columns[at]?.name ?? '');
    const rank = (at: number): number => headings[at]?.rank ?? 0;
    const others = columns.filter((_, at) => at !== index && isOpen(at) && rank(at) === rank(index));
    if (!isOpen(index) || path === undefined) {
      return proposal;
    }
    // Revenue of which period it is, no other column says.
    const isPeriod = rank(index) === 0 && path.startsWith('revenue.');
    return !isPeriod &&
      (columns.some((_, at) => isOpen(at) && rank(at) > rank(index)) || chosenPaths.has(path))
      ? leaveOut(`another column is ${path}`)
      : others.length > 0
        ? ask(
            path,
            `${others.map(({ name }) => JSON.stringify(name)).join(' and ')} may be it, too: which one?`,
          )
        : proposal;
  });
}

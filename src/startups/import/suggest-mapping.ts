import {
  type StartupFieldPath,
  type StoredStartupField,
  startupFieldList,
  storedStartupFields,
} from '../fields.ts';
import { createSuggester } from '../requests/suggest.ts';
import { categories } from '../vocabulary.ts';
import { matchName, unitOf } from './column-names.ts';
import { createErrorLog, UnreadableInput } from './errors.ts';
import { type ImportInput, inputName } from './input.ts';
import { addSlug, createFieldNames, type Mapping, readCell } from './mapping.ts';
import { type DecimalMark, readDollars, readNumbers } from './notation.ts';
import { type ShownRecord, showRecord } from './preview.ts';
import { readRecords } from './read.ts';
import { sampleTable, type TableSample } from './table-sample.ts';
import { createValidator } from './validate.ts';
import { createCheck } from './value-checks.ts';

/** A column with the field that it seems to contain. */
export interface SuggestedColumn {
  readonly name: string;
  /** Null if it seems to be none. */
  readonly field: StartupFieldPath | null;
  /** From 0 to 1. */
  readonly confidence: number;
  /** The first value; empty if there is none. */
  readonly example: string;
}

/** How a table may be imported: a proposal, for people to check. */
export interface MappingSuggestion {
  readonly mapping: Mapping;
  readonly columns: readonly SuggestedColumn[];
  /** The first texts that are no category, and close to none. */
  readonly unknownCategories: readonly string[];
  /** What the mapping assumes or lacks, a sentence each. */
  readonly notes: readonly string[];
  /** The first valid records as customers would see them. */
  readonly records: readonly ShownRecord[];
  /** How many records were read, how many of them are invalid, and a line for each kind of error. */
  readonly read: number;
  readonly rejected: number;
  readonly messages: readonly string[];
}

/** Required fields that a table may lack, with a value that is to be confirmed. */
const assumable: Readonly<Partial<Record<StartupFieldPath, string>>> = {
  paymentProvider: 'stripe',
  'revenue.last30Days': '0',
  'revenue.mrr': '0',
  'revenue.total': '0',
  customers: '0',
  activeSubscriptions: '0',
  onSale: 'false',
};

/** Below it, a column is left out. */
const LEAST_CONFIDENCE = 0.45;
/** Of a column whose values alone show what it is. */
const BY_VALUES = 0.5;
const SHOWN_RECORDS = 3;
/** Texts that are no category, as far as they are listed. */
const MOST_UNKNOWN = 50;

/**
 * Proposes how to import a table, from its header and its first 1,000 records.
 *
 * @throws OperatorError for an input that is no table; the signal's reason.
 */
export async function suggestMapping(input: ImportInput, signal?: AbortSignal): Promise<MappingSuggestion> {
  const sample = await sampleTable(input, signal);
  const decimal = findDecimal(sample);
  const columns = assignColumns(sample, decimal.mark);
  const found = new Map(
    columns.flatMap(({ field, name }) => (field === null ? [] : [[field, name] as const])),
  );
  const valuesOf = (kind: StoredStartupField['kind']): unknown[] =>
    storedStartupFields
      .filter((field) => field.kind === kind && found.has(field.path))
      .flatMap(({ path }) => valuesIn(sample, found.get(path)));
  const amounts = storedStartupFields.filter(({ kind, path }) => kind === 'cents' && found.has(path));
  const money = findUnit(
    amounts.map(({ path }) => found.get(path) as string),
    valuesOf('cents'),
    amounts,
  );
  const category = findCategories(valuesIn(sample, found.get('category')));
  const missing = startupFieldList.filter(
    ({ path, nullable, default: fallback }) =>
      !nullable && fallback === undefined && path !== 'slug' && !found.has(path),
  );
  const assumed = Object.fromEntries(
    missing.flatMap(({ path }) => (assumable[path] === undefined ? [] : [[path, assumable[path]]])),
  );
  const mapping: Mapping = {
    columns: Object.fromEntries(
      [...found].filter(([path, name]) => path !== name).map(([path, name]) => [name, path]),
    ),
    confidence: Object.fromEntries(
      columns.filter(({ field }) => field !== null).map(({ name, confidence }) => [name, confidence]),
    ),
    ...(Object.keys(assumed).length > 0 && { defaults: assumed }),
    ...(Object.keys(category.named).length > 0 && { categories: category.named }),
    ...(money.dollars && { dollars: true }),
    ...(decimal.mark !== undefined && { decimal: decimal.mark }),
    ...(areFractions(valuesOf('percent')) && { percentAsFraction: true }),
    ...(columns.some(({ field }) => field === null) && { ignoreUnknown: true }),
    ...(sample.encoding !== 'utf-8' && { encoding: sample.encoding }),
  };
  const notes = [
    ...(found.has('name') ? [] : ['No column has the name of the startup: map one to name.']),
    ...Object.entries(assumed).map(
      ([path, value]) =>
        `No column has ${path}: every startup gets ${JSON.stringify(value)}. Change or confirm it in defaults.`,
    ),
    ...(money.note === undefined ? [] : [money.note]),
    ...(decimal.note === undefined ? [] : [decimal.note]),
    ...(category.unknown.length === 0
      ? []
      : [
          `Categories without a match, to be named in categories: ${category.unknown.map((text) => JSON.stringify(text)).join(', ')}.`,
        ]),
  ];
  return {
    mapping,
    columns,
    notes,
    unknownCategories: category.unknown,
    ...(await tryMapping(sample.input, mapping)),
  };
}

function valuesIn({ columns }: TableSample, name: string | undefined): readonly unknown[] {
  return columns.find((column) => column.name === name)?.values ?? [];
}

/** Gives each field to the column that matches it best, and each column to one field. */
function assignColumns({ columns }: TableSample, decimal: DecimalMark | undefined): SuggestedColumn[] {
  const count = (name: string): number => columns.filter((column) => column.name === name).length;
  const scores = columns
    .flatMap(({ name, values }, index) =>
      // A mapping names columns, so one of several with the same name cannot be mapped.
      name.trim() === '' || count(name) > 1
        ? []
        : storedStartupFields.map((field) => ({
            index,
            field: field.path,
            score: matchColumn(name, values, field, decimal),
          })),
    )
    .filter(({ score }) => score >= LEAST_CONFIDENCE)
    .sort((one, other) => other.score - one.score || one.index - other.index);
  const byColumn = new Map<number, (typeof scores)[number]>();
  const taken = new Set<StartupFieldPath>();
  for (const candidate of scores) {
    if (!byColumn.has(candidate.index) && !taken.has(candidate.field)) {
      byColumn.set(candidate.index, candidate);
      taken.add(candidate.field);
    }
  }
  return columns.map(({ name, values }, index) => {
    const { field = null, score = 0 } = byColumn.get(index) ?? {};
    return { name, field, confidence: Math.round(score * 100) / 100, example: toText(values[0]) };
  });
}

function toText(value: unknown): string {
  return value === undefined ? '' : typeof value === 'object' ? '…' : String(value);
}

/** How likely a column contains a field: by its name, and by how many of its values the field may have. */
function matchColumn(
  name: string,
  values: readonly unknown[],
  field: StoredStartupField,
  decimal: DecimalMark | undefined,
): number {
  const byName = matchName(name, field.path);
  const isSpecific =
    (field.kind === 'choice' || field.kind === 'country') &&
    values.some((value) => /\p{L}/u.test(toText(value)));
  if (byName === 0 && !isSpecific) {
    return 0;
  }
  if (values.length === 0) {
    return byName * 0.6;
  }
  const check = createCheck(field, { dollars: true, decimal });
  const suggest = createSuggester(field.values ?? []);
  const fits = (value: unknown): boolean =>
    check.read(value) !== undefined ||
    (typeof value === 'string' && (check.read(readCell(field, value)) ?? suggest(value)) !== undefined) ||
    // Which of the two it means is for the whole table to decide.
    (decimal === undefined &&
      typeof value === 'string' &&
      (readNumbers(value).length > 1 || readDollars(value).length > 1));
  const share = values.filter(fits).length / values.length;
  if (byName === 0) {
    return share > 0.9 ? BY_VALUES * share : 0;
  }
  // The texts of another vocabulary can be named in the mapping.
  return byName * (field.kind === 'choice' ? Math.max(share, 0.5) : share);
}

/** How the numbers of a table are written. */
function findDecimal({ columns }: TableSample): { mark?: DecimalMark; note?: string } {
  const texts = columns.flatMap(({ values }) =>
    values.filter((value) => typeof value === 'string'),
  ) as string[];
  const written = texts.map((text) => text.replace(/\s?%$/, '')).filter((text) => /\d[.,\s'’]\d/.test(text));
  const isAmount = (text: string, mark: DecimalMark): boolean =>
    readDollars(text, mark).length + readNumbers(text, mark).length > 0;
  const only = (mark: DecimalMark, other: DecimalMark): number =>
    written.filter((text) => isAmount(text, mark) && !isAmount(text, other)).length;
  const [point, comma] = [only('point', 'comma'), only('comma', 'point')];
  if (point + comma > 0) {
    return { mark: comma > point ? 'comma' : 'point' };
  }
  const unclear = written.find((text) => isAmount(text, 'point') && isAmount(text, 'comma'));
  if (unclear === undefined) {
    return {};
  }
  // Prices and counts are grouped more often than they have three decimals.
  const mark = unclear.includes('.') ? 'comma' : 'point';
  return {
    mark,
    note: `A number such as ${unclear} has two meanings: the mapping assumes a decimal ${mark}. Check decimal.`,
  };
}

/** Whether amounts are in dollars. */
function findUnit(
  names: readonly string[],
  values: readonly unknown[],
  fields: readonly StoredStartupField[],
): { dollars: boolean; note?: string } {
  const units = names.map(unitOf);
  const hasMark = values.some((value) =>
    typeof value === 'string' ? /[^\d\s-]/.test(value) : !Number.isInteger(value),
  );
  if (hasMark || units.includes('dollars')) {
    return { dollars: true };
  }
  const areOurs = fields.every(({ path }) => names.includes(path));
  return names.length === 0 || units.includes('cents') || areOurs
    ? { dollars: false }
    : {
        dollars: true,
        note: 'Amounts have no unit: the mapping assumes US dollars. For cents, set dollars to false.',
      };
}

/** Whether percentages are written as fractions. */
function areFractions(values: readonly unknown[]): boolean {
  const numbers = values.flatMap((value) =>
    typeof value === 'number'
      ? [value]
      : typeof value === 'string' && !value.includes('%')
        ? readNumbers(value).slice(0, 1).map(Number)
        : [],
  );
  return (
    numbers.some((number) => !Number.isInteger(number)) && numbers.every((number) => Math.abs(number) <= 2)
  );
}

/** The categories that unknown texts are close to, and the texts that are close to none. */
function findCategories(values: readonly unknown[]): { named: Record<string, string>; unknown: string[] } {
  const suggest = createSuggester(categories);
  const check = createCheck(
    storedStartupFields.find(({ path }) => path === 'category') as StoredStartupField,
    {},
  );
  const named: Record<string, string> = {};
  const unknown: string[] = [];
  for (const text of new Set(values.filter((value) => typeof value === 'string'))) {
    const category = check.read(text) === undefined ? suggest(text) : undefined;
    if (category !== undefined) {
      named[text] = category;
    } else if (check.read(text) === undefined && unknown.length < MOST_UNKNOWN) {
      unknown.push(text);
    }
  }
  return { named, unknown };
}

async function tryMapping(input: ImportInput, mapping: Mapping) {
  const names = createFieldNames(mapping);
  const validate = createValidator(mapping, names);
  const log = createErrorLog(0);
  const records: ShownRecord[] = [];
  let [read, rejected] = [0, 0];
  try {
    for await (const items of readRecords(input, { names })) {
      for (const item of items) {
        const errors = 'error' in item ? [item.error] : [];
        if (!('error' in item)) {
          addSlug(item.value);
        }
        const row = 'error' in item ? undefined : validate(item.value, item.line, errors);
        if (row !== undefined && records.length < SHOWN_RECORDS) {
          records.push(showRecord(row));
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

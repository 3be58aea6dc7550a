import {
  type StartupField,
  type StartupFieldPath,
  type StoredStartupField,
  startupFields,
  storedStartupFields,
} from '../model/fields.ts';
import { createSuggester } from '../model/requests/suggest.ts';
import { readCell } from './cells.ts';
import { createNameMatcher } from './column-names.ts';
import { createErrorLog, UnreadableInput } from './errors.ts';
import { areFractions, findDecimal, findUnit } from './guess-notation.ts';
import { guessTexts, saysNothing, type UnknownText } from './guess-texts.ts';
import { type ImportInput, inputName } from './input.ts';
import { addSlug, createFieldNames, type Mapping, missingFields } from './mapping.ts';
import { type DecimalMark, type Notation, readDollars, readNumbers } from './notation.ts';
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
  /** The first values. */
  readonly examples: readonly string[];
}

/** How a table may be imported: a proposal, for people to check. */
export interface MappingSuggestion {
  readonly mapping: Mapping;
  readonly columns: readonly SuggestedColumn[];
  /** The first texts of columns that are no values of their fields, and close to none. */
  readonly unknownTexts: Readonly<Record<string, readonly UnknownText[]>>;
  /** Required fields that no column has. The mapping has an empty default for each, which is to be filled in. */
  readonly missing: readonly StartupFieldPath[];
  /** What the mapping assumes or lacks, a sentence each. */
  readonly notes: readonly string[];
  /** The first valid records as customers would see them, with `?` for each missing field. */
  readonly records: readonly ShownRecord[];
  /** How many records were read, how many of them are invalid, and a line for each kind of error. */
  readonly read: number;
  readonly rejected: number;
  readonly messages: readonly string[];
}

/** Below it, a column is left out. */
const LEAST_CONFIDENCE = 0.45;
/** Of a column whose values alone show what it is. */
const BY_VALUES = 0.5;
const SHOWN_RECORDS = 3;
/** So many values of a column show which field it is. */
const COMPARED_VALUES = 100;

/**
 * Proposes how to import a table, from its header and its first 1,000 records.
 *
 * @throws OperatorError for an input that is no table; the signal's reason.
 */
export async function suggestMapping(input: ImportInput, signal?: AbortSignal): Promise<MappingSuggestion> {
  const sample = await sampleTable(input, signal);
  const decimal = findDecimal(sample.columns);
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
  const notation: Notation = {
    ...(money.dollars && { dollars: true }),
    ...(decimal.mark !== undefined && { decimal: decimal.mark }),
    ...(areFractions(valuesOf('percent')) && { percentAsFraction: true }),
  };
  const texts = storedStartupFields
    // Any text is one of these.
    .filter(({ kind, path }) => kind !== 'string' && path !== 'slug' && found.has(path))
    .map((field) => ({
      path: field.path,
      ...guessTexts(field, valuesIn(sample, found.get(field.path)), notation),
    }));
  const unknownTexts = Object.fromEntries(
    texts.filter(({ unknown }) => unknown.length > 0).map(({ path, unknown }) => [path, unknown]),
  );
  const values = Object.fromEntries(
    texts.filter(({ named }) => Object.keys(named).length > 0).map(({ path, named }) => [path, named]),
  );
  const missing = missingFields((path) => found.has(path), {}).filter((path) => path !== 'name');
  const mapping: Mapping = {
    columns: Object.fromEntries(
      columns
        .filter(({ field, name }) => field !== name && (field !== null || fieldPaths.has(name)))
        .map(({ field, name }) => [name, field ?? '']),
    ),
    confidence: Object.fromEntries(
      columns.filter(({ field }) => field !== null).map(({ name, confidence }) => [name, confidence]),
    ),
    ...(missing.length > 0 && { defaults: Object.fromEntries(missing.map((path) => [path, ''])) }),
    ...(Object.keys(values).length > 0 && { values }),
    ...notation,
    ...(columns.some(({ field }) => field === null) && { ignoreUnknown: true }),
    ...(sample.encoding !== 'utf-8' && { encoding: sample.encoding }),
  };
  const notes = [
    ...(found.has('name') ? [] : ['No column has the name of the startup: map one to name.']),
    ...(money.note === undefined ? [] : [money.note]),
    ...(decimal.note === undefined ? [] : [decimal.note]),
  ];
  return {
    mapping,
    columns,
    missing,
    notes,
    unknownTexts,
    ...(await tryMapping(sample.input, mapping, missing)),
  };
}

const fieldPaths: ReadonlySet<string> = new Set(storedStartupFields.map(({ path }) => path));

function valuesIn({ columns }: TableSample, name: string | undefined): readonly unknown[] {
  return columns.find((column) => column.name === name)?.values ?? [];
}

/** Gives each field to the column that matches it best, and each column to one field. */
function assignColumns({ columns }: TableSample, decimal: DecimalMark | undefined): SuggestedColumn[] {
  const counts = new Map<string, number>();
  for (const { name } of columns) {
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  const matchers = storedStartupFields.map((field) => createValueMatcher(field, decimal));
  const scores = columns
    .flatMap(({ name, values }, index) => {
      // A mapping names columns, so one of several with the same name cannot be mapped.
      if (name.trim() === '' || counts.get(name) !== 1) {
        return [];
      }
      const byName = createNameMatcher(name);
      const compared = values.filter((value) => !saysNothing(value)).slice(0, COMPARED_VALUES);
      return matchers.map(({ path, match }) => ({
        index,
        field: path,
        score: match(byName(path), compared),
      }));
    })
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
    return {
      name,
      field,
      confidence: Math.round(score * 100) / 100,
      examples: values.slice(0, SHOWN_RECORDS).map(toText),
    };
  });
}

function toText(value: unknown): string {
  return value === undefined ? '' : typeof value === 'object' ? '…' : String(value);
}

/** Says how likely a column contains a field: by its name, and by how many of its values the field may have. */
function createValueMatcher(field: StoredStartupField, decimal: DecimalMark | undefined) {
  const check = createCheck(field, { dollars: true, decimal });
  const suggest = createSuggester(field.values ?? []);
  const isVocabulary = field.kind === 'choice' || field.kind === 'country';
  const fits = (value: unknown): boolean =>
    check.read(value) !== undefined ||
    (typeof value === 'string' && (check.read(readCell(field, value)) ?? suggest(value)) !== undefined) ||
    // Which of the two it means is for the whole table to decide.
    (decimal === undefined &&
      typeof value === 'string' &&
      (readNumbers(value).length > 1 || readDollars(value).length > 1));
  const match = (byName: number, values: readonly unknown[]): number => {
    const isSpecific = isVocabulary && values.some((value) => /\p{L}/u.test(toText(value)));
    if (byName === 0 && !isSpecific) {
      return 0;
    }
    if (values.length === 0) {
      return byName * 0.6;
    }
    const share = values.filter(fits).length / values.length;
    if (byName === 0) {
      return share > 0.9 ? BY_VALUES * share : 0;
    }
    // The texts of another vocabulary can be named in the mapping.
    return byName * (isVocabulary ? Math.max(share, 0.5) : share);
  };
  return { path: field.path, match };
}

/** Reads the records with any value for missing fields, none of which is shown. */
async function tryMapping(input: ImportInput, proposed: Mapping, missing: readonly StartupFieldPath[]) {
  const mapping = { ...proposed, defaults: Object.fromEntries(missing.map((path) => [path, anyOf(path)])) };
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
          records.push(hideMissing(showRecord(row), missing));
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

function anyOf(path: StartupFieldPath): string {
  const { kind, values = [] }: StartupField = startupFields[path];
  return kind === 'choice' ? (values[0] as string) : kind === 'boolean' ? 'false' : '0';
}

function hideMissing(record: ShownRecord, missing: readonly StartupFieldPath[]): ShownRecord {
  const paths: ReadonlySet<string> = new Set(missing);
  return record.map(({ path, text }) => ({ path, text: paths.has(path) ? '?' : text }));
}

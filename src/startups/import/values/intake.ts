import type { Given, StartupRow } from '../../model/stored-value.ts';
import { createFieldNames, type FieldNames, slugFrom } from '../columns/field-names.ts';
import type { ImportFields } from '../columns/import-fields.ts';
import type { Mapping } from '../columns/mapping.ts';
import type { Note } from '../columns/questions.ts';
import { isRepeatAnswer, type RepeatAnswer } from '../columns/repeats.ts';
import { addRounding } from '../notation/amount-checks.ts';
import { createErrorLog, errorMessage, type InputError, showText, UnreadableInput } from '../rows/errors.ts';
import { type ImportInput, inputName, REJECT_FIELDS, type RowItem } from '../rows/input.ts';
import type { ImportProgress, Lacking, StagedRecord, Staging } from '../staging.ts';
import { readRecords } from './read-records.ts';
import { createValidator, type RecordValidator } from './validate.ts';

/** Receives lines of NDJSON, each with its line feed. */
interface LineOutput {
  write(line: string): void | Promise<void>;
  /** Called after the last line, if there was any. The import fails if the lines cannot be kept. */
  publish?(): Promise<void>;
}

export interface IntakeOptions {
  /** What the records can fill. */
  fields: ImportFields;
  inputs: readonly ImportInput[];
  /** How the columns and values of the inputs become records. */
  mapping?: Mapping | undefined;
  /** Skips invalid records, and receives each with its errors. It is published before anything is committed. */
  skipInvalid?: LineOutput | undefined;
  /** Whether records have only what they set: all else stays. */
  update?: boolean | undefined;
  /**
   * Of an update in part, what the staged records from one ordinal to before another lack, after what is stored.
   *
   * @returns the paths of required fields by ordinal; nothing for those that lack none.
   */
  findLacking?: ((from: number, to: number) => Promise<ReadonlyMap<number, Lacking>>) | undefined;
  progress?: (progress: ImportProgress) => void;
  signal?: AbortSignal | undefined;
}

/** How many records are kept for people to see. */
const EXAMPLES = 10;

/** How many errors are reported with their messages; all are counted. */
const KEPT_ERRORS = 100;

/** Characters of text after which a batch is full whatever their number, so that memory stays bounded. */
const BATCH_LENGTH = 2_000_000;

/** What was read, with its validation result, until its batch is staged. */
interface Entry extends Partial<Pick<ReturnType<RecordValidator>, 'isSlugMade' | 'rounded'>> {
  /** The index of its input. */
  readonly input: number;
  /** Absent where the rest of an input cannot be parsed. */
  readonly item?: RowItem;
  readonly staged?: StagedRecord | undefined;
  readonly errors: InputError[];
}

/** The result of the validation. */
export type Intake = ReturnType<typeof newIntake>;

function newIntake(names: FieldNames) {
  return {
    /** Records read, rejected ones included. */
    records: 0,
    rejected: 0,
    /** Rejected records without a known slug. */
    nameless: 0,
    /** Whether an input could not be read to its end, or contained no record. */
    isBroken: false,
    /** The amounts of valid records that were rounded. */
    rounding: { count: 0, largest: 0 },
    /** What of the inputs was skipped. */
    notes: [] as Note[],
    /** The first valid records, each with the fields that it has if it is of an update in part. */
    examples: [] as (readonly [row: StartupRow, given: Given | undefined])[],
    /** How many valid records of an update in part set a field to a value, and clear it, by its index. */
    set: names.fields.list.map(() => ({ values: 0, cleared: 0 })),
    /** Every error counted, the first ones with their messages. */
    log: createErrorLog(KEPT_ERRORS),
    /** What the columns are, and which were left out. */
    names,
  };
}

/**
 * Reads and validates all inputs into the staging tables. Errors are logged in the order of the records,
 * repeated slugs included.
 *
 * @throws OperatorError when an input cannot be read; the signal's reason.
 */
export async function takeIn(staging: Staging, options: IntakeOptions): Promise<Intake> {
  const { inputs, mapping, signal, progress } = options;
  const names = createFieldNames(options.fields, mapping, options.update);
  const validate = createValidator(names);
  const intake = newIntake(names);
  const repeats = repeatsOf(mapping);
  let batch: Entry[] = [];
  let length = 0;
  let pending = Promise.resolve();

  const report = (): void =>
    progress?.({ phase: 'validating', records: intake.records, rejected: intake.rejected });
  /** Stages the batch, while the next one is collected. */
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    length = 0;
    await pending;
    pending = settle(full, staging, intake, options);
    // Awaited before the next batch; until then an error of it must not count as unhandled.
    pending.catch(() => {});
  };
  const take = async (entry: Entry, item: RowItem): Promise<void> => {
    if (entry.staged?.row !== undefined && intake.examples.length < EXAMPLES) {
      intake.examples.push([entry.staged.row, entry.staged.given]);
    }
    batch.push(entry);
    intake.records += 1;
    length += 'error' in item ? item.text.length : item.length;
    if (batch.length >= staging.runLength || length >= BATCH_LENGTH) {
      await flush();
    }
  };
  const readInput = async (source: ImportInput, input: number): Promise<void> => {
    let isEmpty = true;
    for await (const items of readRecords(source, { names, signal })) {
      for (const item of items) {
        isEmpty = false;
        const entry = examine(item, validate, intake.records, input);
        const repeated = repeats.get(entry.staged?.slug);
        if (repeated !== undefined) {
          repeated.count += 1;
          repeated.latest = { item, input };
        }
        if (repeated === undefined || (repeated.kept === 'first' && repeated.count === 1)) {
          await take(entry, item);
        }
      }
      report();
    }
    intake.notes.push(...names.skipped.splice(0).map((skipped) => ({ ...skipped, file: inputName(source) })));
    if (isEmpty) {
      throw new UnreadableInput({ line: 1, field: 'record', got: 'nothing', allowed: 'at least one record' });
    }
  };
  try {
    for (const [input, source] of inputs.entries()) {
      await readInput(source, input).catch((error) => {
        if (!(error instanceof UnreadableInput)) {
          throw error;
        }
        intake.isBroken = true;
        batch.push({ input, errors: error.errors });
      });
    }
    // Which record is the last, or the only one, is known at the end.
    for (const { kept, count, latest } of repeats.values()) {
      if (latest !== undefined && (kept === 'last' || (kept === 'none' && count === 1))) {
        await take(examine(latest.item, validate, intake.records, latest.input), latest.item);
      }
    }
    await flush();
  } finally {
    await pending;
  }
  for (const { name, kept, count } of repeats.values()) {
    if (count > 1) {
      intake.notes.push({
        kind: 'repeats left out',
        name,
        repeats: kept === 'none' ? count : count - 1,
        kept,
      });
    }
  }
  report();
  return intake;
}

/** Records with the same name or slug, of which at most one is imported. */
interface Repeats {
  readonly name: string;
  readonly kept: RepeatAnswer;
  count: number;
  /** The one that was read last. */
  latest?: { readonly item: RowItem; readonly input: number };
}

/** The names of which at most one record is imported, by their slugs. */
const repeatsOf = ({ rows = {} }: Mapping = {}) =>
  new Map<string | undefined, Repeats>(
    Object.entries(rows).flatMap(([name, kept]) =>
      isRepeatAnswer(kept) ? [[slugFrom(name).slug, { name, kept, count: 0 }]] : [],
    ),
  );

function examine(item: RowItem, validate: RecordValidator, ordinal: number, input: number): Entry {
  if ('error' in item) {
    return { input, item, errors: [item.error] };
  }
  const { line, value } = item;
  const errors: InputError[] = [];
  const { row, slug, given, isSlugMade, rounded } = validate(value, line, errors);
  const staged = slug === undefined ? undefined : { ordinal, input, line, slug, row, given };
  return { input, item, staged, errors, isSlugMade, rounded };
}

/** What to do about equal slugs that nobody gave. */
const MADE = 'it is made from the name: give each a slug';

/** Stages a batch, and reports its errors. */
async function settle(
  batch: readonly Entry[],
  staging: Staging,
  intake: Intake,
  { inputs, skipInvalid, findLacking }: IntakeOptions,
): Promise<void> {
  const nameOf = (input: number): string => inputName(inputs[input] as ImportInput);
  const all = batch.flatMap(({ staged }) => staged ?? []);
  const repeated = await staging.add(all);
  const [first, last] = [all[0]?.ordinal ?? 0, all.at(-1)?.ordinal ?? -1];
  const lacking = await findLacking?.(first, last + 1);
  if (lacking !== undefined && lacking.size > 0) {
    await staging.reject([...lacking.keys()]);
  }
  for (const { input, item, staged, errors, isSlugMade, rounded } of batch) {
    const first = staged && repeated.get(staged.ordinal);
    if (staged !== undefined && first !== undefined) {
      const kind = 'a slug that no other record has';
      const allowed = `${kind} (${nameOf(first.input)}: line ${first.line} has it)`;
      // A number would be another startup's as soon as the order of the rows changes.
      const { line, slug } = staged;
      const fix = isSlugMade
        ? {
            command: `${MADE}, or keep the first with --row ${showText(`${slug}=first`)} (or =last, or =none)`,
            page: `${MADE}; answer it under the columns`,
          }
        : undefined;
      errors.push({ line, field: 'slug', got: showText(slug), allowed, kind, fix });
    }
    if (staged !== undefined) {
      errors.push(...lackingErrors(staged, lacking?.get(staged.ordinal)));
    }
    const record = item !== undefined && 'value' in item ? item.number : undefined;
    if (staged?.row !== undefined && staged.given !== undefined && errors.length === 0) {
      count(intake.set, staged.row, staged.given);
    }
    if (rounded !== undefined && errors.length === 0) {
      addRounding(intake.rounding, rounded);
    }
    const placed = errors.map((error) =>
      record === undefined ? error : { ...error, record, slug: staged?.slug },
    );
    for (const error of placed) {
      intake.log.add(nameOf(input), error);
    }
    if (errors.length > 0 && item !== undefined) {
      intake.rejected += 1;
      intake.nameless += staged === undefined ? 1 : 0;
      await skipInvalid?.write(rejectLine(nameOf(input), item, placed));
    }
  }
}

/** The errors of a record that sets less than its startup needs. */
function lackingErrors({ line, slug }: StagedRecord, lacking: Lacking | undefined): InputError[] {
  const kind =
    lacking?.isNew === false
      ? 'a value, as its startup has no figures on that day'
      : 'a value, as no startup has its slug';
  return (lacking?.paths ?? []).map((field) => ({
    line,
    field,
    got: 'nothing',
    allowed: `${kind} (${showText(slug)})`,
    kind,
  }));
}

/** Counts what a record sets. */
function count(set: Intake['set'], row: StartupRow, given: Given): void {
  for (const [index, counts] of set.entries()) {
    if (given[index] === true) {
      counts[row[index] === null ? 'cleared' : 'values'] += 1;
    }
  }
}

/**
 * A rejected record as one line of NDJSON: the record as it was written, and its errors in `_errors`. Text that is
 * not a record is in `_line`. An import ignores both names, so the file can be fixed and imported
 * as it is.
 */
function rejectLine(file: string, item: RowItem, errors: readonly InputError[]): string {
  const messages = JSON.stringify(errors.map((error) => errorMessage(file, error)));
  if ('error' in item) {
    return `{"${REJECT_FIELDS.text}":${JSON.stringify(item.text)},"${REJECT_FIELDS.errors}":${messages}}\n`;
  }
  // Line ends in JSON occur only between its parts.
  const body = item
    .toJson()
    .replace(/[\r\n]+/g, ' ')
    .slice(0, -1)
    .trimEnd();
  const comma = body.endsWith('{') ? '' : ',';
  return `${body}${comma}"${REJECT_FIELDS.errors}":${messages}}\n`;
}

import {
  createErrorLog,
  type ErrorLog,
  errorLine,
  type InputError,
  showText,
  UnreadableInput,
} from './errors.ts';
import { type ImportInput, inputName, type ReadItem } from './input.ts';
import { readRecords } from './read.ts';
import { rejectLine } from './rejects.ts';
import type { StagedRecord, Staging } from './staging.ts';
import { findSlug, validateRecord } from './validate.ts';

/** The progress of the validation. */
interface IntakeProgress {
  /** Records read, rejected ones included. */
  records: number;
  /** Bytes read, as stored. */
  bytes: number;
  rejected: number;
}

/** The result of the validation. */
export interface Intake extends IntakeProgress {
  /** Every error counted, the first ones with their messages. */
  log: ErrorLog;
  /** Rejected records without a known slug. */
  nameless: number;
  /** True if an input could not be read to its end, or contained no record. */
  isBroken: boolean;
}

interface LineWriter {
  write(line: string): void | Promise<void>;
}

interface IntakeOptions {
  inputs: readonly ImportInput[];
  signal?: AbortSignal | undefined;
  /** Receives each rejected record, as a line of NDJSON with its line feed. */
  rejects: LineWriter | undefined;
  /** Receives each error, as a line of NDJSON with its line feed. */
  errors: LineWriter | undefined;
  onProgress: (progress: IntakeProgress) => void;
}

/** How many errors are reported with their messages; all are counted. */
const KEPT_ERRORS = 100;

/** Characters of text after which a batch is full whatever their number, so that memory stays bounded. */
const BATCH_LENGTH = 2_000_000;

/** One item with its validation result, until its batch is staged. */
interface Entry {
  ordinal: number;
  input: number;
  item: ReadItem;
  staged: StagedRecord | undefined;
  errors: InputError[];
}

/**
 * Reads and validates all inputs into the staging tables. Errors are logged in the order of the records,
 * repeated slugs included.
 *
 * @throws OperatorError when an input cannot be read; the signal's reason.
 */
export async function takeIn(staging: Staging, options: IntakeOptions): Promise<Intake> {
  const intake: Intake = {
    records: 0,
    bytes: 0,
    rejected: 0,
    nameless: 0,
    isBroken: false,
    log: createErrorLog(KEPT_ERRORS),
  };
  const batches = createBatches(staging, intake, options);
  for (const [index, input] of options.inputs.entries()) {
    try {
      await readInput(index, input, intake, batches, options);
    } catch (error) {
      await batches.finish();
      if (!(error instanceof UnreadableInput)) {
        throw error;
      }
      intake.isBroken = true;
      for (const found of error.errors) {
        intake.log.add(inputName(input), found);
        await options.errors?.write(errorLine(inputName(input), found));
      }
    }
  }
  await batches.finish();
  options.onProgress(intake);
  return intake;
}

async function readInput(
  index: number,
  input: ImportInput,
  intake: Intake,
  batches: Batches,
  { signal, onProgress }: IntakeOptions,
): Promise<void> {
  const before = intake.records;
  const onBytes = (count: number): void => {
    intake.bytes += count;
  };
  for await (const items of readRecords(input, { signal, onBytes })) {
    for (const item of items) {
      const entry = examine(item, intake.records, index);
      intake.records += 1;
      await batches.add(entry);
    }
    onProgress(intake);
  }
  if (intake.records === before) {
    throw new UnreadableInput({ line: 1, field: 'record', got: 'nothing', allowed: 'at least one record' });
  }
}

function examine(item: ReadItem, ordinal: number, input: number): Entry {
  if ('error' in item) {
    return { ordinal, input, item, staged: undefined, errors: [item.error] };
  }
  const { line, value, numberText } = item;
  const errors: InputError[] = [];
  const row = validateRecord(value, line, errors, numberText);
  const slug = findSlug(value);
  const staged = slug === undefined ? undefined : { ordinal, input, line, slug, row };
  return { ordinal, input, item, staged, errors };
}

function textLength({ text }: ReadItem): number {
  // A CSV row has no separate text; its length is bounded by the reader, and seldom above this.
  return text?.length ?? 1000;
}

interface Batches {
  add(entry: Entry): void | Promise<void>;
  /** Waits until everything added is staged and its errors are reported. */
  finish(): Promise<void>;
}

/** Collects entries and stages them, one batch while the next is collected. */
function createBatches(
  staging: Staging,
  intake: Intake,
  { inputs, signal, ...outputs }: IntakeOptions,
): Batches {
  let entries: Entry[] = [];
  let length = 0;
  let pending: Promise<void> = Promise.resolve();

  const settle = async (batch: readonly Entry[]): Promise<void> => {
    const repeated = await staging.add(batch.flatMap(({ staged }) => staged ?? []));
    const firsts = new Map(repeated.map(({ ordinal, first }) => [ordinal, first]));
    for (const { ordinal, input, item, staged, errors } of batch) {
      const first = firsts.get(ordinal);
      if (first !== undefined && staged !== undefined) {
        const where = `${inputName(inputs[first.input] as ImportInput)}: line ${first.line}`;
        const kind = 'a slug that no other record has';
        const allowed = `${kind} (${where} has it)`;
        errors.push({ line: staged.line, field: 'slug', got: showText(staged.slug), allowed, kind });
      }
      if (errors.length === 0) {
        continue;
      }
      const name = inputName(inputs[input] as ImportInput);
      for (const error of errors) {
        intake.log.add(name, error);
        await outputs.errors?.write(errorLine(name, error));
      }
      intake.rejected += 1;
      intake.nameless += staged === undefined ? 1 : 0;
      await outputs.rejects?.write(rejectLine(name, item, errors));
    }
  };
  const flush = async (): Promise<void> => {
    const batch = entries;
    entries = [];
    length = 0;
    await pending;
    signal?.throwIfAborted();
    pending = settle(batch);
    // Awaited before the next batch; until then an error of it must not count as unhandled.
    pending.catch(() => {});
  };
  return {
    add(entry) {
      entries.push(entry);
      length += textLength(entry.item);
      return entries.length >= staging.runLength || length >= BATCH_LENGTH ? flush() : undefined;
    },
    async finish() {
      await flush();
      await pending;
    },
  };
}

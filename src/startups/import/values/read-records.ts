import type { FieldNames } from '../columns/field-names.ts';
import { endIfAny, showText } from '../rows/errors.ts';
import type { CurrentLine, ImportInput, RowItem } from '../rows/input.ts';
import { openRows, readingError } from '../rows/open-rows.ts';
import { readCsv } from './csv-records.ts';

/** How an input is read. */
export interface ReadOptions {
  /** What its columns and keys are. */
  names: FieldNames;
  signal?: AbortSignal | undefined;
}

/**
 * The records of one input by the names of its columns or keys, in small batches, as they come.
 *
 * @throws UnreadableInput when the rest cannot be parsed; OperatorError when the input cannot be read; the
 * signal's reason.
 */
export async function* readRecords(
  input: ImportInput,
  { names, signal }: ReadOptions,
): AsyncGenerator<RowItem[]> {
  const current: CurrentLine = { line: 1 };
  try {
    const { encoding, path } = names.mapping;
    const options = { encoding, path, needsDigits: names.mayBeAmount, signal };
    const opened = await openRows(input, current, options);
    if (!opened.isCsv) {
      yield* readJson(opened.rows, names);
    } else if (opened.table !== undefined) {
      yield* readCsv(opened.table, names);
    }
  } catch (error) {
    signal?.throwIfAborted();
    throw readingError(error, input, current);
  }
}

/** @throws UnreadableInput for mapped keys that no record has. */
async function* readJson(rows: AsyncIterable<RowItem[]>, names: FieldNames): AsyncGenerator<RowItem[]> {
  for (const name of names.mapped) {
    names.unseen.add(name);
  }
  for await (const items of rows) {
    if (names.unseen.size > 0 && items.some((item) => 'value' in item && item.isRejected === true)) {
      // Of a rejects file, some records may have none of the keys.
      names.unseen.clear();
    }
    yield items;
  }
  endIfAny(
    [...names.unseen].map((name) => ({
      line: 1,
      field: 'record',
      got: `no key ${showText(name)}`,
      allowed: 'records with every mapped key',
    })),
  );
}

import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { inCommand } from '../../../src/lib/text/wording.ts';
import { checkMapping } from '../../../src/startups/import/columns/check-mapping.ts';
import { createFieldNames } from '../../../src/startups/import/columns/field-names.ts';
import { standardFields } from '../../../src/startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../src/startups/import/columns/mapping.ts';
import { addRounding, type Rounding } from '../../../src/startups/import/notation/amount-checks.ts';
import { type InputError, UnreadableInput } from '../../../src/startups/import/rows/errors.ts';
import type { ImportInput, RowItem } from '../../../src/startups/import/rows/input.ts';
import { type ReadOptions, readRecords } from '../../../src/startups/import/values/read-records.ts';
import type { ImportRecord } from '../../../src/startups/import/values/record.ts';
import { createValidator } from '../../../src/startups/import/values/validate.ts';
import { storedStartupFields } from '../../../src/startups/model/fields.ts';
import type { StartupRow } from '../../../src/startups/model/stored-value.ts';
import { record as plainRecord } from '../../support/records.ts';

/** What a table has to say of startups in some way, where it has none of these columns. */
export const leastDefaults = {
  paymentProvider: 'stripe',
  'revenue.last30Days': '0',
  'revenue.mrr': '0',
  'revenue.total': '0',
  customers: '0',
  activeSubscriptions: '0',
  onSale: 'false',
};

const DAY_MS = 86_400_000;

/** Waits until midnight in UTC if that is near: for tests in which today has to stay the same day. */
export async function avoidMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  await wait(left < 100_000 ? left : 0);
}

/** A valid record of the slug `orbit-labs`, every nullable field null, with these changes, valid or not. */
export function record(changes: Partial<Record<keyof ImportRecord, unknown>> = {}): Record<string, unknown> {
  return { ...plainRecord('orbit-labs'), ...changes };
}

/** Records as NDJSON. */
export function ndjson(...records: unknown[]): string {
  return records.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** The records of NDJSON. */
export function recordsOf(text: string): ImportRecord[] {
  return text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
}

/** An output that keeps its lines. */
export function lineOutput() {
  const lines: string[] = [];
  return { lines, write: (line: string) => void lines.push(line) };
}

/** An input of the given content, handed over in pieces of at most `piece` bytes. */
export function input(name: string, content: string | Uint8Array, piece = 64 * 1024): ImportInput {
  const bytes = Buffer.from(content);
  function* pieces(): Generator<Buffer> {
    for (let at = 0; at < bytes.length; at += piece) {
      yield bytes.subarray(at, at + piece);
    }
  }
  return { name, bytes: bytes.length, open: () => Readable.from(pieces()) };
}

/** A source that never ends: it gives this, and calls back when it is asked for more. */
export function silentAfter(content: string | Uint8Array, onAsked: () => void): Readable {
  let isGiven = false;
  return new Readable({
    read() {
      if (isGiven) {
        onAsked();
      } else {
        isGiven = true;
        this.push(content);
      }
    },
  });
}

/** Everything that is read of an input. */
export async function readAll(source: ImportInput, options: Partial<ReadOptions> = {}): Promise<RowItem[]> {
  const items: RowItem[] = [];
  const names = createFieldNames(standardFields);
  for await (const batch of readRecords(source, { names, ...options })) {
    items.push(...batch);
  }
  return items;
}

/** An error's parts on one line, in the words of the command, without a file. */
export function reported({ line, field, got, allowed, fix }: InputError): string {
  return `${line}: ${field}: got ${got}, allowed ${allowed}${fix === undefined ? '' : `; ${inCommand(fix)}`}`;
}

const PATHS = storedStartupFields.map(({ path }) => path);

/** The stored values of a table's records, the names that were left out, or the errors. */
export async function importTable(name: string, content: string | Buffer, mapping: Mapping = {}) {
  checkMapping(standardFields, mapping);
  const names = createFieldNames(standardFields, mapping);
  const rounding: Rounding = { count: 0, largest: 0 };
  const validate = createValidator(names);
  const errors: Parameters<typeof reported>[0][] = [];
  const rows: StartupRow[] = [];
  try {
    for await (const items of readRecords(input(name, content), { names })) {
      for (const item of items) {
        if ('error' in item) {
          errors.push(item.error);
          continue;
        }
        const { row, rounded } = validate(item.value, item.line, errors);
        rows.push(...(row === undefined ? [] : [row]));
        addRounding(rounding, rounded ?? { count: 0, largest: 0 });
      }
    }
  } catch (error) {
    if (!(error instanceof UnreadableInput)) {
      throw error;
    }
    errors.push(...error.errors);
  }
  const records = rows.map((row) => Object.fromEntries(PATHS.map((path, index) => [path, row[index]])));
  const errorTexts = errors.map(reported);
  return { records, ignored: [...names.ignored], skipped: names.skipped, rounding, errors: errorTexts };
}

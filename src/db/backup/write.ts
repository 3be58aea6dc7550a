import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { createOutputFile } from '../../lib/files/output-file.ts';
import { begin, type DatabaseKind, SNAPSHOT, setLocally } from '../transaction.ts';
import {
  type BackupCounts,
  type BackupFooter,
  type BackupMark,
  type BackupTable,
  otherTables,
  startupTables,
  usageTables,
} from './format.ts';
import { readBackupHeader, readMark, readTableParts } from './source.ts';

interface BackupOptions {
  /** One session of the database, with no transaction open. The caller closes it. */
  client: Client;
  kind: DatabaseKind;
  path: string;
  replace: boolean;
  now: () => number;
  signal?: AbortSignal | undefined;
  /** Called with the number of rows written. The total is unknown, as counting in advance would take long. */
  onProgress?: ((rows: number) => void) | undefined;
}

/** Tables that are read one after the other, and what must not change while they are read without a transaction. */
interface TableGroup {
  readonly tables: readonly BackupTable[];
  /** The part of the mark that must be the same from the first of their rows to the end of the last group. */
  readonly unchanged: readonly (keyof BackupMark)[];
}

/**
 * All tables. The counts of requests come first: the mark does not show whether they changed. Read before the keys,
 * they name no missing key, as only a restore removes keys. Nor does the mark show the removal of old history:
 * whatever part of it a backup has, the state that follows from it is the same.
 */
const groups: readonly TableGroup[] = [
  { tables: usageTables, unchanged: ['epoch'] },
  { tables: startupTables, unchanged: ['epoch', 'dataset'] },
  { tables: otherTables, unchanged: ['epoch', 'dataset', 'keys', 'accounts', 'imports', 'audits'] },
];
const USAGE = 0;
const STARTUPS = 1;

class ChangedMeanwhile extends Error {}

/**
 * Writes one consistent snapshot of the database to a file: under another name until it is whole and on
 * the disk.
 *
 * On PostgreSQL it is read in one transaction. The embedded database has one session, and a transaction would block
 * all other connections for seconds: there it is read in short statements, and again if anything but counts of
 * requests has changed. The second time, the tables with usually few rows are read in a transaction, from the third
 * time on the startups too. Counts of requests never are: each is from a different moment, before that of the rest.
 *
 * @returns the number of its rows.
 * @throws OperatorError if the file cannot be written; the signal's reason. No file was created then.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupCounts> {
  let transactionFrom = options.kind === 'server' ? USAGE : groups.length;
  for (;;) {
    try {
      return await writeFile(options, transactionFrom);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) {
        throw error;
      }
      transactionFrom = Math.max(STARTUPS, transactionFrom - 1);
    }
  }
}

/** @param transactionFrom the first group to be read inside a transaction. */
async function writeFile(options: BackupOptions, transactionFrom: number): Promise<BackupCounts> {
  const { path, replace, signal } = options;
  const file = await createOutputFile(path, { mode: 0o600, replace, ifExists: 'Add --yes to replace it.' });
  const counts: { [table in BackupTable]?: number } = {};
  try {
    await pipeline(
      () => encode(options, transactionFrom, counts),
      createGzip({ level: 3, chunkSize: 64 * 1024 }),
      async (compressed: AsyncIterable<Buffer>) => {
        for await (const chunk of compressed) {
          await file.write(chunk);
        }
      },
      signal === undefined ? {} : { signal },
    );
    signal?.throwIfAborted();
    await file.publish();
    return counts;
  } catch (error) {
    await file.discard();
    signal?.throwIfAborted();
    throw error;
  } finally {
    // If a transaction was begun, it has only read.
    await options.client.query('ROLLBACK').catch(() => {});
  }
}

/** Adds how many rows there were of each table. */
async function* encode(
  options: BackupOptions,
  transactionFrom: number,
  counts: { [table in BackupTable]?: number },
): AsyncGenerator<string> {
  const { client, now, signal, onProgress } = options;
  const hash = createHash('sha256');
  const hashed = (text: string): string => {
    hash.update(text);
    return text;
  };
  if (transactionFrom === USAGE) {
    await beginReading(options);
  }
  yield hashed(`${JSON.stringify(await readBackupHeader(client, now()))}\n`);
  let written = 0;
  const marks: BackupMark[] = [];
  for (const [index, { tables }] of groups.entries()) {
    if (index === transactionFrom && index !== USAGE) {
      await beginReading(options);
    }
    marks.push(await readMark(client));
    for (const table of tables) {
      for await (const { header, text } of readTableParts(client, table)) {
        signal?.throwIfAborted();
        counts[table] = (counts[table] ?? 0) + header.rows;
        written += header.rows;
        yield hashed(`${JSON.stringify(header)}\n${text}`);
        onProgress?.(written);
      }
    }
    const mark = await readMark(client);
    if (marks.some((before, group) => groups[group]?.unchanged.some((name) => mark[name] !== before[name]))) {
      throw new ChangedMeanwhile();
    }
  }
  yield `${JSON.stringify({ kind: 'end', sha256: hash.digest('hex') } satisfies BackupFooter)}\n`;
}

async function beginReading({ client, kind }: BackupOptions): Promise<void> {
  await begin(client, kind, SNAPSHOT);
  // Numbers are written with all digits, and times in UTC, whatever this server's defaults are.
  await client.query(setLocally({ extra_float_digits: '1', timezone: 'UTC' }));
}

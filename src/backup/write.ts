import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import { begin, type DatabaseKind, SNAPSHOT, setLocally } from '../db/transaction.ts';
import { OperatorError } from '../errors.ts';
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

/** The dependencies of a backup. */
interface BackupOptions {
  /** One session of the database, with no transaction open. The caller closes it. */
  client: Client;
  kind: DatabaseKind;
  /** The file to be created; one of that name is replaced. */
  path: string;
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
  const { path, signal } = options;
  const unfinished = `${path}.unfinished`;
  const counts: { [table in BackupTable]?: number } = {};
  try {
    await pipeline(
      () => encode(options, transactionFrom, counts),
      createGzip({ level: 3, chunkSize: 64 * 1024 }),
      createWriteStream(unfinished, { mode: 0o600, flush: true }),
      signal === undefined ? {} : { signal },
    );
    signal?.throwIfAborted();
    await rename(unfinished, path);
    await syncDirectory(dirname(path));
    return counts;
  } catch (error) {
    await rm(unfinished, { force: true }).catch(() => {});
    signal?.throwIfAborted();
    throw describe(error, path);
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

/** Makes new names in a directory durable after a power cut. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function describe(error: unknown, path: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return syscall === undefined ? error : new OperatorError(`Cannot write ${path} (${code}).`);
}

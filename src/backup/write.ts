import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { Client } from 'pg';
import type { Database } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { type BackupCounts, type BackupFooter, type BackupTable, backupTables } from './format.ts';
import { readBackupHeader, readMark, readTableHeader, readTableRows } from './source.ts';

/** What a backup needs. */
interface BackupOptions {
  /** One session of the database, with no transaction open. It stays the caller's to end. */
  client: Client;
  kind: Database['kind'];
  /** The file to be made; one of that name is replaced. */
  path: string;
  now: () => number;
  signal?: AbortSignal | undefined;
  /** Told how many rows have been written, and how many there are. */
  onProgress?: ((rows: number, totalRows: number) => void) | undefined;
}

/** Times that reading without a transaction is tried while others write. */
const ATTEMPTS = 3;

class ChangedMeanwhile extends Error {}

/**
 * Writes one consistent snapshot of the database to a file: under another name until it is whole and on
 * the disk.
 *
 * On PostgreSQL it is read in one transaction. The embedded database has one session, and a transaction
 * would keep everybody else waiting for seconds; there the startups are read piece by piece before it, and
 * all again when one changed meanwhile. Only where that keeps happening are they read inside it.
 *
 * @returns how many rows it holds.
 * @throws OperatorError when the file cannot be written; the signal's reason. No file was made then.
 */
export async function writeBackup(options: BackupOptions): Promise<BackupCounts> {
  for (let attempt = options.kind === 'server' ? ATTEMPTS : 1; ; attempt += 1) {
    try {
      return await writeFile(options, attempt >= ATTEMPTS);
    } catch (error) {
      if (!(error instanceof ChangedMeanwhile)) {
        throw error;
      }
    }
  }
}

async function writeFile(options: BackupOptions, inTransaction: boolean): Promise<BackupCounts> {
  const { path, signal } = options;
  const unfinished = `${path}.unfinished`;
  const counts: { [table in BackupTable]?: number } = {};
  try {
    await pipeline(
      () => encode(options, inTransaction, counts),
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
    // Where a transaction was begun, it has only read.
    await options.client.query('ROLLBACK').catch(() => {});
  }
}

/** Adds how many rows there were of each table. */
async function* encode(
  { client, now, signal, onProgress }: BackupOptions,
  inTransaction: boolean,
  counts: { [table in BackupTable]?: number },
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  const hashed = (text: string): string => {
    hash.update(text);
    return text;
  };
  if (inTransaction) {
    await begin(client);
  }
  const header = await readBackupHeader(client, now());
  yield hashed(`${JSON.stringify(header)}\n`);
  let written = 0;
  for (const [index, table] of backupTables.entries()) {
    if (index === 1 && !inTransaction) {
      await begin(client);
      if ((await readMark(client)).dataset !== header.mark.dataset) {
        throw new ChangedMeanwhile();
      }
    }
    const tableHeader = await readTableHeader(client, table);
    yield hashed(`${JSON.stringify(tableHeader)}\n`);
    let rows = 0;
    for await (const part of readTableRows(client, table)) {
      signal?.throwIfAborted();
      rows += part.rows;
      written += part.rows;
      yield hashed(part.text);
      onProgress?.(written, Math.max(written, tableHeader.rows));
    }
    if (rows !== tableHeader.rows) {
      throw new ChangedMeanwhile();
    }
    counts[table] = rows;
  }
  yield `${JSON.stringify({ kind: 'end', sha256: hash.digest('hex') } satisfies BackupFooter)}\n`;
}

async function begin(client: Client): Promise<void> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
  // Numbers are written with all their digits, whatever this server's default is.
  await client.query('SET LOCAL extra_float_digits = 1');
}

/** Makes a directory's new names outlast a power cut. */
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

import type { Client } from 'pg';
import { analyseStartups } from '../db/analyse.ts';
import { beginAlone } from '../db/begin-alone.ts';
import { type NextTable, openNextTable } from '../db/next-table.ts';
import { OperatorError } from '../errors.ts';
import {
  type BackupCounts,
  type BackupHeader,
  type BackupTable,
  backupTables,
  damaged,
  type TableHeader,
} from './format.ts';
import { readBackup } from './read.ts';
import { clear, insert, insertBeside, readRevision, restoreSequences } from './replace.ts';
import { readColumns } from './source.ts';

/** How far a restore is. */
export interface RestoreProgress {
  /** First the whole file is read, then its rows are written. */
  phase: 'validating' | 'applying';
  /** Rows read, or written. */
  rows: number;
  /** All rows, once they have been counted. */
  totalRows?: number;
  /** Bytes read in this phase, as stored. */
  bytes: number;
}

/** What a restore needs. */
export interface RestoreOptions {
  /** One session of the database, with no transaction open. It stays the caller's to end. */
  client: Client;
  /** Whether everybody's queries run in that session, as on the embedded database: none waits for long then. */
  sharedSession: boolean;
  path: string;
  /** Whether what the database holds may go. */
  yes: boolean;
  signal?: AbortSignal | undefined;
  onProgress?: ((progress: RestoreProgress) => void) | undefined;
}

/** What was restored. */
export interface Restored {
  /** When the backup was made, ISO 8601 in UTC. */
  readonly createdAt: string;
  readonly counts: BackupCounts;
}

/** A backup's descriptions of itself. */
interface Outline {
  readonly header: BackupHeader;
  readonly tables: readonly TableHeader[];
}

/**
 * Replaces everything the database holds by what a backup holds. The file is read to its end first, then
 * again inside one transaction: whatever happens before its end, the database is as it was.
 *
 * Revisions go on from the higher of both, so that every running node notices.
 *
 * @throws OperatorError when the backup is not whole or not of this version, or something would be lost
 * without `yes`; the signal's reason.
 */
export async function restoreBackup(options: RestoreOptions): Promise<Restored> {
  const { client, sharedSession, path } = options;
  const outline = await readThrough(options, 'validating', undefined, async () => {});
  await checkMigrations(client, path, outline.header);
  await checkColumns(client, path, outline);
  // In a shared session the startups, which are many, are prepared beside the table before the transaction.
  const next = sharedSession ? await openNextTable(client, 'startups') : undefined;
  try {
    await apply(options, outline, next);
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {});
    throw error;
  } finally {
    await next?.discard().catch(() => {});
  }
  // The embedded database never does it by itself. The data is there, whatever becomes of this.
  const deletedFrom = backupTables.filter((table) => next === undefined || table !== 'startups');
  await client.query(`VACUUM (ANALYZE) ${deletedFrom.join(', ')}`).catch(() => {});
  await analyseStartups(client, sharedSession);
  const counts = Object.fromEntries(outline.tables.map(({ table, rows }) => [table, rows]));
  return { createdAt: outline.header.createdAt, counts };
}

/** Begins a transaction at the first row that is for no table beside, and commits. */
async function apply(options: RestoreOptions, outline: Outline, next: NextTable | undefined): Promise<void> {
  const { client, path, signal } = options;
  const { mark } = outline.header;
  const revision = await readRevision(client, mark);
  let isBegun = false;
  const begin = async (): Promise<void> => {
    if (!isBegun) {
      isBegun = true;
      await beginAlone(client, backupTables, () => signal?.throwIfAborted());
      await checkEmpty(client, options);
      await clear(client, mark, next, revision);
    }
  };
  // Before the long part, too.
  await checkEmpty(client, options);
  const totalRows = outline.tables.reduce((sum, { rows }) => sum + rows, 0);
  const written = await readThrough(options, 'applying', totalRows, async (header, rows) => {
    if (next !== undefined && header.table === 'startups') {
      await insertBeside(client, next, header, rows, revision);
    } else {
      await begin();
      await insert(client, header.table, header.columns, rows);
    }
  });
  if (JSON.stringify(written) !== JSON.stringify(outline)) {
    throw damaged(path, 'it changed while it was read');
  }
  await begin();
  await next?.takePlace();
  await restoreSequences(client, outline.tables);
  signal?.throwIfAborted();
  await client.query('COMMIT');
}

async function readThrough(
  { path, signal, onProgress }: RestoreOptions,
  phase: RestoreProgress['phase'],
  totalRows: number | undefined,
  take: (table: TableHeader, rows: readonly string[]) => Promise<void>,
): Promise<Outline> {
  let header: BackupHeader | undefined;
  const tables: TableHeader[] = [];
  let bytes = 0;
  let rows = 0;
  const onBytes = (count: number): void => {
    bytes += count;
  };
  for await (const part of readBackup(path, { signal, onBytes })) {
    signal?.throwIfAborted();
    if ('header' in part) {
      header = part.header;
    } else if (part.rows.length === 0) {
      tables.push(part.table);
    } else {
      await take(part.table, part.rows);
      rows += part.rows.length;
    }
    onProgress?.({ phase, rows, bytes, ...(totalRows === undefined ? {} : { totalRows }) });
  }
  if (header === undefined) {
    throw damaged(path, 'it is empty');
  }
  return { header, tables };
}

async function checkMigrations(client: Client, path: string, { migrations }: BackupHeader): Promise<void> {
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'SELECT migration_name AS name, checksum FROM "_prisma_migrations" WHERE rolled_back_at IS NULL',
  );
  const known = new Map(rows.map(({ name, checksum }) => [name, checksum]));
  for (const { name, checksum } of migrations) {
    if (known.get(name) !== checksum) {
      throw new OperatorError(
        `${path} was made by a version with migration ${name}, which this one does not know: use the newer revgate that made it. Nothing was changed.`,
      );
    }
  }
}

/** Names from a file become part of a statement only when the database has them. */
async function checkColumns(client: Client, path: string, { tables }: Outline): Promise<void> {
  const seen = new Set<BackupTable>();
  for (const { table, columns } of tables) {
    const known = seen.has(table) ? [] : await readColumns(client, table);
    seen.add(table);
    const unknown = columns.find((column) => !known.includes(column));
    if (unknown !== undefined || columns.length === 0) {
      throw damaged(path, `the database has no ${table}.${unknown}`);
    }
  }
}

async function checkEmpty(client: Client, { path, yes }: RestoreOptions): Promise<void> {
  if (yes) {
    return;
  }
  const { rows } = await client.query<{ startups: number; keys: number; others: number }>(
    `SELECT (SELECT count(*)::integer FROM startups) AS startups, (SELECT count(*)::integer FROM api_keys) AS keys,
       (SELECT count(*) FROM imports) + (SELECT count(*) FROM accounts) AS others`,
  );
  const { startups = 0, keys = 0, others = 0 } = rows[0] ?? {};
  if (startups + keys + Number(others) > 0) {
    const count = (number: number, one: string): string =>
      `${number.toLocaleString('en')} ${one}${number === 1 ? '' : 's'}`;
    throw new OperatorError(
      `The database is not empty: ${count(startups, 'startup')} and ${count(keys, 'key')} would be replaced by what ${path} holds. Nothing was changed. Use --yes if that is meant.`,
    );
  }
}

import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { syncDirectory } from '../../lib/files/output-file.ts';
import { repeat, type Schedule } from '../../lib/loop/schedule.ts';
import type { Database } from '../open.ts';
import { listSnapshots, snapshotFolder, snapshotPath } from '../snapshot-files.ts';
import { type BackupMark, readBackup } from './read-file.ts';
import { readMark, writeBackup } from './write-file.ts';

interface SnapshotOptions {
  database: Database;
  directory: string;
  /** ms after which a change is on the disk. */
  intervalMs: number;
  now: () => number;
  /** How the next interval is waited for; by the timers of this process by default. */
  schedule?: Schedule | undefined;
  /** Called for snapshots that failed; they are retried after the next interval. */
  onError: (error: unknown) => void;
}

/** Snapshots kept: a complete one remains while the next is made. */
const KEPT = 2;

/**
 * Starts making snapshots of an embedded database, which this process has open. The embedded engine leaves its files to
 * the operating system, so that a power cut may damage them. While it is open, changes are therefore backed up in its
 * data directory, and flushed to the disk.
 */
export async function keepSnapshots(options: SnapshotOptions) {
  const { intervalMs, schedule, onError } = options;
  await removeUnfinished(options.directory);
  let saved = await readSaved(options).catch(() => undefined);
  const attempt = async (signal?: AbortSignal): Promise<number> => {
    try {
      saved = await saveIfChanged(options, saved, signal);
    } catch (error) {
      if (signal?.aborted !== true) {
        onError(error);
      }
    }
    return intervalMs;
  };
  const saving = repeat(attempt, intervalMs, schedule);
  return {
    async close(): Promise<void> {
      // What it interrupts begins again below, without the requests that slowed it.
      await saving.stop();
      await attempt();
    },
  };
}

/** What the newest snapshot of this database holds, as a mark to compare with. */
async function readSaved(options: SnapshotOptions): Promise<BackupMark | undefined> {
  const database = await readDatabaseId(options.database);
  const newest = listSnapshots(options.directory).findLast((file) => file.database === database);
  if (newest === undefined) {
    return undefined;
  }
  for await (const part of readBackup(newest.path)) {
    if ('header' in part) {
      return part.header.mark;
    }
  }
  return undefined;
}

async function saveIfChanged(
  { database, directory, now }: SnapshotOptions,
  saved: BackupMark | undefined,
  signal: AbortSignal | undefined,
): Promise<BackupMark> {
  const client = await database.connect();
  try {
    const mark = await readMark(client);
    if (isDeepStrictEqual(mark, saved)) {
      return mark;
    }
    const identity = await readDatabaseId(database);
    if ((await mkdir(snapshotFolder(directory), { recursive: true, mode: 0o700 })) !== undefined) {
      await syncDirectory(directory);
    }
    const path = snapshotPath(directory, identity, now());
    await writeBackup({ client, kind: database.kind, path, replace: true, now, signal });
    // Snapshots of an earlier database of this directory are kept: the operator may want to restore one.
    const own = listSnapshots(directory).filter((file) => file.database === identity);
    for (const { path: old } of own.slice(0, -KEPT)) {
      await rm(old, { force: true });
    }
    return mark;
  } finally {
    await client.end();
  }
}

/** Removes what a process left that was killed while it wrote a snapshot. */
async function removeUnfinished(directory: string): Promise<void> {
  const folder = snapshotFolder(directory);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => one.endsWith('.unfinished'))) {
    await rm(join(folder, name), { force: true }).catch(() => {});
  }
}

/** Eight digits that identify the snapshots of this database: from the random id of its first migration. */
async function readDatabaseId({ pool }: Database): Promise<string> {
  const { rows } = await pool.query<{ id: string }>(
    'SELECT id FROM "_prisma_migrations" ORDER BY started_at, migration_name LIMIT 1',
  );
  return (rows[0]?.id ?? '').replaceAll('-', '').slice(0, 8).padEnd(8, '0');
}

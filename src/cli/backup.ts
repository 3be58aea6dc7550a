import type { BackupCounts } from '../backup/format.ts';
import { restoreBackup } from '../backup/restore.ts';
import { writeBackup } from '../backup/write.ts';
import { OperatorError } from '../errors.ts';
import { amount } from '../text/amount.ts';
import { type CommandContext, inDirectory, line, printJson, type requireFile } from './command.ts';
import { createProgress } from './progress.ts';

/** `revgate backup FILE`: writes everything to a file. */
export async function runBackup(
  context: CommandContext,
  file: string,
  options: { yes?: true; json?: true },
): Promise<void> {
  const path = inDirectory(context.cwd, file);
  const { database, stdout, stderr, errorColumns, now, signal } = context;
  const startedAt = now();
  const progress = createProgress(stderr, errorColumns, now);
  const client = await database.connect(signal);
  try {
    const counts = await writeBackup({
      client,
      kind: database.kind,
      path,
      replace: options.yes === true,
      now,
      signal,
      onProgress: (records) => progress.update({ phase: 'writing', records, bytes: 0, rejected: 0 }),
    });
    progress.end();
    const durationMs = Math.round(now() - startedAt);
    if (options.json === true) {
      printJson(stdout, { file: path, ...count(counts), durationMs });
      return;
    }
    line(stdout, `Backed up ${describe(counts)} to ${path} in ${seconds(durationMs)}.`);
    line(
      stdout,
      'It contains hashes of the keys: they can verify a key, but no key can be recovered from them.',
    );
  } catch (error) {
    progress.end();
    throw signal.aborted ? new OperatorError('Stopped: no backup was written.') : error;
  } finally {
    await client.end();
  }
}

/** `revgate restore FILE`: replaces the whole database with a backup. */
export async function runRestore(
  context: CommandContext,
  { path, stats }: ReturnType<typeof requireFile>,
  options: { yes?: true; json?: true },
): Promise<void> {
  const { database, stdout, stderr, errorColumns, user, now, signal } = context;
  const startedAt = now();
  const progress = createProgress(stderr, errorColumns, now);
  const client = await database.connect(signal);
  try {
    const { createdAt, counts } = await restoreBackup({
      client,
      kind: database.kind,
      path,
      actor: user,
      now,
      yes: options.yes === true,
      signal,
      onProgress: ({ phase, rows, totalRows, bytes }) =>
        progress.update({
          phase,
          records: rows,
          bytes,
          totalBytes: stats.size,
          rejected: 0,
          ...(totalRows === undefined ? {} : { totalRecords: totalRows }),
        }),
    });
    progress.end();
    const durationMs = Math.round(now() - startedAt);
    if (options.json === true) {
      printJson(stdout, { file: path, createdAt, ...count(counts), durationMs });
      return;
    }
    line(stdout, `Restored ${describe(counts)}, as they were at ${createdAt}, in ${seconds(durationMs)}.`);
  } catch (error) {
    progress.end();
    throw signal.aborted ? new OperatorError('Stopped: nothing was changed.') : error;
  } finally {
    await client.end();
  }
}

function count({ startups = 0, api_keys: keys = 0 }: BackupCounts): { startups: number; keys: number } {
  return { startups, keys };
}

function describe(counts: BackupCounts): string {
  const { startups, keys } = count(counts);
  return `${amount(startups, 'startup')} and ${amount(keys, 'key')}`;
}

function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}

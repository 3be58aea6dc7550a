import type { BackupCounts } from '../backup/format.ts';
import { recordRestoredFiles, restoreBackup } from '../backup/restore.ts';
import { writeBackup } from '../backup/write.ts';
import { amount } from '../text/amount.ts';
import {
  type CommandContext,
  inDirectory,
  type JsonOption,
  line,
  printJson,
  printResult,
  requireFile,
} from './command.ts';
import { runWithProgress, seconds } from './progress.ts';
import type { RevgateCommand } from './revgate-command.ts';

type BackupOptions = { yes?: true } & JsonOption;

/** Adds `backup` and `restore` to the program. */
export function addBackup(program: RevgateCommand): void {
  program
    .command('backup <file>')
    .description('write all data to a file, even while the server runs')
    .option('--yes', 'replace an existing file')
    .examples('revgate backup startups.backup.gz')
    .onDatabase('one JSON object', runBackup);
  program
    .command('restore <file>')
    .description('replace all data with that of a backup, even while the server runs')
    .option('--yes', 'allow replacing existing data')
    .examples('revgate restore startups.backup.gz --yes')
    .onDatabase('one JSON object', runRestore, { mayCreate: true, check: requireFile });
  program
    .command('restored')
    .description('say that a copy of the files of the database was put back: cursors of changes expire')
    .examples('revgate restored')
    .onDatabase('one JSON object', runRestored);
}

/** `revgate backup FILE`: writes everything to a file. */
export async function runBackup(
  context: CommandContext,
  file: string,
  options: BackupOptions,
): Promise<void> {
  const { database, stdout, now, signal } = context;
  const path = inDirectory(context.cwd, file);
  const { result: counts, durationMs } = await runWithProgress(
    context,
    'no backup was written',
    (client, update) =>
      writeBackup({
        client,
        kind: database.kind,
        path,
        replace: options.yes === true,
        now,
        signal,
        onProgress: (records) => update({ phase: 'writing', records, bytes: 0, rejected: 0 }),
      }),
  );
  if (options.json === true) {
    printJson(stdout, { file: path, ...count(counts), durationMs });
    return;
  }
  line(stdout, `Backed up ${countsText(counts)} to ${path} in ${seconds(durationMs)}.`);
  line(
    stdout,
    'It contains hashes of the keys: they can verify a key, but no key can be recovered from them.',
  );
}

/** `revgate restore FILE`: replaces the whole database with a backup. */
async function runRestore(context: CommandContext, file: string, options: BackupOptions): Promise<void> {
  const { path, stats } = requireFile(context, file);
  const { database, user, now, signal } = context;
  const { result, durationMs } = await runWithProgress(context, 'nothing was changed', (client, update) =>
    restoreBackup({
      client,
      kind: database.kind,
      path,
      actor: user,
      now,
      yes: options.yes === true,
      signal,
      onProgress: ({ phase, rows, totalRows, bytes }) =>
        update({ phase, records: rows, totalRecords: totalRows, bytes, totalBytes: stats.size, rejected: 0 }),
    }),
  );
  const { createdAt, counts } = result;
  printResult(
    context,
    options.json,
    { file: path, createdAt, ...count(counts), durationMs },
    `Restored ${countsText(counts)}, as they were at ${createdAt}, in ${seconds(durationMs)}.`,
  );
}

/** `revgate restored`: ends all cursors of changes, because the data may be of an earlier time. */
async function runRestored(context: CommandContext, options: JsonOption): Promise<void> {
  await recordRestoredFiles(context.database, context);
  printResult(
    context,
    options.json,
    { cursors: 'expired' },
    'All cursors of changes have expired: clients that keep a copy read everything again.',
  );
}

function count({ startups = 0, api_keys: keys = 0 }: BackupCounts): { startups: number; keys: number } {
  return { startups, keys };
}

function countsText(counts: BackupCounts): string {
  const { startups, keys } = count(counts);
  return `${amount(startups, 'startup')} and ${amount(keys, 'key')}`;
}

import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { BackupCounts } from '../../db/backup/read-file.ts';
import { amount, OperatorError } from '../../lib/errors.ts';
import {
  type CommandContext,
  type CommandEnvironment,
  inDirectory,
  type JsonOption,
  line,
  printJson,
  type Result,
  requireFile,
} from '../command-line/command.ts';
import { runWithProgress, seconds } from '../command-line/progress.ts';
import type { RevgateCommand } from '../command-line/revgate-command.ts';

// Most of the time of a start, which help and other commands do not need.
const loadRestore = () => import('../../db/backup/restore.ts');

/** In place of the name of a file: standard input or output. */
const STREAM = '-';

const HELD =
  'This database is now a copy of another one, so emails about keys and about what accounts saved are held. If it takes over, run: npx revgate mails release';

type BackupOptions = { yes?: true } & JsonOption;

export function addBackup(program: RevgateCommand): void {
  program
    .command('backup <file>')
    .description('write all data to a file, or to standard output (-), even while the server runs')
    .option('--yes', 'replace an existing file')
    .examples('revgate backup startups.backup.gz', 'revgate backup - | ssh host "cat > startups.backup.gz"')
    .onDatabase('one JSON object', runBackup, { check: requireOutput });
  program
    .command('restore <file>')
    .description(
      'replace all data with that of a backup file, or of standard input (-), even while the server runs',
    )
    .option('--yes', 'allow replacing existing data')
    .examples('revgate restore startups.backup.gz --yes')
    .prints(runRestore, {
      ifMissing: 'create',
      check: (environment, file) => file === STREAM || requireFile(environment, file),
    });
  program
    .command('restored')
    .description('say that a copy of the files of the database was put back: cursors of changes expire')
    .examples('revgate restored')
    .prints(async (context) => {
      const { recordRestoredFiles } = await loadRestore();
      await recordRestoredFiles(context.database, context);
      const text = 'All cursors of changes have expired: clients that keep a copy read everything again.';
      return [{ cursors: 'expired' }, text];
    });
}

async function runBackup(context: CommandContext, file: string, options: BackupOptions) {
  if (file === STREAM) {
    return withTemporaryFile(async (path) => {
      // What it says would be in the backup.
      await backUpTo({ ...context, stdout: context.stderr }, path, options, 'standard output');
      await pipeline(createReadStream(path), context.stdout, { end: false, signal: context.signal });
    });
  }
  const path = inDirectory(context.cwd, file);
  await backUpTo(context, path, options, path);
}

async function backUpTo(context: CommandContext, path: string, options: BackupOptions, name: string) {
  const { database, stdout, now, signal } = context;
  const { writeBackup } = await import('../../db/backup/write-file.ts');
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
        onProgress: (records) => update({ phase: 'writing', records }),
      }),
  );
  if (options.json === true) {
    printJson(stdout, { file: path, ...count(counts), durationMs });
    return;
  }
  line(stdout, `Backed up ${countsText(counts)} to ${name} in ${seconds(durationMs)}.`);
  line(
    stdout,
    'It contains hashes of the keys: they can verify a key, but no key can be recovered from them.',
  );
}

async function runRestore(context: CommandContext, file: string, { yes }: BackupOptions): Promise<Result> {
  if (file === STREAM) {
    // It is read twice.
    return withTemporaryFile(async (path) => {
      await pipeline(context.stdin, createWriteStream(path, { mode: 0o600 }), { signal: context.signal });
      return runRestore(context, path, yes === undefined ? {} : { yes });
    });
  }
  const { path } = requireFile(context, file);
  const { database, user, now, signal } = context;
  const { restoreBackup } = await loadRestore();
  const { result, durationMs } = await runWithProgress(context, 'nothing was changed', (client, update) =>
    restoreBackup({
      client,
      kind: database.kind,
      path,
      actor: user,
      now,
      yes: yes === true,
      signal,
      onProgress: ({ phase, rows, totalRows }) => update({ phase, records: rows, totalRecords: totalRows }),
    }),
  );
  const { createdAt, counts, isCopy } = result;
  const text = `Restored ${countsText(counts)}, as they were at ${createdAt}, in ${seconds(durationMs)}.`;
  return [{ file: path, createdAt, ...count(counts), durationMs }, isCopy ? `${text}\n${HELD}` : text];
}

/**
 * @throws OperatorError where a backup cannot be written to standard output.
 */
function requireOutput({ columns }: CommandEnvironment, file: string, { json }: BackupOptions): void {
  if (file !== STREAM) {
    return;
  }
  if (columns !== undefined) {
    throw new OperatorError('A backup is no text for a terminal: redirect standard output, or name a file.');
  }
  if (json === true) {
    throw new OperatorError('--json and the backup would both be written to standard output: name a file.');
  }
}

/** Works with a file that only this user can read, and that is removed then. */
async function withTemporaryFile<T>(work: (path: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'revgate-'));
  try {
    return await work(join(directory, 'backup.gz'));
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function count({ startups = 0, api_keys: keys = 0 }: BackupCounts): { startups: number; keys: number } {
  return { startups, keys };
}

function countsText(counts: BackupCounts): string {
  const { startups, keys } = count(counts);
  return `${amount(startups, 'startup')} and ${amount(keys, 'key')}`;
}

#!/usr/bin/env node
import { readFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { Command, CommanderError } from 'commander';
import { readConfig } from '../config.ts';
import { openDatabaseForCommand } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { loadPolicy, type Policy } from '../keys/policy.ts';
import { addAdministration } from './administration.ts';
import { runBackup, runRestore } from './backup.ts';
import type { CommandContext } from './command.ts';
import { type ImportCommandOptions, runImport } from './import.ts';
import { runImports } from './imports.ts';
import { runSample } from './sample.ts';

const ROOT = new URL('../../', import.meta.url);

const { stdin, stdout, stderr } = process;
const now = (): number => Date.now();
const stop = new AbortController();

/** Runs a command on the database of the environment. */
async function withDatabase(run: (context: CommandContext) => Promise<void>): Promise<void> {
  const config = readConfig(process.env);
  const database = await openDatabaseForCommand(config.database, () => {});
  try {
    const user = userName();
    const { isTTY: isTerminal = false } = stderr;
    await run({
      database,
      policy: readPolicy(),
      stdin,
      stdout,
      stderr,
      isTerminal,
      user,
      now,
      signal: stop.signal,
    });
  } finally {
    await database.close();
  }
}

/** Who runs this; in a container, a user may have a number only. */
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? 'unknown'}`;
  }
}

function readPolicy(): Policy {
  return loadPolicy(readFileSync(new URL('docs/policy.md', ROOT), 'utf8'));
}

function createProgram(version: string): Command {
  const program = new Command('revgate')
    .description('Startups with verified revenue, over GraphQL and REST')
    .version(version)
    .exitOverride()
    .configureOutput({
      outputError: (text, write) =>
        write(
          `revgate: ${text
            .replace(/^error: /, '')
            .trim()
            .replaceAll('\n', ' ')}\n`,
        ),
    });

  program
    .command('serve')
    .description('serve the gateway until stopped; settings come from the environment')
    .action(async () => {
      const config = readConfig(process.env);
      // The other commands start in a third of the time without it.
      const { runServe } = await import('./serve.ts');
      await runServe({
        config,
        policy: readPolicy(),
        version,
        stdin,
        stdout,
        stderr,
        now,
        signal: stop.signal,
      });
    });

  program
    .command('sample')
    .description('write made-up startups as NDJSON to standard output')
    .option('--count <n>', 'how many', '500')
    .option('--seed <n>', 'the same seed gives the same startups', '1')
    .action((options: { count: string; seed: string }) =>
      runSample({ stdout, signal: stop.signal }, options),
    );

  program
    .command('import <file...>')
    .description('import startups from NDJSON, JSON or CSV files, plain or gzip; - is standard input')
    .option('--dry-run', 'validate and count, and change nothing')
    .option('--skip-invalid', 'import the valid records, write the others to a file')
    .option('--rejects <file>', 'that file; default: beside the input')
    .option('--replace', 'also remove the startups that the input lacks')
    .option('--yes', 'even if that is more than half of them')
    .action((files: string[], options: ImportCommandOptions) =>
      withDatabase((context) => runImport(context, files, options)),
    );

  program
    .command('imports')
    .description('list what was imported when, from where and by whom, the last one first')
    .option('--limit <n>', 'how many at most', '50')
    .option('--json', 'print a JSON array')
    .action((options: { limit: string; json?: true }) =>
      withDatabase((context) => runImports(context, options)),
    );
  program
    .command('backup <file>')
    .description('write everything to a file, while serving or not; it holds the hashes of the keys')
    .option('--yes', 'replace a file of that name')
    .action((file: string, options: { yes?: true }) =>
      withDatabase((context) => runBackup(context, file, options)),
    );
  program
    .command('restore <file>')
    .description('replace everything by what a backup holds, while serving or not')
    .option('--yes', 'even if the database is not empty')
    .action((file: string, options: { yes?: true }) =>
      withDatabase((context) => runRestore(context, file, options)),
    );

  addAdministration(program, withDatabase);
  return program;
}

/** A fault that nobody foresaw: one line as any other, its stack for those who ask for details. */
function describeUnexpected(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return /^(debug|trace)$/.test(process.env.LOG_LEVEL ?? '')
    ? (error.stack ?? error.message)
    : `${error.message.trim().replace(/\s+/g, ' ') || error.name} (LOG_LEVEL=debug tells more)`;
}

/** Ends the process at the second signal; the first asks whatever runs to end by itself. */
function onSignal(): void {
  if (stop.signal.aborted) {
    process.exit(130);
  }
  stop.abort();
}
process.on('SIGTERM', onSignal);
process.on('SIGINT', onSignal);
// A reader that went away (`revgate sample | head`) is no fault.
stdout.on('error', (error: NodeJS.ErrnoException) => process.exit(error.code === 'EPIPE' ? 0 : 1));

try {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  await createProgram(version).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    for (const text of error instanceof OperatorError ? error.lines : [describeUnexpected(error)]) {
      stderr.write(`revgate: ${text}\n`);
    }
    process.exitCode = 1;
  }
}

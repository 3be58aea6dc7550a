import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { readConfig } from '../config.ts';
import { type DatabaseLocation, openDatabaseForCommand } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { loadPolicy, type Policy } from '../keys/policy.ts';
import type { Schedule } from '../schedule.ts';
import { addAdministration } from './administration.ts';
import { runBackup, runRestore } from './backup.ts';
import { type CommandContext, type CommandSurroundings, hasColors, inDirectory } from './command.ts';
import { type ImportCommandOptions, runImport } from './import.ts';
import { runImports } from './imports.ts';
import { runSample } from './sample.ts';

/** What a command line is run in. */
interface CommandEnvironment extends CommandSurroundings {
  /** Settings, as environment variables. */
  readonly env: { readonly [name: string]: string | undefined };
  /** How a server repeats work as time passes; by the timers of this process by default. */
  readonly schedule?: Schedule | undefined;
  /** ms of a clock that nobody sets; that of this process by default. */
  readonly monotonic?: (() => number) | undefined;
}

const ROOT = new URL('../../', import.meta.url);

/**
 * Runs a command line to its end, such as `['keys', 'list']`. It reads and changes nothing of the process,
 * so that several may run in one.
 *
 * @returns the exit code: 0; 1 if the command failed; 2 for an invalid command line. Errors have been
 * written to standard error, one line each.
 */
export async function runCommandLine(
  args: readonly string[],
  environment: CommandEnvironment,
): Promise<number> {
  const { env, stderr } = environment;
  try {
    await createProgram(environment).parseAsync(args, { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError) {
      // It has written what is wrong, or what was asked for, as --help does.
      return error.exitCode === 0 ? 0 : 2;
    }
    for (const text of error instanceof OperatorError ? error.lines : [describeUnexpected(error, env)]) {
      stderr.write(`revgate: ${text}\n`);
    }
    return 1;
  }
}

function createProgram(environment: CommandEnvironment): Command {
  const { env, cwd, stdin, stdout, stderr, isTerminal, now, schedule, monotonic, signal } = environment;
  const version = readVersion();
  const withDatabase = async (run: (context: CommandContext) => Promise<void>): Promise<void> => {
    const { database: location } = readConfig(env);
    const database = await openDatabaseForCommand(locate(location, cwd), () => {}, signal);
    try {
      await run({ ...environment, database, policy: readPolicy() });
    } finally {
      await database.close();
    }
  };

  const program = new Command('revgate')
    .description('Startups with verified revenue, over GraphQL and REST')
    .version(version)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
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
      const config = readConfig(env);
      // The other commands start in a third of the time without it.
      const { runServe } = await import('./serve.ts');
      await runServe({
        config: { ...config, database: locate(config.database, cwd) },
        policy: readPolicy(),
        version,
        stdin,
        stdout,
        stderr,
        isTerminal,
        hasColors: hasColors(isTerminal, env),
        now,
        schedule,
        monotonic,
        signal,
      });
    });

  program
    .command('sample')
    .description('write made-up startups as NDJSON to standard output')
    .option('--count <n>', 'how many', '500')
    .option('--seed <n>', 'the same seed gives the same startups', '1')
    .action((options: { count: string; seed: string }) => runSample({ stdout, signal }, options));

  program
    .command('import <file...>')
    .description('import startups from NDJSON, JSON or CSV files, plain or gzip; - is standard input')
    .option('--dry-run', 'validate and count, and change nothing')
    .option('--skip-invalid', 'import the valid records, write the others to a file')
    .option('--rejects <file>', 'that file; default: beside the input')
    .option('--errors <file>', 'write every error to this new file, as NDJSON')
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

function locate(location: DatabaseLocation, cwd: string): DatabaseLocation {
  return location.kind === 'embedded' && location.directory !== undefined
    ? { ...location, directory: inDirectory(cwd, location.directory) }
    : location;
}

function readVersion(): string {
  const { version } = JSON.parse(readFileSync(new URL('package.json', ROOT), 'utf8')) as { version: string };
  return version;
}

function readPolicy(): Policy {
  return loadPolicy(readFileSync(new URL('docs/policy.md', ROOT), 'utf8'));
}

/** An unexpected error: one line like any other, with its stack if LOG_LEVEL asks for details. */
function describeUnexpected(error: unknown, { LOG_LEVEL = '' }: CommandEnvironment['env']): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  return /^(debug|trace)$/.test(LOG_LEVEL)
    ? (error.stack ?? error.message)
    : `${error.message.trim().replace(/\s+/g, ' ') || error.name} (LOG_LEVEL=debug tells more)`;
}

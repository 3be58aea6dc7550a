import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config/config.ts';
import { settingRows } from '../config/describe.ts';
import { type SettingName, settings } from '../config/settings.ts';
import { hasEmbedded } from '../db/embedded.ts';
import { type DatabaseLocation, openDatabaseForCommand } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { readEmbedScript } from '../files/embed-script.ts';
import { loadPolicy, type Policy } from '../keys/policy.ts';
import { addAdministration, type OnDatabase } from './administration.ts';
import { runBackup, runRestore } from './backup.ts';
import {
  type Clock,
  type CommandSurroundings,
  confirm,
  day,
  describeNew,
  hasColors,
  inDirectory,
  integer,
  line,
  requireFile,
} from './command.ts';
import { addCompletion } from './completion.ts';
import { examples, helpLayout, helpWidth, paragraph } from './help.ts';
import { checkImport, type ImportCommandOptions, runImport } from './import.ts';
import { runImports } from './imports.ts';
import { runSample } from './sample.ts';
import { formatTable } from './table.ts';

/** The environment of a command line. */
export interface CommandEnvironment extends CommandSurroundings, Clock {
  /** Settings, as environment variables. */
  readonly env: { readonly [name: string]: string | undefined };
}

const ROOT = new URL('../../', import.meta.url);

const EXIT_CODES =
  'Exit codes: 0 success, also of serve when SIGTERM stops it; 1 error; 2 invalid command line; 130 stopped by Ctrl-C; 143 stopped by SIGTERM before it was done.';

/** All commands, with their options and help. */
export function createProgram(environment: CommandEnvironment): Command {
  const { cwd, stdout, stderr, columns, now, signal } = environment;
  let env = environment.env;
  const version = readVersion();
  const onDatabase: OnDatabase =
    (run, { mayCreate = false, check } = {}) =>
    async (...args) => {
      const policy = readPolicy();
      check?.(policy, ...args);
      const location = locate(readConfig(env).database, cwd);
      const missing = mayCreate && environment.isInteractive ? findMissing(location) : undefined;
      if (missing !== undefined) {
        const question = `There is no database in ${missing}. Create one there?`;
        if (!(await confirm(environment, question))) {
          throw new OperatorError(
            'No database was created. Set DATA_DIR to the directory of an existing one, or DATABASE_URL.',
          );
        }
      }
      const database = await openDatabaseForCommand(location, { signal, mayCreate });
      try {
        if (database.isNew) {
          line(stderr, describeNew(location));
        }
        await run({ ...environment, database, policy }, ...args);
      } finally {
        await database.close();
      }
    };

  const program = new Command('revgate')
    .description('Startups with verified revenue, over GraphQL and REST')
    .version(version)
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => helpWidth(columns),
      getErrHelpWidth: () => helpWidth(environment.errorColumns),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // The caller writes it.
      outputError: () => {},
    })
    .configureHelp(helpLayout)
    .hook('preAction', (_program, command) => {
      env = { ...env, ...settingsOf(command.opts<SettingOptions>(), env) };
    })
    .addHelpText(
      'after',
      examples(
        'revgate serve --port 8080',
        'revgate import startups.ndjson',
        'revgate keys create --name "my dashboard" --tier premium --accept-policy',
        'revgate help keys create',
      ),
    )
    .addHelpText('after', paragraph(EXIT_CODES));

  program
    .command('serve')
    .description('serve the gateway until stopped')
    .option('--port <n>', overrides('PORT'), readPort)
    .option('--host <address>', overrides('HOST'))
    .addHelpText('after', () => settingsHelp(columns === undefined ? undefined : helpWidth(columns)))
    .addHelpText(
      'after',
      examples(
        'revgate serve',
        'revgate serve --port 8080 --data-dir /var/lib/revgate',
        'DATABASE_URL=postgres://db/revgate revgate serve',
      ),
    )
    .action(async () => {
      const config = readConfig(env);
      // The other commands start in a third of the time without it.
      const { runServe } = await import('./serve.ts');
      await runServe({
        ...environment,
        config: { ...config, database: locate(config.database, cwd) },
        policy: readPolicy(),
        version,
        hasColors: hasColors(environment.isTerminal, env),
      });
    });

  program
    .command('sample')
    .description('write generated startups as NDJSON to standard output')
    .option('--count <n>', 'number of startups', integer(0, 100_000_000), 500)
    .option('--seed <n>', 'the same seed generates the same startups', integer(0, 4_294_967_295), 1)
    .addHelpText('after', examples('revgate sample --count 1000 --seed 42 > startups.ndjson'))
    .action((options: { count: number; seed: number }) => runSample({ stdout, signal }, options));

  program
    .command('embed-script')
    .description('write the component for web pages to standard output, and its hash to standard error')
    .addHelpText('after', examples('revgate embed-script > embed.js'))
    .action(() => {
      const script = readEmbedScript();
      stdout.write(script);
      line(stderr, `integrity="sha384-${createHash('sha384').update(script).digest('base64')}"`);
    });

  program
    .command('import <file...>')
    .description('import startups from NDJSON, JSON or CSV files, plain or gzip; - is standard input')
    .option('--dry-run', 'validate and count; change nothing')
    .option('--skip-invalid', 'import the valid records and write the invalid ones to a file')
    .option('--rejects <file>', 'the file for invalid records; default: next to the input')
    .option('--errors <file>', 'write every error to this new file, as NDJSON')
    .option('--replace', 'also remove the startups that are not in the input')
    .option('--yes', 'allow --replace to remove more than half of the startups')
    .option('--as-of <day>', 'import the data as of this past day, into the history', day)
    .option('--json', 'print one JSON object')
    .addHelpText(
      'after',
      examples(
        'revgate import startups.ndjson',
        'revgate import --dry-run january.csv february.csv.gz',
        'revgate import --skip-invalid --rejects rejects.ndjson startups.ndjson',
        'revgate sample | revgate import --replace --yes -',
        'revgate import --as-of 2026-05-31 startups-of-may.ndjson',
      ),
    )
    .action((names: string[], options: ImportCommandOptions) => {
      const files = checkImport(environment, names, options);
      return onDatabase((context) => runImport(context, files, options, readConfig(env)), {
        mayCreate: true,
      })();
    });

  program
    .command('imports')
    .description('list the imports: time, source, user and counts, the latest first')
    .option('--limit <n>', 'number of imports to list', integer(1, 1_000_000), 50)
    .option('--json', 'print a JSON array')
    .addHelpText('after', examples('revgate imports --limit 10', 'revgate imports --json'))
    .action(onDatabase(runImports));
  program
    .command('backup <file>')
    .description('write all data to a file, even while the server runs')
    .option('--yes', 'replace an existing file')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate backup startups.backup.gz'))
    .action(onDatabase(runBackup));
  program
    .command('restore <file>')
    .description('replace all data with that of a backup, even while the server runs')
    .option('--yes', 'allow it to replace existing data')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate restore startups.backup.gz --yes'))
    .action((name: string, options: { yes?: true; json?: true }) => {
      const file = requireFile(environment, name);
      return onDatabase(runRestore, { mayCreate: true })(file, options);
    });

  program
    .command('doctor')
    .description('check settings, database, Redis, disk, clock and versions, and say how to fix errors')
    .option('--json', 'print one JSON object')
    .addHelpText('after', examples('revgate doctor', 'revgate doctor --json'))
    .action(async (options: { json?: true }) => {
      // It loads the client of Redis.
      const { runDoctor } = await import('./doctor.ts');
      const nodeVersion = process.versions.node;
      const checked = { env, locate: (location: DatabaseLocation) => locate(location, cwd), now };
      await runDoctor({ ...checked, version, nodeVersion, stdout, columns }, options);
    });

  addAdministration(program, onDatabase);
  for (const command of leavesOf(program)) {
    command.option('--data-dir <directory>', overrides('DATA_DIR'));
  }
  addCompletion(program, stdout);
  return program;
}

/** The commands that run something on the database. */
function leavesOf(command: Command): Command[] {
  return command.name() === 'sample' || command.name() === 'embed-script'
    ? []
    : command.commands.length === 0
      ? [command]
      : command.commands.flatMap(leavesOf);
}

/** Options that set settings. */
interface SettingOptions {
  port?: string;
  host?: string;
  dataDir?: string;
}

/** The settings that the given options set. */
function settingsOf(
  { port, host, dataDir }: SettingOptions,
  { DATABASE_URL }: CommandEnvironment['env'],
): Record<string, string> {
  if (dataDir !== undefined && DATABASE_URL) {
    throw new OperatorError(
      '--data-dir is for the embedded database, but DATABASE_URL is set: use only one of them.',
    );
  }
  return {
    ...(port === undefined ? {} : { PORT: port }),
    ...(host === undefined ? {} : { HOST: host }),
    ...(dataDir === undefined ? {} : { DATA_DIR: dataDir }),
  };
}

function settingsHelp(width = Number.POSITIVE_INFINITY): string {
  const lines = formatTable(['variable', 'meaning'], settingRows(), width - 2);
  const texts = lines.map((text) => (text === '' ? '' : `  ${text}`));
  return ['', 'Settings are environment variables:', ...texts].join('\n');
}

/** The help of an option that takes precedence over a setting. */
function overrides(name: SettingName): string {
  return `${settings[name].summary}; overrides ${name} (default: ${settings[name].fallback})`;
}

function readPort(text: string): string {
  const { kind } = settings.PORT;
  if (kind.parse(text) === undefined) {
    throw new InvalidArgumentError(kind.allowed);
  }
  return text;
}

/** The directory of an embedded database that does not exist yet. */
function findMissing(location: DatabaseLocation): string | undefined {
  return location.kind === 'embedded' && location.directory !== undefined && !hasEmbedded(location.directory)
    ? resolve(location.directory)
    : undefined;
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

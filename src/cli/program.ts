import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import { readConfig } from '../config/config.ts';
import { settingRows } from '../config/describe.ts';
import { settings } from '../config/settings.ts';
import { hasEmbedded } from '../db/embedded.ts';
import { type DatabaseLocation, openDatabaseForCommand } from '../db/open.ts';
import { OperatorError } from '../errors.ts';
import { readEmbedScript } from '../files/embed-script.ts';
import { loadPolicy, type Policy } from '../keys/policy.ts';
import type { SampleOptions } from '../startups/import/sample.ts';
import { addAccounts } from './accounts.ts';
import { addAudit } from './audit.ts';
import { addBackup } from './backup.ts';
import {
  type Clock,
  type CommandSurroundings,
  confirm,
  describeNew,
  hasColors,
  inDirectory,
  integer,
  line,
} from './command.ts';
import { addCompletion } from './completion.ts';
import { addDocuments } from './documents.ts';
import { helpLayout, helpWidth, paragraph } from './help.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { type OnDatabase, overrides, RevgateCommand } from './revgate-command.ts';
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
    (run, { mayCreate = false, check }) =>
    async (...args) => {
      const policy = readPolicy();
      check?.({ ...environment, policy }, ...args);
      const { database: configured, historyDays } = readConfig(env);
      const location = locate(configured, cwd);
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
        await run({ ...environment, database, policy, historyDays }, ...args);
      } finally {
        await database.close();
      }
    };

  const program = new RevgateCommand('revgate', environment, onDatabase)
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
      env = withOptions(env, command.opts<SettingOptions>());
    })
    .examples(
      'revgate serve --port 8080',
      'revgate import startups.ndjson',
      'revgate keys create --name "my dashboard" --tier premium --accept-policy',
      'revgate help keys create',
    )
    .addHelpText('after', paragraph(EXIT_CODES));

  program
    .command('serve')
    .description('serve the gateway until stopped')
    .option('--port <n>', overrides('PORT'), readPort)
    .option('--host <address>', overrides('HOST'))
    .dataDirectory()
    .addHelpText('after', () => settingsHelp(columns === undefined ? undefined : helpWidth(columns)))
    .examples(
      'revgate serve',
      'revgate serve --port 8080 --data-dir /var/lib/revgate',
      'DATABASE_URL=postgres://db/revgate revgate serve',
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
    .examples('revgate sample --count 1000 --seed 42 > startups.ndjson')
    .action((options: SampleOptions) => runSample(environment, options));

  program
    .command('embed-script')
    .description('write the component for web pages to standard output, and its hash to standard error')
    .examples('revgate embed-script > embed.js')
    .action(() => {
      const script = readEmbedScript();
      stdout.write(script);
      line(stderr, `integrity="sha384-${createHash('sha384').update(script).digest('base64')}"`);
    });

  addImport(program);
  addBackup(program);

  program
    .command('doctor')
    .description('check settings, database, Redis, disk, clock and versions, and say how to fix errors')
    .option('--json', 'print one JSON object')
    .dataDirectory()
    .examples('revgate doctor', 'revgate doctor --json')
    .action(async (options: { json?: true }) => {
      // It loads the client of Redis.
      const { runDoctor } = await import('./doctor.ts');
      const nodeVersion = process.versions.node;
      const checked = { env, locate: (location: DatabaseLocation) => locate(location, cwd), now };
      await runDoctor({ ...checked, version, nodeVersion, stdout, columns }, options);
    });

  addKeys(program);
  addDocuments(program);
  addAccounts(program);
  addAudit(program);
  addCompletion(program);
  return program;
}

/** Options that set settings. */
interface SettingOptions {
  port?: string;
  host?: string;
  dataDir?: string;
}

/** The settings, with those that the given options set. */
function withOptions(env: CommandEnvironment['env'], { port, host, dataDir }: SettingOptions) {
  if (dataDir !== undefined && env.DATABASE_URL) {
    throw new OperatorError(
      '--data-dir is for the embedded database, but DATABASE_URL is set: use only one of them.',
    );
  }
  return { ...env, PORT: port ?? env.PORT, HOST: host ?? env.HOST, DATA_DIR: dataDir ?? env.DATA_DIR };
}

function settingsHelp(width = Number.POSITIVE_INFINITY): string {
  const lines = formatTable(['variable', 'meaning'], settingRows(), width - 2);
  const texts = lines.map((text) => (text === '' ? '' : `  ${text}`));
  return ['', 'Settings are environment variables:', ...texts].join('\n');
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

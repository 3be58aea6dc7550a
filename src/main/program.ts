import type { Command } from 'commander';
import { readVersion } from '../lib/files/built-files.ts';
import type { SampleOptions } from '../startups/sample/sample.ts';
import { type CommandEnvironment, type JsonOption, readAs } from './command-line/command.ts';
import { locate } from './command-line/database.ts';
import { overrides, RevgateCommand } from './command-line/revgate-command.ts';
import { formatTable } from './command-line/table.ts';
import { addAccounts } from './commands/accounts.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addDocuments } from './commands/documents.ts';
import { addFields } from './commands/fields.ts';
import { addImport } from './commands/import/import.ts';
import { addImports } from './commands/import/imports.ts';
import { runSample } from './commands/import/sample.ts';
import { addUndo } from './commands/import/undo.ts';
import { addKeys } from './commands/keys.ts';
import { addMails } from './commands/mails.ts';
import { addMigrate } from './commands/migrate.ts';
import { addTokens } from './commands/tokens.ts';
import { integer } from './settings/kinds.ts';
import { settingRows, settings } from './settings/settings.ts';

/** Of a terminal of the usual size. */
const USUAL_COLUMNS = 80;
/** No text is made to fit less. */
const MIN_COLUMNS = 60;
/** Descriptions of options have at least as much of that beside the longest option. */
const MIN_DESCRIPTION = 22;

/** The columns that a help text has. */
const helpWidth = (columns = USUAL_COLUMNS): number => Math.max(MIN_COLUMNS, columns);

const EXIT_CODES = `
Exit codes: 0 success, or serve stopped by a signal; 1 error;
2 invalid command line; 130 stopped by Ctrl-C; 143 stopped
by SIGTERM.`;

export function createProgram(environment: CommandEnvironment): Command {
  const { cwd, stdout, stderr, columns, errorColumns } = environment;

  const program = new RevgateCommand('revgate', environment)
    .description('Startups with verified revenue, over GraphQL and REST')
    .version(readVersion())
    .exitOverride()
    .configureOutput({
      getOutHelpWidth: () => helpWidth(columns),
      getErrHelpWidth: () => helpWidth(errorColumns),
      getOutHasColors: () => false,
      getErrHasColors: () => false,
      writeOut: (text) => stdout.write(text),
      writeErr: (text) => stderr.write(text),
      // The caller writes it.
      outputError: () => {},
    })
    .configureHelp({ minWidthToWrap: MIN_DESCRIPTION })
    .examples(
      'revgate serve --port 8080',
      'revgate import startups.ndjson',
      'revgate keys create --name "my dashboard" --tier premium --accept-policy',
      'revgate help keys create',
    )
    .addHelpText('after', EXIT_CODES);

  program
    .command('serve')
    .description('start the server, and run until stopped')
    .option('--port <n>', overrides('PORT'), readAs(settings.PORT.kind))
    .option('--host <address>', overrides('HOST'))
    .dataDirectory()
    .addHelpText('after', () => {
      const width = columns === undefined ? Number.POSITIVE_INFINITY : helpWidth(columns);
      const lines = formatTable(['variable', 'meaning'], settingRows(), width - 2);
      const texts = lines.map((text) => (text === '' ? '' : `  ${text}`));
      return ['', 'Settings are environment variables:', ...texts].join('\n');
    })
    .examples(
      'revgate serve',
      'revgate serve --port 8080 --data-dir /var/lib/revgate',
      'DATABASE_URL=postgres://db/revgate revgate serve',
    )
    .action(async (_options: object, command: RevgateCommand) => {
      const config = command.config();
      // The other commands start in a third of the time without it.
      const { runServe } = await import('./commands/serve.ts');
      await runServe(environment, { ...config, database: locate(config.database, cwd) });
    });

  program
    .command('sample')
    .description('write generated startups as NDJSON to standard output')
    .option('--count <n>', 'number of startups', readAs(integer(0, 100_000_000)), 500)
    .option('--seed <n>', 'the same seed generates the same startups', readAs(integer(0, 4_294_967_295)), 1)
    .examples('revgate sample --count 1000 --seed 42 > startups.ndjson')
    .action((options: SampleOptions) => runSample(environment, options));

  addImport(program);
  addImports(program);
  addUndo(program);
  addBackup(program);
  addMigrate(program);

  program
    .command('doctor')
    .description(
      'check the package, settings, database, Redis, mail server, disk and versions, and say how to fix errors',
    )
    .option('--json', 'print one JSON object')
    .dataDirectory()
    .examples('revgate doctor', 'revgate doctor --json')
    .action(async (options: JsonOption, command: RevgateCommand) => {
      // It loads the client of Redis.
      const { runDoctor } = await import('./commands/doctor.ts');
      await runDoctor({ ...environment, env: command.settings() }, options);
    });

  addKeys(program);
  addDocuments(program);
  addFields(program);
  addAccounts(program);
  addTokens(program);
  addMails(program);
  addAudit(program);
  return program;
}

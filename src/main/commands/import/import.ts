import { isUnavailable } from '../../../db/server-checks.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { createOutputFile, type OutputFile } from '../../../lib/files/output-file.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { encodings, type Mapping } from '../../../startups/import/columns/mapping.ts';
import { InvalidInputError } from '../../../startups/import/import.ts';
import { importAndRecord } from '../../../startups/import/import-log.ts';
import { importOptions } from '../../../startups/import/options.ts';
import { toReport } from '../../../startups/import/summary.ts';
import { decimalMarks } from '../../../startups/import/values/amount-checks.ts';
import { type CommandContext, inDirectory, line, printJson, readAs } from '../../command-line/command.ts';
import { runWithProgress } from '../../command-line/progress.ts';
import type { RevgateCommand } from '../../command-line/revgate-command.ts';
import { oneOf } from '../../settings/kinds.ts';
import { collectPairs, collectValues } from './import-mapping.ts';
import { checkImport, type ImportCommandOptions, type ImportFiles } from './import-options.ts';
import { adviseMapping, printSummary } from './import-summary.ts';
import { runImportTo } from './import-to.ts';
import { runSuggest } from './suggest.ts';

export function addImport(program: RevgateCommand): void {
  // Opened once, as a mapping may be a pipe.
  let files: ImportFiles;
  const { asOf } = importOptions;
  program
    .command('import <file...>')
    .description('import startups from NDJSON, JSON or CSV files, plain or gzip; - is standard input')
    .option('--dry-run', importOptions.dryRun.about)
    .option(
      '--map <column=field:notation>',
      'the field of a column with the notation of its values, such as MRR=revenue.mrr:thousands, or none to leave it out; repeatable',
      collectPairs('last'),
    )
    .option(
      '--default <field=value>',
      'the value of a field where it is missing; repeatable',
      collectPairs('first'),
    )
    .option(
      '--dollars',
      'amounts of columns without a notation are in US dollars such as $1,250.00, not in cents',
    )
    .option(
      '--decimal <mark>',
      'how numbers are written: point (1,250.00) or comma (1.250,00)',
      readAs(oneOf(...decimalMarks)),
    )
    .option('--round', 'round amounts with a fraction of a cent, half to even')
    .option('--percent-as-fraction', 'percentages are fractions: 0.24 is 24%')
    .option('--value <field:text=value>', 'the value that a text of a field means; repeatable', collectValues)
    .option(
      '--row <name=answer>',
      'keep or leave out a row that seems to be no startup ("Total=leave out"), or keep the first record of a name ("Alder=first"); repeatable',
      collectPairs('last'),
    )
    .option('--ignore-unknown', 'leave out columns that are not fields')
    .option(
      '--encoding <name>',
      'the encoding of the text: utf-8 or windows-1252',
      readAs(oneOf(...encodings)),
    )
    .option('--path <key>', 'the list of records in a JSON object with several lists, such as data.startups')
    .option('--mapping <file>', 'a JSON file with all of these')
    .option(
      '--suggest',
      'show what each column is and what is to be answered, and write it to a JSON file; import nothing',
    )
    .option('--to <url>', 'import into another server over HTTP, with the token of REVGATE_TOKEN')
    .option('--skip-invalid', importOptions.skipInvalid.about)
    .option('--rejects <file>', 'the file for invalid records; default: next to the input')
    .option('--replace', importOptions.replace.about)
    .option('--yes', importOptions.yes.about)
    .option('--as-of <day>', asOf.about, readAs({ allowed: asOf.allowed, parse: asOf.read }))
    .examples(
      'revgate import startups.ndjson',
      'revgate import --suggest table.csv',
      'revgate import --dry-run january.csv february.csv.gz',
      'revgate import --skip-invalid --rejects rejects.ndjson startups.ndjson',
      'revgate sample | revgate import --replace --yes -',
      'REVGATE_TOKEN=rvg_op_… revgate import --to https://api.example.com startups.ndjson',
      'revgate import --as-of 2026-05-31 startups-of-may.ndjson',
    )
    .onDatabase(
      'one JSON object',
      (context, _names: string[], options: ImportCommandOptions) => runImport(context, files, options),
      {
        ifMissing: (_names, { dryRun }) => (dryRun === true ? 'assume empty' : 'create'),
        without: (surroundings, names, options) => {
          files = checkImport(surroundings, names, options);
          const run = options.suggest ? runSuggest : options.to === undefined ? undefined : runImportTo;
          return run && (() => run(surroundings, files, options));
        },
      },
    );
}

/** `revgate import FILE…`: prints the result; the progress is written to standard error. */
export async function runImport(
  context: CommandContext,
  { inputs, mapping, rejects: rejectsName }: ImportFiles,
  options: ImportCommandOptions,
): Promise<void> {
  const { database, historyDays, stdout, stderr, user, now, signal } = context;
  const startedAt = now();
  const dryRun = options.dryRun === true;
  const rejects = await openRejects(context, rejectsName);
  try {
    const {
      result: { summary, durationMs },
    } = await runWithProgress(context, 'nothing was written', (client, progress) =>
      importAndRecord({
        client,
        kind: database.kind,
        inputs,
        mapping,
        signal,
        progress,
        user,
        via: 'command',
        now,
        dryRun,
        skipInvalid: rejects ?? (options.skipInvalid && { write() {} }),
        replace: options.replace && { yes: options.yes === true },
        asOf: options.asOf === undefined ? undefined : { day: options.asOf, historyDays },
      }),
    );
    // One with any line was published.
    if (rejects?.isPublished === false) {
      await rejects.discard();
    }
    for (const message of summary.messages) {
      line(stderr, message);
    }
    const rejectsFile = summary.rejected > 0 ? rejects?.name : undefined;
    if (options.json === true) {
      printJson(stdout, toReport(summary, { dryRun, durationMs, rejects: rejectsFile }));
      return;
    }
    printSummary(context, summary, options, durationMs);
    if (rejectsFile !== undefined) {
      const how = isMapped(mapping) ? ' with the same options' : '';
      line(stdout, `The rejected records are in ${rejectsFile}; fix them and import that file${how}.`);
    }
  } catch (error) {
    await rejects?.discard();
    if (error instanceof InvalidInputError) {
      if (options.json === true) {
        const details = { dryRun, durationMs: now() - startedAt, error: error.reason };
        printJson(stdout, toReport(error.summary, details));
      }
      throw new InvalidInputError(error.summary, error.reason + adviseMapping(error.summary.errors, inputs));
    }
    if (!(error instanceof OperatorError) && isUnavailable(error)) {
      throw new OperatorError(
        `The connection to the database was lost (${(error as Error).message}): everything was imported, or nothing. ` +
          'Run the command again: records that are stored already stay as they are.',
      );
    }
    throw error;
  }
}

/** An existing file may contain data of the user: it is not replaced. */
async function openRejects(
  { cwd }: CommandContext,
  name: string | undefined,
): Promise<OutputFile | undefined> {
  const ifExists = 'Remove it, or specify another file for the rejected records with --rejects.';
  return name === undefined
    ? undefined
    : createOutputFile(inDirectory(cwd, name), { name, replace: false, ifExists });
}

/** Whether an input is read in another way than one that has records. */
function isMapped(mapping: Mapping): boolean {
  return Object.values(mapping).some((setting) =>
    isObject(setting) ? Object.keys(setting).length > 0 : setting !== undefined && setting !== false,
  );
}

import { resolve } from 'node:path';
import { integer, type Kind, oneOf } from '../config/settings.ts';
import { OperatorError } from '../errors.ts';
import { createOutputFile, type OutputFile } from '../files/output-file.ts';
import { isDay } from '../startups/days.ts';
import { showName } from '../startups/import/errors.ts';
import { type ImportSummary, InvalidInputError, importStartups } from '../startups/import/import.ts';
import { listImports, recordImport } from '../startups/import/import-log.ts';
import type { ImportInput } from '../startups/import/input.ts';
import { encodings, type Mapping } from '../startups/import/mapping.ts';
import { decimalMarks } from '../startups/import/notation.ts';
import { showAmounts } from '../startups/import/preview.ts';
import { amount } from '../text/amount.ts';
import { isObject } from '../text/is-object.ts';
import {
  type CommandContext,
  type CommandEnvironment,
  inDirectory,
  type JsonOption,
  line,
  printJson,
  readAs,
} from './command.ts';
import { openInput } from './import-input.ts';
import { collectPairs, type MappingOptions, readMapping } from './import-mapping.ts';
import { runWithProgress, seconds } from './progress.ts';
import type { RevgateCommand } from './revgate-command.ts';
import { runSuggest } from './suggest.ts';
import { printList } from './table.ts';

const pastDay: Kind<string> = {
  allowed: 'a day in UTC such as 2026-05-31',
  parse: (text) => (isDay(text) ? text : undefined),
};

/** Adds `import` and `imports` to the program. */
export function addImport(program: RevgateCommand): void {
  program
    .command('import <file...>')
    .description('import startups from NDJSON, JSON or CSV files, plain or gzip; - is standard input')
    .option('--dry-run', 'validate and count; import nothing')
    .option('--map <column=field>', 'the field that a column contains; repeatable', collectPairs('last'))
    .option(
      '--default <field=value>',
      'the value of a field where it is missing; repeatable',
      collectPairs('first'),
    )
    .option('--dollars', 'amounts are in US dollars such as $1,250.00, not in cents')
    .option(
      '--decimal <mark>',
      'how numbers are written: point (1,250.00) or comma (1.250,00)',
      readAs(oneOf(...decimalMarks)),
    )
    .option('--percent-as-fraction', 'percentages are fractions: 0.24 is 24 %')
    .option('--category-map <file>', 'a JSON file with categories by the texts that mean them')
    .option('--ignore-unknown', 'leave out columns that are not fields')
    .option(
      '--encoding <name>',
      'the encoding of the text: utf-8 or windows-1252',
      readAs(oneOf(...encodings)),
    )
    .option('--mapping <file>', 'a JSON file with all of these')
    .option('--suggest', 'propose a mapping, and write it to a new JSON file; import nothing')
    .option('--skip-invalid', 'import the valid records and write the invalid ones to a file')
    .option('--rejects <file>', 'the file for invalid records; default: next to the input')
    .option('--errors <file>', 'write every error to this new file, as NDJSON')
    .option('--replace', 'also remove the startups that are not in the input')
    .option('--yes', 'allow --replace to remove more than half of the startups')
    .option('--as-of <day>', 'import the data of a past day (YYYY-MM-DD) into the history', readAs(pastDay))
    .examples(
      'revgate import startups.ndjson',
      'revgate import --suggest table.csv',
      'revgate import --dry-run january.csv february.csv.gz',
      'revgate import --skip-invalid --rejects rejects.ndjson startups.ndjson',
      'revgate sample | revgate import --replace --yes -',
      'revgate import --as-of 2026-05-31 startups-of-may.ndjson',
    )
    .onDatabase(
      'one JSON object',
      (context, names: string[], options: ImportCommandOptions) =>
        runImport(context, checkImport(context, names, options), options),
      {
        ifMissing: (_names, { dryRun }) => (dryRun === true ? 'assume empty' : 'create'),
        check: checkImport,
        without: (surroundings, names, options) =>
          options.suggest === true ? () => runSuggest(surroundings, names, options) : undefined,
      },
    );

  program
    .command('imports')
    .description('list imports with their time, source, user and counts, latest first')
    .option('--limit <n>', 'number of imports to list', readAs(integer(1, 1_000_000)), 50)
    .examples('revgate imports --limit 10', 'revgate imports --json')
    .onDatabase('a JSON array', async (context, { limit, json }: { limit: number } & JsonOption) => {
      printList(context, json, await listImports(context.database.prisma, limit), {
        columns: {
          TIME: ({ finishedAt }) => `${finishedAt.toISOString().slice(0, 16)}Z`,
          'AS OF': ({ asOf }) => asOf ?? '',
          CREATED: ({ created }) => created.toLocaleString('en'),
          UPDATED: ({ updated }) => updated.toLocaleString('en'),
          REMOVED: ({ removed }) => removed.toLocaleString('en'),
          REJECTED: ({ rejected }) => rejected.toLocaleString('en'),
          USER: ({ importedBy }) => importedBy,
          SOURCE: ({ sources }) => sources.join(', '),
        },
        ifEmpty: 'There are no imports yet. Import a file: npx revgate import FILE',
      });
    });
}

interface ImportCommandOptions extends JsonOption, MappingOptions {
  dryRun?: true;
  suggest?: true;
  skipInvalid?: true;
  /** Where rejected records go. */
  rejects?: string;
  /** Where every error goes. */
  errors?: string;
  replace?: true;
  yes?: true;
  /** `YYYY-MM-DD` */
  asOf?: string;
}

/** The input and output files of an import. */
interface ImportFiles {
  readonly inputs: readonly ImportInput[];
  readonly mapping: Mapping;
  /** Where rejected records go; undefined without --skip-invalid. */
  readonly rejects: string | undefined;
}

/**
 * Checks the files of an import, before a database is created for it.
 *
 * @throws OperatorError for the first error.
 */
export function checkImport(
  surroundings: CommandEnvironment,
  files: readonly string[],
  options: ImportCommandOptions,
): ImportFiles {
  if (options.rejects !== undefined && options.skipInvalid !== true) {
    throw new OperatorError('--rejects is for --skip-invalid only: add --skip-invalid.');
  }
  const names = new Map<string, string>();
  const inputs = files.map((file) => openInput(surroundings, file, names));
  return {
    inputs,
    mapping: readMapping(surroundings, options),
    rejects: options.skipInvalid === true ? rejectsName(surroundings, files, options) : undefined,
  };
}

/** `revgate import FILE…`: prints the result; the progress is written to standard error. */
export async function runImport(
  context: CommandContext,
  { inputs, mapping, rejects: rejectsName }: ImportFiles,
  options: ImportCommandOptions,
): Promise<void> {
  const { database, historyDays, stdout, stderr, user, now, signal } = context;
  const startedAt = now();
  const rejects = await openLines(context, rejectsName, 'the rejected records', '--rejects');
  let errors: OutputFile | undefined;
  try {
    errors = await openLines(context, options.errors, 'the errors', '--errors');
    const { result: summary, durationMs } = await runWithProgress(
      context,
      'nothing was written',
      (client, progress) =>
        importStartups({
          client,
          kind: database.kind,
          inputs,
          mapping,
          signal,
          progress,
          beforeCommit: (summary) =>
            recordImport(client, {
              sources: inputs.map(({ name }) => name),
              importedBy: user,
              durationMs: now() - startedAt,
              asOf: options.asOf ?? null,
              summary,
            }),
          ...(options.dryRun === true ? { dryRun: true } : {}),
          ...(rejects === undefined ? {} : { skipInvalid: rejects }),
          ...(errors === undefined ? {} : { errors }),
          ...(options.replace === true ? { replace: { yes: options.yes === true } } : {}),
          ...(options.asOf === undefined ? {} : { asOf: { day: options.asOf, historyDays } }),
        }),
    );
    await discardUnused(rejects);
    await discardUnused(errors);
    for (const message of summary.messages) {
      line(stderr, message);
    }
    const rejectsFile = summary.rejected > 0 ? rejects?.name : undefined;
    if (options.json === true) {
      printJson(stdout, toJson(summary, options, { durationMs, rejects: rejectsFile }));
      return;
    }
    for (const text of summaryLines(summary, options, durationMs)) {
      line(stdout, text);
    }
    if (rejectsFile !== undefined) {
      const how = isMapped(mapping) ? ' with the same options' : '';
      line(stdout, `The rejected records are in ${rejectsFile}; fix them and import that file${how}.`);
    }
  } catch (error) {
    await rejects?.discard();
    if (error instanceof InvalidInputError) {
      await discardUnused(errors);
      if (options.json === true) {
        const durationMs = Math.round(now() - startedAt);
        printJson(stdout, toJson(error.summary, options, { durationMs, error: error.reason }));
      }
    } else {
      await errors?.discard();
    }
    throw error;
  }
}

/**
 * The result for programs.
 *
 * @param rejects the file that holds the rejected records, if there is one.
 * @param error why nothing was imported.
 */
function toJson(
  { messages: _, examples: __, ignored: ___, errorCount, errors, ...counts }: ImportSummary,
  { dryRun }: ImportCommandOptions,
  { rejects, error, durationMs }: { rejects?: string | undefined; error?: string; durationMs: number },
): object {
  const isDryRun = dryRun === true;
  return {
    dryRun: isDryRun,
    ...counts,
    rejects: rejects ?? null,
    error: error ?? null,
    errorCount,
    errors,
    durationMs,
  };
}

function rejectsName(
  { cwd }: CommandEnvironment,
  files: readonly string[],
  { rejects }: ImportCommandOptions,
): string {
  const [first = '-'] = files;
  const beside =
    first === '-'
      ? 'rejects.ndjson'
      : `${first.replace(/(\.(ndjson|jsonl|json|csv))?(\.gz)?$/, '')}.rejects.ndjson`;
  const name = rejects ?? beside;
  const path = resolve(cwd, name);
  if (files.some((file) => file !== '-' && resolve(cwd, file) === path)) {
    throw new OperatorError(`${name} is an input: specify another file with --rejects.`);
  }
  return name;
}

/** An existing file may contain data of the user: it is not replaced. */
async function openLines(
  { cwd }: CommandContext,
  name: string | undefined,
  what: string,
  option: string,
): Promise<OutputFile | undefined> {
  const ifExists = `Remove it, or specify another file for ${what} with ${option}.`;
  return name === undefined
    ? undefined
    : createOutputFile(inDirectory(cwd, name), { name, replace: false, ifExists });
}

/** Removes a file without a line: one that has any was published. */
async function discardUnused(file: OutputFile | undefined): Promise<void> {
  if (file?.isPublished === false) {
    await file.discard();
  }
}

/** Whether an input is read in another way than one that has records. */
function isMapped(mapping: Mapping): boolean {
  return Object.values(mapping).some((setting) =>
    isObject(setting) ? Object.keys(setting).length > 0 : setting !== undefined && setting !== false,
  );
}

function summaryLines(summary: ImportSummary, { dryRun, asOf }: ImportCommandOptions, ms: number): string[] {
  const {
    records,
    created,
    updated,
    unchanged,
    rejected,
    removed,
    removedSample,
    points,
    examples: [example],
    ignored = [],
  } = summary;
  const count = (number: number): string => number.toLocaleString('en');
  const verb = dryRun === true ? 'Would import' : 'Imported';
  const lines = [
    `${verb} ${amount(records - rejected, 'startup')} in ${seconds(ms)}: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(rejected)} rejected, ${count(removed)} removed.`,
  ];
  if (example !== undefined) {
    lines.push(`The first record, in dollars: ${showAmounts(example)}.`);
  }
  if (ignored.length > 0) {
    lines.push(`Columns left out: ${ignored.map(showName).join(', ')}.`);
  }
  if (asOf !== undefined) {
    const which = `${amount(points, 'point')} of the history of ${asOf}`;
    lines.push(dryRun === true ? `Would write ${which}.` : `Wrote ${which}.`);
  }
  if (removedSample > 0) {
    const which = `the ${amount(removedSample, 'sample startup')}`;
    lines.push(dryRun === true ? `Would remove ${which}.` : `Removed ${which}.`);
  }
  return lines;
}

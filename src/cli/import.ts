import { resolve } from 'node:path';
import { integer, type Kind, oneOf } from '../config/settings.ts';
import { OperatorError, throwIfAny } from '../errors.ts';
import { createOutputFile, type OutputFile } from '../files/output-file.ts';
import { isDay } from '../startups/days.ts';
import { InvalidInputError } from '../startups/import/import.ts';
import { listImports } from '../startups/import/import-log.ts';
import type { ImportInput } from '../startups/import/input.ts';
import { encodings, type Mapping } from '../startups/import/mapping.ts';
import { decimalMarks } from '../startups/import/notation.ts';
import { importAndRecord } from '../startups/import/recorded-import.ts';
import { toReport } from '../startups/import/report.ts';
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
import { collectPairs, collectValues, type MappingOptions, readMapping } from './import-mapping.ts';
import { summaryLines } from './import-summary.ts';
import { importTo } from './import-to.ts';
import { runWithProgress } from './progress.ts';
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
    .option(
      '--map <column=field>',
      'the field that a column contains, or none to leave it out; repeatable',
      collectPairs('last'),
    )
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
    .option('--value <field:text=value>', 'the value that a text of a field means; repeatable', collectValues)
    .option('--category-map <file>', 'a JSON file with categories by the texts that mean them')
    .option('--ignore-unknown', 'leave out columns that are not fields')
    .option(
      '--encoding <name>',
      'the encoding of the text: utf-8 or windows-1252',
      readAs(oneOf(...encodings)),
    )
    .option('--mapping <file>', 'a JSON file with all of these')
    .option('--suggest', 'propose a mapping, and write it to a new JSON file; import nothing')
    .option('--to <url>', 'import into another server over HTTP, with the token of REVGATE_TOKEN')
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
      'REVGATE_TOKEN=rvg_op_… revgate import --to https://api.example.com startups.ndjson',
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
          options.suggest === true
            ? () => runSuggest(surroundings, names, options)
            : options.to !== undefined
              ? () => runImportTo(surroundings, names, { ...options, to: options.to ?? '' })
              : undefined,
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
          VIA: ({ via }) => via,
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
  /** The server that imports. */
  to?: string;
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
  const dryRun = options.dryRun === true;
  const rejects = await openLines(context, rejectsName, 'the rejected records', '--rejects');
  let errors: OutputFile | undefined;
  try {
    errors = await openLines(context, options.errors, 'the errors', '--errors');
    const { result: summary, durationMs } = await runWithProgress(
      context,
      'nothing was written',
      (client, progress) =>
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
          startedAt,
          dryRun,
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
      printJson(stdout, toReport(summary, { dryRun, durationMs, rejects: rejectsFile }));
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
        const details = { dryRun, durationMs: now() - startedAt, error: error.reason };
        printJson(stdout, toReport(error.summary, details));
      }
    } else {
      await errors?.discard();
    }
    throw error;
  }
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

/** `revgate import --to URL FILE`: the server imports, with the same options and result. */
async function runImportTo(
  environment: CommandEnvironment,
  files: readonly string[],
  options: ImportCommandOptions & { to: string },
): Promise<void> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) {
    throw new OperatorError('--to sends one file: specify one.');
  }
  if (options.rejects !== undefined || options.errors !== undefined) {
    throw new OperatorError(
      '--to cannot be combined with --rejects or --errors: the server writes no files.',
    );
  }
  const { stdout } = environment;
  const { dryRun, replace, yes, skipInvalid, asOf, to } = options;
  const flags = { dryRun, replace, yes: replace && yes, skipInvalid };
  const { report, errors } = await importTo(environment, {
    to,
    input: openInput(environment, file),
    mapping: readMapping(environment, options),
    options: {
      ...Object.fromEntries(
        Object.entries(flags).flatMap(([name, isSet]) => (isSet ? [[name, 'true']] : [])),
      ),
      ...(asOf !== undefined && { asOf }),
    },
  });
  if (options.json === true && report !== undefined) {
    printJson(stdout, report);
  }
  throwIfAny(errors);
  if (report !== undefined && options.json !== true) {
    for (const text of summaryLines({ ...report, examples: [], messages: [] }, options, report.durationMs)) {
      line(stdout, text);
    }
  }
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

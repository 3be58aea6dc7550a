import { decimalMarks } from '../../../startups/import/notation/notations.ts';
import { type ImportOption, importOptions } from '../../../startups/import/options.ts';
import { encodings } from '../../../startups/import/rows/input.ts';
import { readAs } from '../../command-line/command.ts';
import type { RevgateCommand } from '../../command-line/revgate-command.ts';
import { oneOf } from '../../settings/kinds.ts';
import { collectPairs, collectValues } from './import-arguments.ts';
import type { ImportCommandOptions, ImportFiles } from './import-options.ts';

/** The text of an option if it can be read, as a server reads it again. */
const asGiven =
  ({ read }: ImportOption) =>
  (text: string): string | undefined =>
    read(text) === undefined ? undefined : text;

// What reads and imports is loaded when it runs: most of the time of a start, which help does not need.
export function addImport(program: RevgateCommand): void {
  // Opened once, as a mapping may be a pipe.
  let files: ImportFiles;
  const { asOf, maxRemoved, returns } = importOptions;
  const readReturns = readAs({ ...returns, parse: asGiven(returns) });
  const collectReturns = (text: string, earlier?: string): string =>
    readReturns(earlier === undefined ? text : `${earlier},${text}`);

  const command = program.command('import <file...>');
  command
    .description('import startups from NDJSON, JSON or CSV files, plain or gzip; - is standard input')
    .option('--dry-run', importOptions.dryRun.about)
    .option(
      '--map <column=field:notation>',
      'the field of a column with the notation of its values, such as MRR=revenue.mrr:thousands, or nothing after = to leave it out; repeatable',
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
      'keep or leave out a row that seems to be no startup ("Total=leave out"), or keep the first, last or no record of a name ("Alder=first"); repeatable',
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
    .option('--update', importOptions.update.about)
    .option('--yes', importOptions.yes.about)
    .option('--max-removed <n>', maxRemoved.about, readAs({ ...maxRemoved, parse: asGiven(maxRemoved) }))
    .option('--returns <slug=answer>', `${returns.about}; repeatable`, collectReturns)
    .option('--as-of <day>', asOf.about, readAs({ allowed: asOf.allowed, parse: asOf.read }))
    .examples(
      'revgate import startups.ndjson',
      'revgate import --suggest table.csv',
      'revgate import --dry-run january.csv february.csv.gz',
      'revgate import --skip-invalid --rejects rejects.ndjson startups.ndjson',
      'revgate sample | revgate import --replace --yes -',
      'REVGATE_TOKEN=rvg_op_… revgate import --to https://api.example.com startups.ndjson',
      'revgate import --update mrr-of-today.csv',
      'revgate import --as-of 2026-05-31 startups-of-may.ndjson',
    )
    .onDatabase(
      'one JSON object',
      async (context, _names: string[], options: ImportCommandOptions) =>
        (await import('./run-import.ts')).runImport(context, files, options),
      {
        ifMissing: (_names, { dryRun }) => (dryRun === true ? 'assume empty' : 'create'),
        without: async (surroundings, names, options) => {
          files = (await import('./import-options.ts')).checkImport(surroundings, names, options);
          if (options.suggest) {
            const { runSuggest } = await import('./suggest.ts');
            const { readFieldsIfAny } = await import('./read-fields.ts');
            return () =>
              runSuggest(surroundings, files, options, (mapping) =>
                readFieldsIfAny(surroundings, command, mapping),
              );
          }
          if (options.to !== undefined) {
            const { runImportTo } = await import('./import-to.ts');
            return () => runImportTo(surroundings, files, options);
          }
          return undefined;
        },
      },
    );
}

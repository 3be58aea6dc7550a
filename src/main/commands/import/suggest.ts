import { OperatorError } from '../../../lib/errors.ts';
import { createOutputFile } from '../../../lib/files/output-file.ts';
import { amount } from '../../../lib/text/amount.ts';
import { cut, showName, showText } from '../../../startups/import/errors.ts';
import type { ShownRecord } from '../../../startups/import/preview.ts';
import { type MappingSuggestion, suggestMapping } from '../../../startups/import/suggest-mapping.ts';
import { type StartupField, type StartupFieldPath, startupFields } from '../../../startups/model/fields.ts';
import {
  type CommandEnvironment,
  inDirectory,
  type JsonOption,
  line,
  printJson,
} from '../../command-line/command.ts';
import { formatTable } from '../../command-line/table.ts';
import { openInput } from './import-input.ts';

/** `revgate import --suggest FILE`: writes a mapping to a new file next to the input, and shows what it would import. */
export async function runSuggest(
  environment: CommandEnvironment,
  files: readonly string[],
  { json, to }: JsonOption & { to?: string },
): Promise<void> {
  if (to !== undefined) {
    throw new OperatorError(
      '--suggest reads the file on this machine: omit --to, then send the file with --mapping.',
    );
  }
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) {
    throw new OperatorError('--suggest reads one table: specify one file.');
  }
  const { cwd, stdout, signal } = environment;
  const suggestion = await suggestMapping(openInput(environment, file), signal);
  const base = file === '-' ? 'import' : file.replace(/(\.(ndjson|jsonl|json|csv))?(\.gz)?$/i, '');
  const name = `${base}.mapping.json`;
  const output = await createOutputFile(inDirectory(cwd, name), {
    name,
    replace: false,
    ifExists: 'Remove it, or import with it: --mapping.',
  });
  await output.write(`${JSON.stringify(suggestion.mapping, null, 2)}\n`);
  await output.publish();
  if (json === true) {
    printJson(stdout, { file: name, ...suggestion });
    return;
  }
  for (const text of describeSuggestion(suggestion)) {
    line(stdout, text);
  }
  line(stdout);
  line(stdout, `Wrote ${name}. Check and change it, then import: revgate import --mapping ${name} ${file}`);
}

function describeSuggestion({
  columns,
  missing,
  notes,
  unknownTexts,
  records,
  read,
  rejected,
  messages,
}: MappingSuggestion): string[] {
  const rows = columns.map(({ name, field, confidence, examples: [example = ''] }) => [
    showName(name),
    field ?? '–',
    field === null ? '' : `${Math.round(confidence * 100)} %`,
    inCell(example),
  ]);
  const said = [...notes, ...describeUnknown(unknownTexts)];
  return [
    ...formatTable(['COLUMN', 'FIELD', 'CONFIDENCE', 'EXAMPLE'], rows),
    ...(missing.length > 0 ? ['', ...describeMissing(missing)] : []),
    ...(said.length > 0 ? ['', ...said] : []),
    ...(records.length > 0 ? ['', ...describeRecords(records)] : []),
    ...(messages.length > 0
      ? [
          '',
          `Of ${amount(read, 'record')} read, ${rejected.toLocaleString('en')} would be rejected:`,
          ...messages,
        ]
      : []),
  ];
}

/** Texts of a field that are listed. */
const SHOWN_UNKNOWN = 10;

/** Texts that are not allowed, a sentence for each field. */
function describeUnknown(unknownTexts: MappingSuggestion['unknownTexts']): string[] {
  return Object.entries(unknownTexts).map(([path, unknown]) => {
    const shown = unknown.slice(0, SHOWN_UNKNOWN).map(({ text }) => showText(text));
    const more = unknown.length > SHOWN_UNKNOWN ? ' and others' : '';
    return `Not allowed in ${path}: ${shown.join(', ')}${more}. Correct them, or say in values what they mean.`;
  });
}

/** The option that sets each field, with its values if these are few. */
function describeMissing(missing: readonly StartupFieldPath[]): string[] {
  return [
    'No column has these fields, which every startup needs. Set each in defaults of the mapping, or add:',
    ...missing.map((path) => {
      const { kind, values = [] }: StartupField = startupFields[path];
      const allowed = kind === 'boolean' ? ['true', 'false'] : values;
      return `  --default ${path}=…${allowed.length > 0 ? `  (${allowed.join(', ')})` : ''}`;
    }),
  ];
}

/** A line for each field that a record has, with a column for each record. */
function describeRecords(records: readonly ShownRecord[]): string[] {
  const paths = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  const cells = (path: string): string[] =>
    records.map((record) => inCell(record.find((field) => field.path === path)?.text ?? '–'));
  const [first = [], ...rows] = paths.map((path) => [path, ...cells(path)]);
  return [`The first records as customers would see them:`, ...formatTable(first, rows)];
}

const CELL = 28;

function inCell(text: string): string {
  const plain = cut(text).replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ');
  return plain.length > CELL ? `${plain.slice(0, CELL)}…` : plain;
}

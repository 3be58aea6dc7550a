import { amount } from '../../../lib/errors.ts';
import { createOutputFile } from '../../../lib/files/output-file.ts';
import { oneLine } from '../../../lib/text/one-line.ts';
import { type ImportFields, standardFields } from '../../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import type { ColumnReport } from '../../../startups/import/columns/report.ts';
import { noteText, problemText, tableQuestionText } from '../../../startups/import/columns/words.ts';
import { type Examination, examineTable, toExaminationReport } from '../../../startups/import/examine.ts';
import { cut, showName, showText } from '../../../startups/import/rows/errors.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import type { ShownRecord } from '../../../startups/import/values/validate.ts';
import { type CommandEnvironment, inDirectory, line, printJson } from '../../command-line/command.ts';
import { formatTable } from '../../command-line/table.ts';
import { baseName, checkFor, type ImportCommandOptions, type ImportFiles } from './import-options.ts';

/**
 * `revgate import --suggest FILE`: shows what each column is, and writes the answers and questions to a mapping beside
 * the input, or to the file of --mapping, whose answers and those of other options it keeps.
 *
 * @param readFields reads those that an import with a mapping can fill.
 */
export async function runSuggest(
  environment: CommandEnvironment,
  { inputs, mapping }: ImportFiles,
  options: ImportCommandOptions,
  readFields: (mapping: Mapping) => Promise<ImportFields>,
): Promise<void> {
  const { json, mapping: kept, update } = options;
  const [input] = inputs as [ImportInput];
  const { cwd, stdout, signal } = environment;
  const fields = await readFields(mapping);
  checkFor(options, fields, mapping);
  const examination = await examineTable(fields, input, mapping, { signal, update });
  const base = input.name === '-' ? 'import' : baseName(input.name);
  const name = kept ?? `${base}.mapping.json`;
  const output = await createOutputFile(inDirectory(cwd, name), {
    name,
    replace: kept !== undefined,
    ifExists: `Remove it, import with it, or examine the table with its answers: --suggest --mapping ${name}.`,
  });
  await output.write(`${JSON.stringify(examination.mapping, null, 2)}\n`);
  await output.publish();
  if (json === true) {
    printJson(stdout, { file: name, ...toExaminationReport(examination) });
    return;
  }
  for (const text of describe(examination)) {
    line(stdout, text);
  }
  line(stdout);
  const left = examination.questions.length;
  // What an update in part needs is too little for an import of whole records.
  const next = `revgate import${update ? ' --update' : ''} --mapping ${name} ${input.name}`;
  line(
    stdout,
    left === 0 && examination.problems.length > 0
      ? `Wrote ${name}. An import would fail, or leave invalid records out: ${next} --skip-invalid`
      : left === 0
        ? `Wrote ${name}. Every column has an answer. Import: ${next}`
        : `Wrote ${name}, with ${amount(left, 'question')}. Answer each "?" in it or with the options above, then import: ${next}`,
  );
}

function describe({ columns, mapping, questions, problems, notes, records }: Examination): string[] {
  const asked = Object.entries(mapping.defaults ?? {}).flatMap(([path, value]) =>
    value === '?' ? path : [],
  );
  return [
    ...formatTable(
      ['COLUMN', 'ANSWER', 'EMPTY', 'IN THE FILE → AS STORED'],
      columns.map((column) => [
        showName(column.name),
        inCell(column.answer),
        String(column.empty),
        proofOf(column),
      ]),
    ),
    ...paragraph(
      questions.map((question) => `? ${tableQuestionText(question)}`),
      `To be answered:`,
    ),
    ...paragraph(
      asked.map(defaultOf),
      'No column has these fields for each startup. Set them in defaults of the mapping, or add:',
    ),
    ...paragraph(problems.map(problemText), 'An import would refuse these:'),
    ...paragraph(notes.map(noteText)),
    ...(records.length > 0 ? ['', ...describeRecords(records)] : []),
  ];
}

const paragraph = (lines: readonly string[], heading?: string): string[] =>
  lines.length === 0 ? [] : ['', ...(heading === undefined ? [] : [heading]), ...lines];

/** What the values of a column become: the first ones, the range, and what does not fit. */
function proofOf({ cells, smallest, largest, misfits, firstMisfits, state }: ColumnReport): string {
  const shown = cells.map(({ written, shown: stored }) =>
    state === 'field'
      ? `${inCell(written)} → ${stored === null ? 'not allowed' : inCell(stored)}`
      : inCell(written),
  );
  const where = firstMisfits.map((one) => `line ${one.line}: ${showText(one.written)}`).join(', ');
  return [
    shown.join(' · '),
    ...(smallest === null ? [] : [`${smallest} to ${largest}`]),
    ...(misfits === 0 ? [] : [`${misfits.toLocaleString('en')} not allowed (${where})`]),
  ].join('; ');
}

/** The option that sets a field, with its values if these are few. */
function defaultOf(path: string): string {
  const { kind, values = [] } = standardFields.byPath.get(path) ?? {};
  const allowed = kind === 'boolean' ? ['true', 'false'] : values;
  return `  --default ${path}=…${allowed.length > 0 ? `  (${allowed.join(', ')})` : ''}`;
}

function describeRecords(records: readonly ShownRecord[]): string[] {
  const paths = [...new Set(records.flatMap((record) => record.map(({ path }) => path)))];
  const cells = (path: string): string[] =>
    records.map((record) => inCell(record.find((field) => field.path === path)?.text ?? '–'));
  const [first = [], ...rows] = paths.map((path) => [path, ...cells(path)]);
  return ['The first records as customers would see them:', ...formatTable(first, rows)];
}

const CELL = 60;

function inCell(text: string): string {
  const plain = oneLine(cut(text));
  return plain.length > CELL ? `${plain.slice(0, CELL)}…` : plain;
}

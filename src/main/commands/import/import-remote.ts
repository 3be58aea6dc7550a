import { OperatorError, throwIfAny } from '../../../lib/errors.ts';
import { type CommandEnvironment, line, printJson } from '../../command-line/command.ts';
import { openInput } from './import-input.ts';
import { readMapping } from './import-mapping.ts';
import type { ImportCommandOptions } from './import-options.ts';
import { adviseMapping, summaryLines } from './import-summary.ts';
import { importTo } from './import-to.ts';

/** `revgate import --to URL FILE`: the server imports, with the same options and result. */
export async function runImportTo(
  environment: CommandEnvironment,
  files: readonly string[],
  options: ImportCommandOptions & { to: string },
): Promise<void> {
  const [file, ...others] = files;
  if (file === undefined || others.length > 0) {
    throw new OperatorError('--to sends one file: specify one.');
  }
  if (options.rejects !== undefined) {
    throw new OperatorError('--to cannot be combined with --rejects: the server writes no files.');
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
  const advice = report === undefined ? '' : adviseMapping(report.errors, files);
  throwIfAny(errors.map((text, index) => (index === errors.length - 1 ? text + advice : text)));
  if (report !== undefined && options.json !== true) {
    for (const text of summaryLines(
      { ...report, examples: [], messages: [], ignored: [] },
      options,
      report.durationMs,
    )) {
      line(stdout, text);
    }
  }
}

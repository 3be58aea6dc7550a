import { isUnavailable } from '../../../db/unavailable.ts';
import { OperatorError } from '../../../lib/errors.ts';
import { createOutputFile } from '../../../lib/files/output-file.ts';
import { isObject } from '../../../lib/text/is-object.ts';
import { importFieldsFor } from '../../../startups/import/columns/import-fields.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import { noteText } from '../../../startups/import/columns/words.ts';
import { readDeclared } from '../../../startups/import/declared.ts';
import { InvalidInputError } from '../../../startups/import/import.ts';
import { importAndRecord } from '../../../startups/import/import-log.ts';
import { importOptions } from '../../../startups/import/options.ts';
import { toReport } from '../../../startups/import/values/summary.ts';
import { type CommandContext, inDirectory, line, printJson } from '../../command-line/command.ts';
import { runWithProgress } from '../../command-line/progress.ts';
import { checkFor, type ImportCommandOptions, type ImportFiles } from './import-options.ts';
import { adviseMapping, printSummary } from './import-summary.ts';

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
    } = await runWithProgress(context, 'nothing was written', async (client, progress) => {
      const fields = importFieldsFor(await readDeclared(client), mapping);
      checkFor(options, fields, mapping);
      return importAndRecord({
        client,
        kind: database.kind,
        fields,
        inputs,
        mapping,
        signal,
        progress,
        user,
        via: 'command',
        now,
        dryRun,
        skipInvalid: rejects ?? (options.skipInvalid && { write() {} }),
        replace: options.replace && {
          yes: options.yes === true,
          most:
            options.maxRemoved === undefined ? undefined : importOptions.maxRemoved.read(options.maxRemoved),
        },
        update: options.update,
        returns: options.returns === undefined ? undefined : importOptions.returns.read(options.returns),
        historyDays,
        asOf: options.asOf === undefined ? undefined : { day: options.asOf, historyDays },
      });
    });
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
    const shown = { ...summary, notes: summary.notes.map(noteText) };
    printSummary(context, shown, options, durationMs);
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
      const advice = adviseMapping(error.summary.errors, inputs, options);
      throw new InvalidInputError(error.summary, error.reason + advice);
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
async function openRejects({ cwd }: CommandContext, name: string | undefined) {
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

import { once } from 'node:events';
import { createReadStream, createWriteStream, openSync, rmSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { finished } from 'node:stream/promises';
import { amount } from '../amount.ts';
import { OperatorError } from '../errors.ts';
import { recordImport } from '../startups/import/history.ts';
import { type ImportSummary, importStartups } from '../startups/import/import.ts';
import type { ImportInput } from '../startups/import/input.ts';
import { type CommandContext, inDirectory, line, printJson } from './command.ts';
import { createProgress } from './progress.ts';

export interface ImportCommandOptions {
  dryRun?: true;
  skipInvalid?: true;
  /** Where rejected records go. */
  rejects?: string;
  /** Where every error goes. */
  errors?: string;
  replace?: true;
  yes?: true;
  /** `YYYY-MM-DD` */
  asOf?: string;
  json?: true;
}

/** `revgate import FILE…`: prints the result; the progress is written to standard error. */
export async function runImport(
  context: CommandContext,
  files: readonly string[],
  options: ImportCommandOptions,
  { historyDays }: { historyDays: number },
): Promise<void> {
  const { database, stdout, stderr, user, now, signal } = context;
  const startedAt = now();
  const inputs = files.map((file) => openInput(context, file));
  const progress = createProgress(stderr, context.isTerminal, now);
  const { rejects, errors } = openOutputs(context, files, options);
  const client = await database.connect(signal);
  try {
    const summary = await importStartups({
      client,
      kind: database.kind,
      inputs,
      signal,
      progress: progress.update,
      beforeCommit: (summary) =>
        recordImport(client, {
          sources: files,
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
    });
    progress.end();
    for (const message of summary.messages) {
      line(stderr, message);
    }
    await rejects?.close(summary.rejected > 0);
    await errors?.close(true);
    const durationMs = Math.round(now() - startedAt);
    if (options.json === true) {
      const { messages: _, errorCount: _count, ...counts } = summary;
      const rejectsFile = summary.rejected > 0 ? rejects?.name : undefined;
      printJson(stdout, {
        dryRun: options.dryRun === true,
        ...counts,
        rejects: rejectsFile ?? null,
        durationMs,
      });
      return;
    }
    for (const text of describeSummary(summary, options, durationMs)) {
      line(stdout, text);
    }
    if (summary.rejected > 0) {
      line(stdout, `The rejected records are in ${rejects?.name}; fix them and import that file.`);
    }
  } catch (error) {
    progress.end();
    await rejects?.close(false);
    await errors?.close(!signal.aborted);
    if (signal.aborted) {
      throw new OperatorError('Stopped: nothing was written.');
    }
    throw error;
  } finally {
    await client.end();
  }
}

function openInput({ cwd, stdin }: CommandContext, file: string): ImportInput {
  if (file === '-') {
    return { name: '-', open: () => stdin };
  }
  const path = inDirectory(cwd, file);
  try {
    const stats = statSync(path);
    if (stats.isDirectory()) {
      throw new OperatorError(`${file} is a directory: specify the files in it.`);
    }
    return {
      name: file,
      open: () => createReadStream(path),
      ...(stats.isFile() ? { bytes: stats.size } : {}),
    };
  } catch (error) {
    throw error instanceof OperatorError
      ? error
      : new OperatorError(`Cannot read ${file} (${(error as NodeJS.ErrnoException).code}).`);
  }
}

function rejectsName(
  { cwd }: CommandContext,
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

/** A file of NDJSON that a command writes along with its work. */
interface OutputFile {
  /** As it was given. */
  readonly name: string;
  write(text: string): Promise<void>;
  /** Ends the file, and removes it unless it is to be kept and is not empty. */
  close(keep: boolean): Promise<void>;
}

function openOutputs(
  context: CommandContext,
  files: readonly string[],
  options: ImportCommandOptions,
): { readonly rejects: OutputFile | undefined; readonly errors: OutputFile | undefined } {
  const rejects =
    options.skipInvalid === true
      ? openOutput(context, rejectsName(context, files, options), 'the rejected records', '--rejects')
      : undefined;
  if (options.errors === undefined) {
    return { rejects, errors: undefined };
  }
  try {
    return { rejects, errors: openOutput(context, options.errors, 'the errors', '--errors') };
  } catch (error) {
    rejects?.close(false).catch(() => {});
    throw error;
  }
}

/** An existing file may contain data of the user: it is not replaced. A device may be written to. */
function openOutput({ cwd }: CommandContext, name: string, what: string, option: string): OutputFile {
  const path = inDirectory(cwd, name);
  const isDevice = statSync(path, { throwIfNoEntry: false })?.isFile() === false;
  let fd: number;
  try {
    fd = openSync(path, isDevice ? 'w' : 'wx');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new OperatorError(
      code === 'EEXIST'
        ? `${name} already exists: nothing was written. Remove it, or specify another file for ${what} with ${option}.`
        : `Cannot write ${name} (${code}).`,
    );
  }
  const file = createWriteStream(path, { fd });
  let failure: Error | undefined;
  let isEmpty = true;
  file.on('error', (error) => {
    failure = error;
  });
  return {
    name,
    async write(text) {
      if (failure !== undefined) {
        throw new OperatorError(`Cannot write ${name} (${(failure as NodeJS.ErrnoException).code}).`);
      }
      isEmpty = false;
      if (!file.write(text)) {
        await once(file, 'drain');
      }
    },
    async close(keep) {
      file.end();
      await finished(file).catch(() => {});
      if ((!keep || isEmpty) && !isDevice) {
        rmSync(path, { force: true });
      }
    },
  };
}

function describeSummary(
  summary: ImportSummary,
  { dryRun, asOf }: ImportCommandOptions,
  ms: number,
): string[] {
  const { records, created, updated, unchanged, rejected, removed, removedSample, points } = summary;
  const count = (number: number): string => number.toLocaleString('en');
  const verb = dryRun === true ? 'Would import' : 'Imported';
  const lines = [
    `${verb} ${count(records - rejected)} startups in ${(ms / 1000).toFixed(1)} s: ${count(created)} created, ${count(updated)} updated, ${count(unchanged)} unchanged, ${count(rejected)} rejected, ${count(removed)} removed.`,
  ];
  if (asOf !== undefined) {
    const which = `${amount(points, 'point')} of the history of ${asOf}`;
    lines.push(dryRun === true ? `Would write ${which}.` : `Wrote ${which}.`);
  }
  if (removedSample > 0) {
    const which = `the ${count(removedSample)} sample startups`;
    lines.push(dryRun === true ? `Would remove ${which}.` : `Removed ${which}.`);
  }
  return lines;
}

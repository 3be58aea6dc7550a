import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from '../../../lib/errors.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import { type CommandEnvironment, type JsonOption, requireFile } from '../../command-line/command.ts';
import { type MappingOptions, readMapping } from './import-mapping.ts';

export interface ImportCommandOptions extends JsonOption, MappingOptions {
  dryRun?: true;
  suggest?: true;
  to?: string;
  skipInvalid?: true;
  rejects?: string;
  replace?: true;
  yes?: true;
  /** `YYYY-MM-DD` */
  asOf?: string;
}

export interface ImportFiles {
  readonly inputs: readonly ImportInput[];
  readonly mapping: Mapping;
  /** Where rejected records go; undefined if they are not written. */
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
  const { suggest, to, skipInvalid, dryRun, rejects } = options;
  if (suggest && to !== undefined) {
    throw new OperatorError(
      '--suggest reads the file on this machine: omit --to, then send the file with --mapping.',
    );
  }
  if (files.length > 1 && (suggest || to !== undefined)) {
    throw new OperatorError(
      suggest ? '--suggest reads one table: specify one file.' : '--to sends one file: specify one.',
    );
  }
  const twice = files.find((file, index) => files.indexOf(file) !== index);
  if (twice !== undefined) {
    throw new OperatorError(`${twice} is given twice: specify each file once.`);
  }
  if (rejects !== undefined && to !== undefined) {
    throw new OperatorError('--to cannot be combined with --rejects: the server writes no files.');
  }
  if (rejects !== undefined && skipInvalid !== true) {
    throw new OperatorError('--rejects is for --skip-invalid only: add --skip-invalid.');
  }
  return {
    inputs: files.map((file) => openInput(surroundings, file)),
    mapping: readMapping(surroundings, options, { mayAsk: suggest === true }),
    rejects: skipInvalid && !dryRun ? rejectsName(surroundings, files, rejects) : undefined,
  };
}

function openInput(surroundings: CommandEnvironment, name: string): ImportInput {
  if (name === '-') {
    return { name, open: () => surroundings.stdin };
  }
  const { path, stats } = requireFile(surroundings, name);
  return { name, open: () => createReadStream(path), ...(stats.isFile() && { bytes: stats.size }) };
}

function rejectsName({ cwd }: CommandEnvironment, files: readonly string[], rejects?: string): string {
  const [first = '-'] = files;
  const beside = first === '-' ? 'rejects.ndjson' : `${baseName(first)}.rejects.ndjson`;
  const name = rejects ?? beside;
  const path = resolve(cwd, name);
  if (files.some((file) => file !== '-' && resolve(cwd, file) === path)) {
    throw new OperatorError(`${name} is an input: specify another file with --rejects.`);
  }
  return name;
}

/** The name of a file without its extensions. */
export const baseName = (name: string): string => name.replace(/(\.(ndjson|jsonl|json|csv))?(\.gz)?$/i, '');

import { resolve } from 'node:path';
import { OperatorError } from '../../../lib/errors.ts';
import type { Mapping } from '../../../startups/import/columns/mapping.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import type { CommandEnvironment, JsonOption } from '../../command-line/command.ts';
import { openInput } from './import-input.ts';
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
    mapping: readMapping(surroundings, options, { mayAsk: options.suggest === true }),
    rejects: options.skipInvalid === true ? rejectsName(surroundings, files, options) : undefined,
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

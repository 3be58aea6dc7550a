import { createReadStream, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { OperatorError } from '../../../lib/errors.ts';
import { readAnswer } from '../../../startups/import/columns/answers.ts';
import { checkMapping, checkValues } from '../../../startups/import/columns/check-mapping.ts';
import {
  type ImportFields,
  importFieldsFor,
  standardFields,
} from '../../../startups/import/columns/import-fields.ts';
import { type Mapping, readMappingText, readMappingValue } from '../../../startups/import/columns/mapping.ts';
import { isOwnPath } from '../../../startups/import/columns/own-import-fields.ts';
import { ASKED } from '../../../startups/import/notation/checks.ts';
import type { DecimalMark } from '../../../startups/import/notation/notations.ts';
import type { ImportInput } from '../../../startups/import/rows/input.ts';
import { type CommandEnvironment, type JsonOption, requireFile } from '../../command-line/command.ts';
import { mergeValues, type ValuesByField } from './import-arguments.ts';

export interface ImportCommandOptions
  extends JsonOption,
    Pick<Mapping, 'ignoreUnknown' | 'encoding' | 'path'> {
  dollars?: true;
  round?: true;
  percentAsFraction?: true;
  decimal?: DecimalMark;
  row?: Record<string, string>;
  /** A file with a mapping, which the other options change. */
  mapping?: string;
  map?: Record<string, string>;
  default?: Record<string, string>;
  value?: ValuesByField;
  dryRun?: true;
  suggest?: true;
  to?: string;
  skipInvalid?: true;
  rejects?: string;
  replace?: true;
  update?: true;
  yes?: true;
  /** As it was given, such as `20` or `5%`. */
  maxRemoved?: string;
  /** As it was given, such as `acme=same,other=new`. */
  returns?: string;
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
  const { suggest, to, skipInvalid, dryRun, rejects, replace, yes, maxRemoved } = options;
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
  if (maxRemoved !== undefined && (replace !== true || yes === true)) {
    throw new OperatorError(
      replace === true
        ? '--max-removed cannot be combined with --yes, which allows any number.'
        : '--max-removed is for --replace only: add --replace.',
    );
  }
  if (rejects !== undefined && to !== undefined) {
    throw new OperatorError('--to cannot be combined with --rejects: the server writes no files.');
  }
  if (rejects !== undefined && skipInvalid !== true) {
    throw new OperatorError('--rejects is for --skip-invalid only: add --skip-invalid.');
  }
  return {
    inputs: files.map((file) => openInput(surroundings, file)),
    mapping: readMapping(surroundings, options),
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

/**
 * The mapping of an import: the one of its file, with the changes of the other options. One to be suggested may have
 * questions.
 *
 * @throws OperatorError for a file that is not a mapping, and fields or values that do not exist.
 */
function readMapping(
  surroundings: CommandEnvironment,
  { mapping: file, map, default: defaults, value, row, ...options }: ImportCommandOptions,
): Mapping {
  const base =
    file === undefined
      ? {}
      : readMappingText(readFileSync(requireFile(surroundings, file).path, 'utf8'), file);
  const filled = new Set(
    Object.entries(map ?? {}).map(([name, text]) => readAnswer(standardFields, text, name).path),
  );
  // A column is named for what another one, or a default, was asked.
  const columns = Object.entries(base.columns ?? {}).map(([name, text]) => {
    const { path, question } = readAnswer(standardFields, text, name);
    return [name, question !== undefined && filled.has(path) ? `left out: another column is ${path}` : text];
  });
  const isLeft = (path: string, text: string): boolean => text !== ASKED || !filled.has(path);
  const asked = Object.entries(base.defaults ?? {}).filter(([path, text]) => isLeft(path, text));
  const meanings = Object.entries(base.values ?? {}).map(([path, texts]) => [
    path,
    Object.fromEntries(Object.entries(texts).filter(([, text]) => isLeft(path, text))),
  ]);
  const { dollars, round, decimal, percentAsFraction: fraction, ignoreUnknown, encoding, path } = options;
  const words = [base.notation, dollars && 'dollars', decimal, round && 'round', fraction && 'fraction'];
  const notation = words.filter((word) => word !== undefined).join() || undefined;
  const given = { ignoreUnknown, encoding, path, notation };
  const mapping: Mapping = {
    ...base,
    ...Object.fromEntries(Object.entries(given).filter(([, one]) => one !== undefined)),
    columns: { ...Object.fromEntries(columns), ...map },
    defaults: { ...Object.fromEntries(asked), ...defaults },
    values: mergeValues(Object.fromEntries(meanings), value),
    ...((row ?? base.rows) && readMappingValue({ rows: { ...base.rows, ...row } }, '--row')),
  };
  const fields = importFieldsFor([], mapping);
  // The others may be declared in the database, which is not open yet, or in that of another server.
  if (pathsIn(mapping).every((one) => !isOwnPath(one) || fields.byPath.has(one))) {
    checkFor(options, fields, mapping);
  }
  return mapping;
}

/** Checks a mapping whose fields are known. @throws OperatorError for fields or values that do not exist. */
export function checkFor(
  { suggest }: Pick<ImportCommandOptions, 'suggest'>,
  fields: ImportFields,
  mapping: Mapping,
): void {
  if (suggest) {
    checkValues(fields, mapping, true);
  } else {
    checkMapping(fields, mapping);
  }
}

/** The fields that a mapping names. */
const pathsIn = ({ columns = {}, defaults = {}, values = {} }: Mapping): string[] => [
  ...Object.entries(columns).map(([name, text]) => readAnswer(standardFields, text, name).path),
  ...Object.keys(defaults),
  ...Object.keys(values),
];

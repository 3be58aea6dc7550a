import { readFileSync } from 'node:fs';
import { checkMapping, checkValues } from '../../../startups/import/columns/check-mapping.ts';
import {
  type Mapping,
  readAnswer,
  readMappingText,
  readMappingValue,
} from '../../../startups/import/columns/mapping.ts';
import type { DecimalMark } from '../../../startups/import/options.ts';
import { ASKED } from '../../../startups/import/values/checks.ts';
import { type CommandEnvironment, requireFile } from '../../command-line/command.ts';
import { mergeValues, type ValuesByField } from './import-arguments.ts';

/** The options of `revgate import` that say how a table becomes records. */
export interface MappingOptions extends Pick<Mapping, 'ignoreUnknown' | 'encoding' | 'path'> {
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
}

/**
 * The mapping of an import: the one of its file, with the changes of the other options.
 *
 * @param mayAsk whether it may have questions.
 * @throws OperatorError for a file that is not a mapping, and fields or values that do not exist.
 */
export function readMapping(
  surroundings: CommandEnvironment,
  { mapping: file, map, default: defaults, value, row, ...options }: MappingOptions,
  { mayAsk = false }: { mayAsk?: boolean } = {},
): Mapping {
  const base = file === undefined ? {} : readMappingFile(surroundings, file);
  const filled = new Set(Object.entries(map ?? {}).map(([name, text]) => readAnswer(text, name).path));
  // A column is named for what another one, or a default, was asked.
  const columns = Object.entries(base.columns ?? {}).map(([name, text]) => {
    const { path, question } = readAnswer(text, name);
    return [name, question !== undefined && filled.has(path) ? `left out: another column is ${path}` : text];
  });
  const isLeft = (path: string, text: string): boolean => text !== ASKED || !filled.has(path);
  const asked = Object.entries(base.defaults ?? {}).filter(([path, text]) => isLeft(path, text));
  const meanings = Object.entries(base.values ?? {}).map(([path, texts]) => [
    path,
    Object.fromEntries(Object.entries(texts).filter(([, text]) => isLeft(path, text))),
  ]);
  const { dollars, round, decimal, percentAsFraction, ignoreUnknown, encoding, path } = options;
  const words = [
    base.notation,
    dollars && 'dollars',
    decimal,
    round && 'round',
    percentAsFraction && 'fraction',
  ];
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
  if (mayAsk) {
    checkValues(mapping, true);
  } else {
    checkMapping(mapping);
  }
  return mapping;
}

const readMappingFile = (surroundings: CommandEnvironment, file: string): Mapping =>
  readMappingText(readFileSync(requireFile(surroundings, file).path, 'utf8'), file);

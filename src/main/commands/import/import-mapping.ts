import { readFileSync } from 'node:fs';
import { InvalidArgumentError } from 'commander';
import { checkMapping, checkValues } from '../../../startups/import/columns/check-mapping.ts';
import {
  type Mapping,
  readAnswer,
  readMappingText,
  readMappingValue,
} from '../../../startups/import/columns/mapping.ts';
import type { DecimalMark } from '../../../startups/import/values/amount-checks.ts';
import { ASKED } from '../../../startups/import/values/checks.ts';
import { type CommandEnvironment, requireFile } from '../../command-line/command.ts';

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

type Texts = Readonly<Record<string, string>>;
type ValuesByField = Readonly<Record<string, Texts>>;

/** Collects `NAME=VALUE` of an option that may be repeated; a name may contain `=` if its value does not. */
export function collectPairs(splitAt: 'first' | 'last') {
  return (text: string, collected: Texts = {}): Texts => {
    const at = splitAt === 'first' ? text.indexOf('=') : text.lastIndexOf('=');
    if (at < 1) {
      throw new InvalidArgumentError('Allowed: a name and a value joined by =.');
    }
    return { ...collected, [text.slice(0, at)]: text.slice(at + 1) };
  };
}

/** Collects `FIELD:TEXT=VALUE` of an option that may be repeated; a text may contain `=` and `:`. */
export function collectValues(text: string, collected: ValuesByField = {}): ValuesByField {
  const [, field = '', meant = '', value = ''] = /^([^:=]+):(.+)=([^=]*)$/s.exec(text) ?? [];
  if (field === '') {
    throw new InvalidArgumentError(
      'Allowed: field:text=value, such as "paymentProvider:Stripe Inc.=stripe".',
    );
  }
  return mergeValues(collected, { [field]: { [meant]: value } });
}

function mergeValues(...parts: (ValuesByField | undefined)[]): ValuesByField {
  const merged: Record<string, Texts> = {};
  for (const [field, texts] of parts.flatMap((part) => Object.entries(part ?? {}))) {
    merged[field] = { ...merged[field], ...texts };
  }
  return merged;
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
  const base = withoutAnswered(file === undefined ? {} : readMappingFile(surroundings, file), map);
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
    columns: { ...base.columns, ...map },
    defaults: { ...base.defaults, ...defaults },
    values: mergeValues(base.values, value),
    ...((row ?? base.rows) && readMappingValue({ rows: { ...base.rows, ...row } }, '--row')),
  };
  if (mayAsk) {
    checkValues(mapping, true);
  } else {
    checkMapping(mapping);
  }
  return mapping;
}

/** A mapping without its questions about fields for which other options name the column. */
function withoutAnswered(mapping: Mapping, map: Texts = {}): Mapping {
  const filled = new Set(Object.entries(map).map(([name, text]) => readAnswer(text, name).path));
  const without = (texts: Texts = {}, isAnswered: (name: string, text: string) => boolean): Texts =>
    Object.fromEntries(Object.entries(texts).filter(([name, text]) => !isAnswered(name, text)));
  const { columns, defaults, values = {} } = mapping;
  return {
    ...mapping,
    columns: Object.fromEntries(
      Object.entries(columns ?? {}).map(([name, text]) => {
        const { path, question } = readAnswer(text, name);
        const isAnswered = question !== undefined && filled.has(path);
        return [name, isAnswered ? `left out: another column is ${path}` : text];
      }),
    ),
    defaults: without(defaults, (path, text) => text === ASKED && filled.has(path)),
    values: Object.fromEntries(
      Object.entries(values).map(([path, texts]) => [
        path,
        without(texts, (_, text) => text === ASKED && filled.has(path)),
      ]),
    ),
  };
}

const readMappingFile = (surroundings: CommandEnvironment, file: string): Mapping =>
  readMappingText(readFileSync(requireFile(surroundings, file).path, 'utf8'), file);

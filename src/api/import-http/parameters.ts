import { ApiError, type ErrorDetail, isPlainText, OperatorError, quote } from '../../lib/errors.ts';
import { type Mapping, readMappingText } from '../../startups/import/columns/mapping.ts';
import {
  type ImportOption,
  importOptions,
  type MostRemoved,
  type ReturnAnswer,
} from '../../startups/import/options.ts';
import { createSuggester, orSuggestion } from '../../startups/model/requests/suggest.ts';

/** The parameters of `POST /import`, which are the options of the command. */
export interface ImportParameters
  extends Readonly<Record<'dryRun' | 'replace' | 'update' | 'yes' | 'skipInvalid', boolean>> {
  /** `YYYY-MM-DD` */
  readonly asOf?: string | undefined;
  readonly maxRemoved?: MostRemoved | undefined;
  readonly returns?: Readonly<Record<string, ReturnAnswer>> | undefined;
  /** The name of a stored mapping, or a mapping. */
  readonly mapping?: string | Mapping | undefined;
  /** The name of the file. */
  readonly name?: string | undefined;
}

const NAME_MAX = 200;

const parameters: Readonly<
  Record<keyof ImportParameters, Pick<ImportOption, 'allowed'> & { read(text: string): unknown }>
> = {
  ...importOptions,
  mapping: { allowed: 'the name of a stored mapping, or a mapping as a JSON object', read: readMapping },
  name: {
    allowed: `the name of a file, 1 to ${NAME_MAX} characters`,
    read: (text) => (isPlainText(text, NAME_MAX) ? text : undefined),
  },
};

const isParameter = (name: string): name is keyof ImportParameters => Object.hasOwn(parameters, name);
const suggest = createSuggester(Object.keys(parameters));

/** @throws OperatorError for JSON that is no mapping. */
function readMapping(text: string): string | Mapping {
  return text.startsWith('{') ? readMappingText(text, 'mapping') : text;
}

/** @throws OperatorError for a parameter that does not exist, or a value that it cannot have. */
function readParameter(name: string, [text = '', ...more]: readonly string[]): unknown {
  if (!isParameter(name)) {
    throw new OperatorError(
      `unknown${orSuggestion(suggest(name))}, allowed: ${Object.keys(parameters).join(', ')}`,
    );
  }
  if (more.length > 0) {
    throw new OperatorError('got two values, allowed: one');
  }
  const { allowed, read } = parameters[name];
  const value = text === '' ? undefined : read(text);
  if (value === undefined) {
    throw new OperatorError(`got ${quote(text)}, allowed: ${allowed}`);
  }
  return value;
}

/**
 * Reads the query of `POST /import`.
 *
 * @throws ApiError BAD_USER_INPUT with every invalid parameter.
 */
export function readParameters(query: string): ImportParameters {
  const given = new URLSearchParams(query);
  const read: Record<string, unknown> = {
    dryRun: false,
    replace: false,
    update: false,
    yes: false,
    skipInvalid: false,
  };
  const details: ErrorDetail[] = [];
  for (const name of new Set(given.keys())) {
    try {
      read[name] = readParameter(name, given.getAll(name));
      if ((name === 'yes' || name === 'maxRemoved') && !given.has('replace')) {
        throw new OperatorError('only together with replace');
      }
      if (name === 'maxRemoved' && given.has('yes')) {
        throw new OperatorError('not together with yes, which allows any number');
      }
    } catch (error) {
      if (!(error instanceof OperatorError)) {
        throw error;
      }
      const parameter = name.slice(0, 60);
      details.push({ parameter, message: `${parameter}: ${error.message}` });
    }
  }
  const [first] = details;
  if (first !== undefined) {
    throw new ApiError('BAD_USER_INPUT', first.message, details);
  }
  return read as unknown as ImportParameters;
}

/** The parameters of `POST /import/undo`. */
interface UndoParameters {
  readonly importId: number;
  readonly dryRun: boolean;
}

/**
 * Reads the query of `POST /import/undo`.
 *
 * @throws ApiError BAD_USER_INPUT with every invalid parameter.
 */
export function readUndoParameters(query: string): UndoParameters {
  const given = new URLSearchParams(query);
  const details = [...new Set([...given.keys(), 'import'])].flatMap((name): ErrorDetail[] => {
    const parameter = name.slice(0, 60);
    const values = given.getAll(name);
    const [allowed, isAllowed] =
      name === 'import'
        ? ['the id of an import', /^[1-9]\d{0,8}$/.test(values[0] ?? '')]
        : ['true or false', importOptions.dryRun.read(values[0] ?? '') !== undefined];
    return name !== 'import' && name !== 'dryRun'
      ? [{ parameter, message: `${parameter}: unknown, allowed: import, dryRun` }]
      : values.length > 1
        ? [{ parameter, message: `${parameter}: got two values, allowed: one` }]
        : isAllowed
          ? []
          : [
              {
                parameter,
                message: `${parameter}: got ${values.length === 0 ? 'none' : quote(values[0] ?? '')}, allowed: ${allowed}`,
              },
            ];
  });
  const [first] = details;
  if (first !== undefined) {
    throw new ApiError('BAD_USER_INPUT', first.message, details);
  }
  return { importId: Number(given.get('import')), dryRun: given.get('dryRun') === 'true' };
}

/**
 * A message about options of the command with the parameters that they are here. Others, such as `--map`, are parts of a
 * mapping.
 */
export function nameParameters(message: string): string {
  const OPTION = /(?<!\w)--([a-z]+)((?:-[a-z]+)*)( [\w-]+=[\w-]+)?/g;
  return message.replace(OPTION, (option, first: string, rest: string, value = '') => {
    const name = first + rest.replace(/-(.)/g, (__, letter: string) => letter.toUpperCase());
    if (!isParameter(name)) {
      return option;
    }
    const isFlag = typeof parameters[name].read('true') === 'boolean';
    return isFlag ? `${name}=true${value}` : `${name}${value.replace(' ', '=')}`;
  });
}

import { ApiError, type ErrorDetail, OperatorError } from '../../lib/errors.ts';
import { isPlainText, quote } from '../../lib/text/plain-text.ts';
import { type Mapping, readMappingValue } from '../../startups/import/columns/mapping.ts';
import { type ImportOption, importOptions } from '../../startups/import/options.ts';
import { createSuggester, didYouMean } from '../../startups/model/requests/suggest.ts';

/** The parameters of `POST /import`, which are the options of the command. */
export interface ImportParameters {
  readonly dryRun: boolean;
  readonly replace: boolean;
  readonly yes: boolean;
  readonly skipInvalid: boolean;
  /** `YYYY-MM-DD` */
  readonly asOf?: string | undefined;
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

/** @throws OperatorError for JSON that is no mapping. */
function readMapping(text: string): string | Mapping | undefined {
  if (!text.startsWith('{')) {
    return text;
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  return readMappingValue(value, 'mapping');
}

const suggest = createSuggester(Object.keys(parameters));

/**
 * Reads the query of `POST /import`.
 *
 * @throws ApiError BAD_USER_INPUT with every invalid parameter.
 */
export function readParameters(query: string): ImportParameters {
  const read: Record<string, unknown> = { dryRun: false, replace: false, yes: false, skipInvalid: false };
  const details: ErrorDetail[] = [];
  const fail = (parameter: string, message: string): void => {
    details.push({ parameter, message: `${parameter}: ${message}` });
  };
  const seen = new Set<string>();
  for (const [name, text] of new URLSearchParams(query)) {
    const parameter = Object.hasOwn(parameters, name)
      ? parameters[name as keyof ImportParameters]
      : undefined;
    if (parameter === undefined) {
      const hint = didYouMean(suggest(name));
      fail(
        name.slice(0, 60),
        `unknown, allowed: ${Object.keys(parameters).join(', ')}${hint ? `; ${hint}` : ''}`,
      );
    } else if (seen.has(name)) {
      fail(name, 'got two values, allowed: one');
    } else {
      seen.add(name);
      try {
        read[name] = parameter.read(text);
        if (read[name] === undefined || text === '') {
          fail(name, `got ${quote(text)}, allowed: ${parameter.allowed}`);
        }
      } catch (error) {
        if (!(error instanceof OperatorError)) {
          throw error;
        }
        fail(name, error.message);
      }
    }
  }
  if (seen.has('yes') && !seen.has('replace')) {
    fail('yes', 'only together with replace');
  }
  const [first] = details;
  if (first !== undefined) {
    throw new ApiError('BAD_USER_INPUT', first.message, details);
  }
  return read as unknown as ImportParameters;
}

/** A message about options of the command with the parameters that they are here. */
export function nameParameters(message: string): string {
  return message.replace(/(?<!\w)--([a-z]+)((?:-[a-z]+)*)/g, (_, first: string, rest: string) => {
    const name = first + rest.replace(/-(.)/g, (__, letter: string) => letter.toUpperCase());
    return Object.hasOwn(parameters, name) &&
      parameters[name as keyof ImportParameters].allowed === 'true or false'
      ? `${name}=true`
      : name;
  });
}

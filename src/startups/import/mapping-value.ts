import { OperatorError } from '../../lib/errors.ts';
import { isObject } from '../../lib/text/is-object.ts';
import { encodings, type Mapping } from './mapping.ts';
import { decimalMarks } from './notation.ts';

/** What each property of a mapping in JSON must be. */
const kinds: Readonly<Record<keyof Mapping, { allowed: string; isValid(value: unknown): boolean }>> = {
  columns: texts(),
  defaults: texts(),
  values: { allowed: 'an object of objects of texts', isValid: isTextsByField },
  dollars: flag(),
  round: flag(),
  percentAsFraction: flag(),
  ignoreUnknown: flag(),
  decimal: oneOf(decimalMarks),
  encoding: oneOf(encodings),
  path: { allowed: 'a text', isValid: (value) => typeof value === 'string' },
  confidence: { allowed: 'an object of numbers', isValid: isObject },
};

function texts() {
  return { allowed: 'an object of texts', isValid: isTexts };
}

function flag() {
  return { allowed: 'true or false', isValid: (value: unknown) => typeof value === 'boolean' };
}

function oneOf(values: readonly unknown[]) {
  return { allowed: values.join(' or '), isValid: (value: unknown) => values.includes(value) };
}

function isTexts(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.values(value).every((text) => typeof text === 'string');
}

function isTextsByField(value: unknown): boolean {
  return isObject(value) && Object.values(value).every(isTexts);
}

/**
 * A mapping of a file or a request. What it names is not checked.
 *
 * @param name of the file or parameter, for messages.
 * @throws OperatorError for a value that is no mapping.
 */
export function readMappingValue(value: unknown, name: string): Mapping {
  if (!isObject(value)) {
    throw new OperatorError(`${name} is not a mapping: it must be a JSON object.`);
  }
  for (const [property, given] of Object.entries(value)) {
    const kind = Object.hasOwn(kinds, property) ? kinds[property as keyof Mapping] : undefined;
    if (kind === undefined) {
      throw new OperatorError(
        `${name}: ${JSON.stringify(property)} is unknown; allowed: ${Object.keys(kinds).join(', ')}.`,
      );
    }
    if (!kind.isValid(given)) {
      throw new OperatorError(`${name}: ${property} must be ${kind.allowed}.`);
    }
  }
  return value;
}

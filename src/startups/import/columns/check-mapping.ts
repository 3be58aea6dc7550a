import { OperatorError } from '../../../lib/errors.ts';
import { inCommand } from '../../../lib/text/wording.ts';
import type { ImportField } from '../../model/fields.ts';
import { orSuggestion } from '../../model/requests/suggest.ts';
import { ASKED, createCheck, INVALID } from '../notation/checks.ts';
import { readWords, unitsOf } from '../notation/notations.ts';
import { questionsOf } from './answers.ts';
import { createFieldNames, type FieldNames } from './field-names.ts';
import type { ImportFields } from './import-fields.ts';
import type { Mapping } from './mapping.ts';
import { isOwnPath } from './own-import-fields.ts';
import { tableQuestionText } from './words.ts';

const MOST_ASKED = 20;

const refuse = (...why: string[]): never => {
  throw new OperatorError(why.join(''));
};

function requireField(fields: ImportFields, path: string, what: string): ImportField {
  const { byPath, suggest } = fields;
  const advice = isOwnPath(path) ? fields.advise(path) : undefined;
  return (
    byPath.get(path) ??
    refuse(
      `${what} ${JSON.stringify(path)}, which is no field`,
      advice === undefined
        ? `${orSuggestion(suggest(path))}; allowed: ${[...byPath.keys()].join(', ')}`
        : `; ${inCommand(advice)}`,
    )
  );
}

/** What is wrong with a value of a field in a mapping; undefined for one that is right, or still to be answered. */
export function wrongValue(names: FieldNames, field: ImportField, value: string): string | undefined {
  const check = createCheck(field, names.notationOf(field));
  return value === ASKED || check.readCell(value) !== undefined
    ? undefined
    : [`${JSON.stringify(value)}; allowed: ${check.allowed}`, inCommand(check.fix?.(value) ?? '')]
        .filter(Boolean)
        .join('; ');
}

/** Whether a text of a field may mean a value. */
export const isMeaning = (names: FieldNames, field: ImportField, value: string): boolean =>
  value === INVALID || (value === '' && field.nullable) || wrongValue(names, field, value) === undefined;

/**
 * Checks the defaults and the meanings of texts in a mapping.
 *
 * @param mayAsk whether the unit of a field may still be a question, without which its values are not checked.
 * @throws OperatorError for the first that is not allowed, or a field that does not exist.
 */
export function checkValues(fields: ImportFields, mapping: Mapping, mayAsk = false): void {
  const names = createFieldNames(fields, mapping);
  const check = (field: ImportField, value: string, what: string): void => {
    const wrong = mayAsk && unitsOf(field.kind).length > 0 ? undefined : wrongValue(names, field, value);
    if (wrong !== undefined) {
      refuse(`The ${what} ${wrong}.`);
    }
  };
  for (const [path, value] of Object.entries(mapping.defaults ?? {})) {
    const field = requireField(fields, path, 'A default is given for');
    if (value !== '') {
      check(field, value, `default of ${path} is`);
    }
  }
  for (const [path, byText] of Object.entries(mapping.values ?? {})) {
    const field = requireField(fields, path, 'Values are given for');
    for (const [text, value] of Object.entries(byText).filter(([, one]) => !isMeaning(names, field, one))) {
      check(field, value, `${path} ${JSON.stringify(text)} is mapped to`);
    }
  }
}

/**
 * Checks that a mapping is complete, and the fields and values that it names.
 *
 * @throws OperatorError for its questions, for the first name that does not exist, or for a field that two columns would
 *   fill.
 */
export function checkMapping(fields: ImportFields, mapping: Mapping): void {
  const asked = questionsOf(fields, mapping).map(tableQuestionText);
  if (asked.length > 0) {
    const more = asked.length > MOST_ASKED ? ` … and ${asked.length - MOST_ASKED} more` : '';
    refuse(
      `The mapping has ${asked.length === 1 ? 'a question' : `${asked.length} questions`}; answer with a value `,
      `instead of "?": ${asked.slice(0, MOST_ASKED).join('; ')}${more}. Nothing was written.`,
    );
  }
  const wrong = readWords(mapping.notation ?? '');
  if (typeof wrong === 'string') {
    refuse(`The notation of the mapping: ${wrong}.`);
  }
  const names = createFieldNames(fields, mapping);
  const filled = new Map<string, string>();
  for (const [name, answer] of names.answers) {
    if (answer.path === '') {
      continue;
    }
    const field = requireField(fields, answer.path, `The column ${JSON.stringify(name)} is mapped to`);
    const { path, kind } = field;
    const other = filled.get(path);
    if (other !== undefined) {
      refuse(
        `The columns ${JSON.stringify(other)} and ${JSON.stringify(name)} are both mapped to ${path}: `,
        'map each field once.',
      );
    }
    filled.set(path, name);
    const units = unitsOf(kind);
    const isKnown = units.some((unit) => names.notationOf(field).has(unit));
    if (units.length > 0 && !isKnown && (name !== path || names.withoutUnit.has(path))) {
      refuse(
        `The column ${JSON.stringify(name)} is mapped to ${path} without the unit of its values; allowed: `,
        `${units.map((unit) => `${path}:${unit}`).join(', ')}.`,
      );
    }
  }
  checkValues(fields, mapping);
}

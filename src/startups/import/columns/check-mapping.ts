import { OperatorError } from '../../../lib/errors.ts';
import { type StoredStartupField, storedStartupFields } from '../../model/fields.ts';
import { createSuggester, orSuggestion } from '../../model/requests/suggest.ts';
import { createCheck, readText } from '../values/checks.ts';
import { readAnswer, readWords, unitsOf } from '../values/notations.ts';
import { createFieldNames } from './field-names.ts';
import { type Mapping, questionsOf } from './mapping.ts';

const paths = storedStartupFields.map(({ path }) => path);
const suggestPath = createSuggester(paths);
const MOST_ASKED = 20;

/**
 * Checks that a mapping is complete, and the fields and values that it names.
 *
 * @throws OperatorError for its questions, for the first name that does not exist, or for a field that two columns would
 *   fill.
 */
export function checkMapping(mapping: Mapping): void {
  const asked = questionsOf(mapping);
  if (asked.length > 0) {
    const more = asked.length > MOST_ASKED ? ` … and ${asked.length - MOST_ASKED} more` : '';
    throw new OperatorError(
      `The mapping has ${asked.length === 1 ? 'a question' : `${asked.length} questions`}; answer with a value instead of "?": ${asked.slice(0, MOST_ASKED).join('; ')}${more}. Nothing was written.`,
    );
  }
  const { columns = {}, defaults = {}, values = {}, notation = '' } = mapping;
  const wrong = readWords(notation);
  if (typeof wrong === 'string') {
    throw new OperatorError(`The notation of the mapping: ${wrong}.`);
  }
  const names = createFieldNames(mapping);
  const filled = new Map<string, string>();
  for (const [name, text] of Object.entries(columns)) {
    const { path } = readAnswer(text, name);
    if (path === '') {
      continue;
    }
    const field = requireField(path, `The column ${JSON.stringify(name)} is mapped to`);
    const other = filled.get(path);
    if (other !== undefined) {
      const both = `${JSON.stringify(other)} and ${JSON.stringify(name)}`;
      throw new OperatorError(`The columns ${both} are both mapped to ${path}: map each field once.`);
    }
    filled.set(path, name);
    const units = unitsOf(field.kind);
    if (name !== path && units.length > 0 && !units.some((unit) => names.notationOf(field.path).has(unit))) {
      const choices = units.map((unit) => `${path}:${unit}`).join(', ');
      throw new OperatorError(
        `The column ${JSON.stringify(name)} is mapped to ${path} without the unit of its values; allowed: ${choices}.`,
      );
    }
  }
  for (const path of Object.keys(defaults)) {
    requireField(path, 'A default is given for');
  }
  for (const [path, byText] of Object.entries(values)) {
    const field = requireField(path, 'Values are given for');
    const own = names.notationOf(field.path);
    const check = createCheck(field, own);
    for (const [text, value] of Object.entries(byText)) {
      const isEmpty = value === '' && field.nullable;
      if (!isEmpty && readText(field, check, value, own) === undefined) {
        const fix = check.fix?.(value);
        throw new OperatorError(
          `The ${path} ${JSON.stringify(text)} is mapped to ${JSON.stringify(value)}; allowed: ${check.allowed}${fix === undefined ? '' : `; ${fix}`}`,
        );
      }
    }
  }
}

function requireField(path: string, what: string): StoredStartupField {
  const found = storedStartupFields.find((field) => field.path === path);
  if (found === undefined) {
    const suggestion = orSuggestion(suggestPath(path));
    throw new OperatorError(
      `${what} ${JSON.stringify(path)}, which is no field; allowed: ${paths.join(', ')}${suggestion}`,
    );
  }
  return found;
}

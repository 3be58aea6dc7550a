import { OperatorError } from '../../../lib/errors.ts';
import { type StartupFieldPath, type StoredStartupField, storedStartupFields } from '../../model/fields.ts';
import { createSuggester, orSuggestion } from '../../model/requests/suggest.ts';
import { ASKED, createCheck, fieldOf, INVALID } from '../values/checks.ts';
import { readWords, unitsOf } from '../values/notation-words.ts';
import { createFieldNames } from './field-names.ts';
import { type Mapping, questionsOf, readAnswer } from './mapping.ts';

/** What is wrong with the defaults of a mapping, by their fields. */
export function wrongDefaults(mapping: Mapping): string[] {
  const names = createFieldNames(mapping);
  return Object.entries(mapping.defaults ?? {}).flatMap(([path, text]) => {
    const field = fieldOf(path);
    const check = field && createCheck(field, names.notationOf(field.path));
    return check === undefined || text === '' || text === ASKED || check.readCell(text) !== undefined
      ? []
      : `The default of ${path} is ${JSON.stringify(text)}; allowed: ${check.allowed}`;
  });
}

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
  const refuse = (...why: string[]): never => {
    throw new OperatorError(why.join(''));
  };
  const asked = questionsOf(mapping);
  if (asked.length > 0) {
    const more = asked.length > MOST_ASKED ? ` … and ${asked.length - MOST_ASKED} more` : '';
    refuse(
      `The mapping has ${asked.length === 1 ? 'a question' : `${asked.length} questions`}; answer with a value `,
      `instead of "?": ${asked.slice(0, MOST_ASKED).join('; ')}${more}. Nothing was written.`,
    );
  }
  const { columns = {}, defaults = {}, values = {}, notation = '' } = mapping;
  const wrong = readWords(notation);
  if (typeof wrong === 'string') {
    refuse(`The notation of the mapping: ${wrong}.`);
  }
  const requireField = (path: string, what: string): StoredStartupField =>
    fieldOf(path) ??
    refuse(
      `${what} ${JSON.stringify(path)}, which is no field; allowed: ${paths.join(', ')}`,
      orSuggestion(suggestPath(path)),
    );
  const names = createFieldNames(mapping);
  const filled = new Map<StartupFieldPath, string>();
  for (const [name, text] of Object.entries(columns)) {
    const answer = readAnswer(text, name);
    if (answer.path === '') {
      continue;
    }
    const { path, kind } = requireField(answer.path, `The column ${JSON.stringify(name)} is mapped to`);
    const other = filled.get(path);
    if (other !== undefined) {
      refuse(
        `The columns ${JSON.stringify(other)} and ${JSON.stringify(name)} are both mapped to ${path}: `,
        'map each field once.',
      );
    }
    filled.set(path, name);
    const units = unitsOf(kind);
    if (name !== path && units.length > 0 && !units.some((unit) => names.notationOf(path).has(unit))) {
      refuse(
        `The column ${JSON.stringify(name)} is mapped to ${path} without the unit of its values; allowed: `,
        `${units.map((unit) => `${path}:${unit}`).join(', ')}.`,
      );
    }
  }
  for (const path of Object.keys(defaults)) {
    requireField(path, 'A default is given for');
  }
  for (const why of wrongDefaults(mapping)) {
    refuse(why, '.');
  }
  for (const [path, byText] of Object.entries(values)) {
    const field = requireField(path, 'Values are given for');
    const check = createCheck(field, names.notationOf(field.path));
    for (const [text, value] of Object.entries(byText)) {
      const isKnown = value === INVALID || (value === '' && field.nullable);
      if (!isKnown && check.readCell(value) === undefined) {
        const fix = check.fix?.(value);
        refuse(
          `The ${path} ${JSON.stringify(text)} is mapped to ${JSON.stringify(value)}; allowed: ${check.allowed}`,
          fix === undefined ? '' : `; ${fix}`,
        );
      }
    }
  }
}

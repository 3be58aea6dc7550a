import type { Wording } from '../../../lib/text/wording.ts';
import type { FieldEntry } from '../../model/field-table.ts';
import { type ImportField, type OwnImportField, startupFields } from '../../model/fields.ts';
import {
  ALLOWED_OWN_NAME,
  describeOwn,
  OWN_NAME_PATTERN,
  OWN_TEXT_LENGTH,
  type OwnField,
  type OwnKind,
  ownKindNames,
  ownPath,
} from '../../model/own-fields.ts';
import { MAX_CENTS, MAX_COUNT } from '../../model/vocabulary.ts';
import { wordsFor } from '../notation/notations.ts';

const PREFIX = ownPath('');

/** Whether a path is one that only declared fields have. */
export const isOwnPath = (path: string): boolean => path.startsWith(PREFIX);

export const isOwnField = (field: ImportField): field is OwnImportField => 'own' in field;

type Rule = Omit<FieldEntry, 'description' | 'nullable' | 'shape' | 'stored'>;

const { kind, minLength, maxLength, maxItems, pattern } = startupFields.techStack;

/** The kinds of ours whose checks, units, notations and questions the kinds of declared fields have. */
const rules: Readonly<Record<OwnKind, Rule>> = {
  text: { kind: 'string', maxLength: OWN_TEXT_LENGTH },
  url: { kind: 'url', maxLength: startupFields.website.maxLength },
  count: { kind: 'count', minimum: 0, maximum: MAX_COUNT },
  // A profit may be negative.
  cents: { kind: 'cents', minimum: -MAX_CENTS, maximum: MAX_CENTS },
  percent: { kind: 'percent' },
  number: { kind: 'ratio' },
  date: { kind: 'date' },
  boolean: { kind: 'boolean' },
  choice: { kind: 'string', minLength: 1, maxLength: 100 },
  texts: { kind, minLength, maxLength, maxItems, pattern },
};

export function toImportField(own: OwnField): OwnImportField {
  const path = ownPath(own.name);
  return {
    ...rules[own.kind],
    ...(own.kind === 'choice' && { known: own.choices }),
    path,
    property: path,
    column: null,
    nullable: true,
    description: describeOwn(own),
    shape: 'detail',
    stored: 'detail',
    own,
  };
}

const NAME = new RegExp(OWN_NAME_PATTERN);

/** How to declare the field that a name means; undefined for a name that is none of a declared field. */
export function howToDeclare(path: string): Wording | undefined {
  const name = path.slice(PREFIX.length);
  return !isOwnPath(path)
    ? undefined
    : NAME.test(name)
      ? {
          command: `declare it first: npx revgate fields add ${name} KIND, or "fields" in the mapping`,
          page: 'declare this field first',
        }
      : `the name of a field has ${ALLOWED_OWN_NAME}`;
}

/**
 * The words of an answer without the kind of its field, which says nothing new: in `own.employees:count`.
 *
 * @param field undefined for one that is not declared, which is another error.
 */
export function withoutKind(path: string, words: string, field: ImportField | undefined): string {
  if (!isOwnPath(path)) {
    return words;
  }
  const kinds: readonly string[] = field && isOwnField(field) ? [field.own.kind] : ownKindNames;
  // Some kinds are called as a notation that they have.
  const notations: readonly string[] = field === undefined ? [] : wordsFor(field);
  const isKind = (word: string): boolean => kinds.includes(word) && !notations.includes(word);
  return words
    .split(/[\s,]+/)
    .filter((word) => !isKind(word))
    .join();
}

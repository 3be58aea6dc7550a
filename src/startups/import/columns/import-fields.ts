import { OperatorError, quote } from '../../../lib/errors.ts';
import type { Wording } from '../../../lib/text/wording.ts';
import {
  type ColumnField,
  type ImportField,
  startupFieldList,
  storedStartupFields,
} from '../../model/fields.ts';
import type { OwnField } from '../../model/own-fields.ts';
import { createSuggester, didYouMean } from '../../model/requests/suggest.ts';
import { checkDeclaration, checkNumberOfFields, requireNewName } from '../../own/declarations.ts';
import { REJECT_FIELDS } from '../rows/input.ts';
import { createHeadingNames } from './heading-names.ts';
import type { Mapping } from './mapping.ts';
import { howToDeclare, isOwnField, isOwnPath, toImportField } from './own-import-fields.ts';

/** The object of a record that has the fields of revenue. */
export const REVENUE = 'revenue';

/** The fields that an import can fill, with all that follows from them. */
export type ImportFields = ReturnType<typeof createImportFields>;

/**
 * @param list the fields, in the order of the values of a record.
 * @param added those of them that the import declares.
 */
export function createImportFields(list: readonly ImportField[], added: readonly OwnField[] = []) {
  const filled = list.map(({ path }) => path);
  const paths: ReadonlySet<string> = new Set([...startupFieldList.map(({ path }) => path), ...filled]);
  const suggestClose = createSuggester(filled);
  const suggest = (name: string): string | undefined => {
    const part = name.trim().toLowerCase();
    const [first, ...others] =
      part.length < 3 ? [] : filled.filter((path) => path.toLowerCase().includes(part));
    return suggestClose(name) ?? (others.length === 0 ? first : undefined);
  };
  return {
    list,
    /** Those that have a column of their own. */
    columns: list.filter((field): field is ColumnField => field.column !== null),
    /** Those that an operator has declared: their values are one object. */
    own: list.filter(isOwnField),
    added,
    byPath: new Map(list.map((field) => [field.path, field])) as ReadonlyMap<string, ImportField>,
    /** The index of each in the list. */
    indexes: new Map(filled.map((path, index) => [path, index])) as ReadonlyMap<string, number>,
    /** Those that a record cannot leave out. A slug is made from the name. */
    required: list.flatMap(({ path, nullable, default: fallback }) =>
      nullable || fallback !== undefined || path === 'slug' ? [] : path,
    ) as readonly string[],
    /** The names of columns that are fields, those that revgate computes included. */
    paths,
    /** The names that a record may have. */
    recordNames: new Set([...paths, REVENUE, ...Object.values(REJECT_FIELDS)]) as ReadonlySet<string>,
    headings: createHeadingNames(list),
    /** The field that an unknown name seems to mean: a close one, or the only one that contains it. */
    suggest,
    /** What to do about an unknown name, if that is known. */
    advise(name: string): Wording | undefined {
      const suggestion = suggest(name);
      // A field that is not declared is none of ours.
      return isOwnPath(name) && !(suggestion !== undefined && isOwnPath(suggestion))
        ? howToDeclare(name)
        : didYouMean(suggestion);
    },
  };
}

/** The fields of every startup. */
export const standardFields = createImportFields(storedStartupFields);

/** The same fields for records that replace all startups: no choice has a value that these do not have. */
export const withoutChoices = ({ list, added }: ImportFields): ImportFields =>
  createImportFields(
    list.map((field) => (field.known === undefined ? field : { ...field, known: [] })),
    added,
  );

/**
 * The fields of every startup, those that are declared, and those that a mapping declares.
 *
 * @throws OperatorError for a declaration that is not allowed, or of another kind than there is.
 */
export function importFieldsFor(declared: readonly OwnField[], mapping: Mapping = {}): ImportFields {
  const all = [...declared];
  for (const [name, { kind, label, description, sortable }] of Object.entries(mapping.fields ?? {})) {
    const known = declared.find((field) => field.name === name);
    if (known !== undefined && known.kind !== kind) {
      throw new OperatorError(
        `fields of the mapping: ${name} is declared as ${known.kind}, but the mapping says ${quote(kind)}: correct the mapping.`,
      );
    }
    if (known === undefined) {
      const field = checkDeclaration({ name, kind, label, description, indexed: sortable });
      requireNewName(all, name);
      all.push(field);
    }
  }
  checkNumberOfFields(all);
  return all.length === 0
    ? standardFields
    : createImportFields([...storedStartupFields, ...all.map(toImportField)], all.slice(declared.length));
}

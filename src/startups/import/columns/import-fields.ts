import { type ImportField, startupFieldList, storedStartupFields } from '../../model/fields.ts';
import { createSuggester } from '../../model/requests/suggest.ts';
import { REJECT_FIELDS } from '../rows/input.ts';
import { createHeadingNames } from './heading-names.ts';

/** The object of a record that has the fields of revenue. */
export const REVENUE = 'revenue';

/** The fields that an import can fill, with all that follows from them. */
export type ImportFields = ReturnType<typeof createImportFields>;

/** @param list the fields, in the order of the values of a record. */
export function createImportFields(list: readonly ImportField[]) {
  const filled = list.map(({ path }) => path);
  const paths: ReadonlySet<string> = new Set([...startupFieldList.map(({ path }) => path), ...filled]);
  const suggestClose = createSuggester(filled);
  return {
    list,
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
    suggest(name: string): string | undefined {
      const part = name.trim().toLowerCase();
      const [first, ...others] =
        part.length < 3 ? [] : filled.filter((path) => path.toLowerCase().includes(part));
      return suggestClose(name) ?? (others.length === 0 ? first : undefined);
    },
  };
}

/** The fields of every startup. */
export const standardFields = createImportFields(storedStartupFields);

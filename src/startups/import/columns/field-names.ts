import { foldText } from '../../../lib/text/words.ts';
import type { StartupFieldKind } from '../../model/field-kinds.ts';
import {
  type StartupFieldPath,
  startupFieldList,
  startupFields,
  storedStartupFields,
} from '../../model/fields.ts';
import { createSuggester } from '../../model/requests/suggest.ts';
import { fieldOf } from '../notation/checks.ts';
import { joinWords, type Notation, readWords, unitsOf, type Word } from '../notation/notations.ts';
import { plainName } from '../rows/column-names.ts';
import { MOST_COLUMNS } from '../rows/errors.ts';
import { REJECT_FIELDS } from '../rows/input.ts';
import { type MappedColumn, readAnswers } from './answers.ts';
import type { Mapping } from './mapping.ts';
import type { SkippedNote } from './questions.ts';

/** The names of columns that are fields, those that revgate computes included. */
export const fieldPaths: ReadonlySet<string> = new Set(startupFieldList.map(({ path }) => path));

/** The object of a record that has the fields of revenue. */
export const REVENUE = 'revenue';

/** The names that a record may have. */
export const recordNames: ReadonlySet<string> = new Set([
  ...fieldPaths,
  REVENUE,
  ...Object.values(REJECT_FIELDS),
]);

/** The required fields that neither a column nor a default has. A slug is made from the name. */
export function missingFields(
  hasColumn: (path: StartupFieldPath) => boolean,
  { defaults = {} }: Mapping,
): StartupFieldPath[] {
  return storedStartupFields.flatMap(({ path, nullable, default: fallback }) =>
    nullable || fallback !== undefined || path === 'slug' || hasColumn(path) || defaults[path] ? [] : path,
  );
}

const filled = storedStartupFields.map(({ path }) => path);
const suggestClose = createSuggester(filled);

/** The field that an unknown name seems to mean: a close one, or the only one that contains it. */
export function suggestField(name: string): string | undefined {
  const part = name.trim().toLowerCase();
  const [first, ...others] =
    part.length < 3 ? [] : filled.filter((path) => path.toLowerCase().includes(part));
  return suggestClose(name) ?? (others.length === 0 ? first : undefined);
}

/** Names without a field that are remembered: those of a table that has no other columns. */
const MOST_IGNORED = MOST_COLUMNS;

/** The names of columns as fields, made once for an import. */
export type FieldNames = ReturnType<typeof createFieldNames>;

/** @param isUpdate whether records have only what they set, and an empty cell clears. */
export function createFieldNames(mapping: Mapping = {}, isUpdate = false) {
  const answers = readAnswers(mapping);
  // A preview reads a table whose questions are still open.
  const entries = [...answers].map(([name, answer]): [string, MappedColumn] =>
    answer.question === undefined ? [name, answer] : [name, { path: '', words: [] }],
  );
  const byName = new Map([
    ...entries.map(([name, answer]) => [plainName(name), answer] as const),
    ...entries,
  ]);
  const byPath = new Map<string, readonly Word[]>(entries.map(([, { path, words }]) => [path, words]));
  const common = readWords(mapping.notation ?? '');
  const notationOf = (path: StartupFieldPath): Notation =>
    joinWords(startupFields[path], byPath.get(path) ?? [], typeof common === 'string' ? [] : common);
  const of = (name: string): string => byName.get(name)?.path ?? name;
  const mayBeAmount = (name: string): boolean => (fieldOf(of(name))?.kind ?? 'cents') === 'cents';
  /** The first column of each kind whose name is not that of its field. */
  const foreign = new Map<StartupFieldKind, string>(
    entries
      .flatMap(([name, { path }]) => {
        const field = path === name ? undefined : fieldOf(path);
        return field === undefined ? [] : [[field.kind, name] as const];
      })
      .toReversed(),
  );
  const withoutUnit = storedStartupFields.flatMap(({ path, kind }) => {
    const units = unitsOf(kind);
    const other = foreign.get(kind);
    const isKnown = units.length === 0 || units.some((unit) => notationOf(path).has(unit));
    return other === undefined || isKnown ? [] : [[path as string, other] as const];
  });
  return {
    mapping,
    isUpdate,
    /** What the mapping says of each column that it names. */
    answers,
    /** The names that are mapped to a field, or must have one text. */
    mapped: entries.flatMap(([name, { path, only }]) => (path !== '' || only !== undefined ? name : [])),
    /** The field that a column fills: the mapped one, or the one of its own name; empty for one that is left out. */
    of,
    /** How the values of a field are written. */
    notationOf,
    /** Whether the values of a column may be amounts, of which each digit counts: also if no field is known. */
    mayBeAmount,
    /**
     * The fields whose values have no known unit, also in a column of their own name, by a column of the same kind that
     * has another name: such a table is not in the documented format.
     */
    withoutUnit: new Map(withoutUnit),
    /** The only text that the cells of a column may have. */
    onlyOf: (name: string): string | undefined => byName.get(name)?.only,
    /** The first names that are not fields and are left out. */
    ignored: new Set<string>(),
    /** What of the current input was skipped. */
    skipped: [] as SkippedNote[],
    /** The mapped names that no record of the current input has had. */
    unseen: new Set<string>(),
  };
}

/** Whether a name that is not a field is left out. The first ones are remembered. */
export function isIgnored({ mapping, ignored, of, onlyOf }: FieldNames, name: string): boolean {
  if (mapping.ignoreUnknown !== true && of(name) !== '') {
    return false;
  }
  if (ignored.size < MOST_IGNORED && onlyOf(name) === undefined) {
    ignored.add(name);
  }
  return true;
}

const MOST_NAME = startupFields.name.maxLength;
const MOST_SLUG = startupFields.slug.maxLength;

/** The slug that a name makes: `Élan & Co.` is `elan-co`. None for a name without a letter or digit of ASCII. */
export function slugFrom(name: unknown): { slug?: string } {
  const words = typeof name === 'string' ? foldText(name.slice(0, MOST_NAME)).match(/[a-z0-9]+/g) : null;
  return words === null ? {} : { slug: words.join('-').slice(0, MOST_SLUG).replace(/-$/, '') };
}

import { foldText } from '../../../lib/text/words.ts';
import type { StartupFieldKind } from '../../model/field-kinds.ts';
import { type ImportField, startupFields } from '../../model/fields.ts';
import { joinWords, type Notation, readWords, unitsOf, type Word } from '../notation/notations.ts';
import { plainName } from '../rows/column-names.ts';
import { MOST_COLUMNS } from '../rows/errors.ts';
import { type MappedColumn, readAnswers } from './answers.ts';
import type { ImportFields } from './import-fields.ts';
import type { Mapping } from './mapping.ts';
import type { SkippedNote } from './questions.ts';

/** The required fields that neither a column nor a default has. */
export const missingFields = (
  { required }: ImportFields,
  hasColumn: (path: string) => boolean,
  { defaults = {} }: Mapping,
): string[] => required.filter((path) => !hasColumn(path) && !defaults[path]);

/** Names without a field that are remembered: those of a table that has no other columns. */
const MOST_IGNORED = MOST_COLUMNS;

/** The names of columns as fields, made once for an import. */
export type FieldNames = ReturnType<typeof createFieldNames>;

/** @param isUpdate whether records have only what they set, and an empty cell clears. */
export function createFieldNames(fields: ImportFields, mapping: Mapping = {}, isUpdate = false) {
  const { list, byPath } = fields;
  const answers = readAnswers(fields, mapping);
  // A preview reads a table whose questions are still open.
  const entries = [...answers].map(([name, answer]): [string, MappedColumn] =>
    answer.question === undefined ? [name, answer] : [name, { path: '', words: [] }],
  );
  const byName = new Map([
    ...entries.map(([name, answer]) => [plainName(name), answer] as const),
    ...entries,
  ]);
  const wordsByPath = new Map<string, readonly Word[]>(entries.map(([, { path, words }]) => [path, words]));
  const common = readWords(mapping.notation ?? '');
  const notationOf = (field: ImportField): Notation =>
    joinWords(field, wordsByPath.get(field.path) ?? [], typeof common === 'string' ? [] : common);
  const of = (name: string): string => byName.get(name)?.path ?? name;
  const mayBeAmount = (name: string): boolean => (byPath.get(of(name))?.kind ?? 'cents') === 'cents';
  /** The first column of each kind whose name is not that of its field. */
  const foreign = new Map<StartupFieldKind, string>(
    entries
      .flatMap(([name, { path }]) => {
        const field = path === name ? undefined : byPath.get(path);
        return field === undefined ? [] : [[field.kind, name] as const];
      })
      .toReversed(),
  );
  const withoutUnit = list.flatMap((field) => {
    const units = unitsOf(field.kind);
    const other = foreign.get(field.kind);
    const isKnown = units.length === 0 || units.some((unit) => notationOf(field).has(unit));
    return other === undefined || isKnown ? [] : [[field.path, other] as const];
  });
  return {
    /** What its columns can fill. */
    fields,
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

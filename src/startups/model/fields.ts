import type { StartupFieldKind } from './field-kinds.ts';
import { type FieldEntry, fieldTable, type Shape, type Storage } from './field-table.ts';
import type { OwnField, OwnPath } from './own-fields.ts';

/** One field of a startup record, as every surface describes it. */
export interface StartupField extends FieldEntry {
  /** Name of the property in the Prisma model; for a computed field, its name on the surfaces. */
  readonly property: string;
  /** Name of the column in the `startups` table; null for a computed field. */
  readonly column: string | null;
  readonly nullable: boolean;
  readonly shape: Shape;
  readonly stored: Storage;
  /** Of a text that has few values, which are those of the data: those that are known. */
  readonly known?: readonly string[];
}

/** The dotted path of a field in REST records and in imports. */
export type StartupFieldPath = keyof typeof fieldTable;

type PropertyOf<Path extends string> = Path extends `${infer Head}.${infer Rest}`
  ? `${Head}${Capitalize<Rest>}`
  : Path;

/**
 * Every field of a startup record, keyed by its dotted path in REST and in imports: first those of the
 * list record in the interface's order, then those of the detail record, then the one that only imports
 * have. REST, GraphQL, OpenAPI, documents and the validation of imports derive from it.
 */
export const startupFields = Object.fromEntries(
  Object.entries(fieldTable).map(([path, entry]: [string, FieldEntry]): [string, StartupField] => {
    const property = path.replace(/\.(.)/, (_, letter: string) => letter.toUpperCase());
    const column = entry.stored === 'computed' ? null : toColumnName(property);
    return [path, { shape: 'list', nullable: false, stored: 'column', ...entry, property, column }];
  }),
) as {
  readonly [Path in StartupFieldPath]: StartupField &
    (typeof fieldTable)[Path] & { readonly property: PropertyOf<Path> };
};

type Fields = (typeof startupFields)[StartupFieldPath];
/** The properties of the fields that are packed as details. */
export type DetailProperty = Extract<Fields, { stored: 'detail' | 'recorded' }>['property'];
/** The properties of the fields of some kinds that are columns of the catalogue. */
export type ColumnOf<Kind extends StartupFieldKind> = Exclude<
  Extract<Fields, { kind: Kind }>,
  { stored: Exclude<Storage, 'column'> }
>['property'];

/** Such as growth_mrr_30d for growthMRR30d. */
function toColumnName(property: string): string {
  return property.replace(/(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=\d)/g, '_').toLowerCase();
}

/** A field together with its dotted path. */
export interface NamedStartupField extends StartupField {
  readonly path: StartupFieldPath;
}

/** A field that an import fills, by its dotted path. Those that an operator declares have no column of their own. */
export interface ImportField extends StartupField {
  readonly path: string;
}

/** A field that an operator has declared, as an import fills it. */
export interface OwnImportField extends ImportField {
  readonly own: OwnField;
}

/** A field that an import fills, and the column that has its values. */
export interface ColumnField extends ImportField {
  readonly column: string;
}

/** A field that is stored in the `startups` table. */
export interface StoredStartupField extends NamedStartupField, ColumnField {
  readonly path: StartupFieldPath;
  readonly column: string;
}

/** Fields as a record nests them: each name with the names below it, none for a field with a value. */
export function nestFields(paths: Iterable<StartupFieldPath | OwnPath>): Map<string, readonly string[]> {
  const nested = new Map<string, readonly string[]>();
  for (const path of paths) {
    const [head = '', below] = path.split('.');
    nested.set(head, [...(nested.get(head) ?? []), ...(below === undefined ? [] : [below])]);
  }
  return nested;
}

/** The description of the object `revenue`, which contains three of the fields. */
export const revenueDescription = 'Revenue as verified through the payment provider, in US cents.';

/** All fields in order, each with its path. */
export const startupFieldList: readonly NamedStartupField[] = (
  Object.keys(startupFields) as StartupFieldPath[]
).map((path) => ({ path, ...startupFields[path] }));

/** The fields of a record with these shapes, in order. */
export const fieldsOf = (...shapes: Shape[]): readonly NamedStartupField[] =>
  startupFieldList.filter(({ shape }) => shapes.includes(shape));

/** The fields of the `startups` table, in order. */
export const tableFields: readonly StoredStartupField[] = startupFieldList.filter(
  (field): field is StoredStartupField => field.column !== null,
);

/** Those that an import reads and writes. */
export const storedStartupFields = tableFields.filter(({ stored }) => stored !== 'recorded');

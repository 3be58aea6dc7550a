import {
  type StartupFieldKind,
  type StoredStartupField,
  type startupFields,
  storedStartupFields,
} from '../../startups/fields.ts';
import { codesByHash, countryCode, type VocabularyColumn } from './codes.ts';
import type { CopyRow } from './copy-row.ts';
import { hashBytes } from './hash.ts';
import type { ArrayKind, NumberArray } from './memory.ts';

type StoredField = Exclude<(typeof startupFields)[keyof typeof startupFields], { computed: true }>;
type PropertyOf<Kind extends StartupFieldKind> = Extract<StoredField, { kind: Kind }>['property'];

/**
 * The columns of floating-point numbers: cents, percentages, ms since 1970, ratios. NaN is null; -0 never occurs.
 * `payback` is the measure of best-deal, `slugHash` the hash of the slug, `handleHash` that of the lower-case handle,
 * `websiteKey` hashes of the website's host and path.
 */
export type StoredNumberColumn =
  | PropertyOf<'cents' | 'percent' | 'date' | 'count'>
  | 'revision'
  | 'createdAt'
  | 'updatedAt'
  | 'multiple'
  | 'payback'
  | 'slugHash'
  | 'handleHash'
  | 'websiteKey';
/** The columns by which editions are sorted: also `name`, the number of the name among all names in their order. */
export type NumberColumn = StoredNumberColumn | 'name';
/** The columns of codes (see `codes.ts`), and of flags, which are 0 or 1. */
type ByteColumn = PropertyOf<'choice' | 'boolean'>;
/** The texts of a record, in the order in which they are packed. */
export type TextColumn = PropertyOf<'string' | 'slug' | 'url' | 'handle'>;

/**
 * Every number of every record, by position: positions number the startups in ascending order of ids. `texts` holds
 * where the texts of a record are packed, see `PackedTexts`.
 */
export type StoredColumns = { readonly id: Int32Array } & {
  readonly [Name in StoredNumberColumn]: Float64Array;
} & { readonly [Name in 'country' | 'texts']: Uint32Array } & {
  readonly [Name in ByteColumn]: Uint8Array;
};

/** The same with the numbers of the names, which depend on all records. */
export type Columns = StoredColumns & { readonly name: Float64Array };

/** The name of a column of {@link StoredColumns}. */
export type ColumnName = keyof StoredColumns;

/** How a column is stored and, if it is in the table, how it is read. */
interface ColumnKind {
  readonly array: ArrayKind<NumberArray>;
  read(row: CopyRow): number;
}

/** A column of {@link StoredColumns} that is read from the table. */
interface ReadColumn extends ColumnKind {
  readonly name: ColumnName;
  /** Its name in the table. */
  readonly column: string;
}

const cents: ColumnKind = { array: Float64Array, read: (row) => row.bigint() };
const instant: ColumnKind = { array: Float64Array, read: (row) => row.timestamp() };
const flag: ColumnKind = { array: Uint8Array, read: (row) => row.boolean() };

function kindOf({ kind, property }: StoredStartupField): ColumnKind | 'text' {
  switch (kind) {
    case 'cents':
      return cents;
    case 'percent':
    case 'ratio':
      return { array: Float64Array, read: (row) => row.double() };
    case 'date':
      return instant;
    case 'count':
      return { array: Float64Array, read: (row) => row.count() };
    case 'boolean':
      return flag;
    case 'choice':
      return choice(property as VocabularyColumn);
    case 'country':
      return { array: Uint32Array, read: readCountry };
    case 'string':
    case 'slug':
    case 'url':
    case 'handle':
      return 'text';
  }
}

/** Constraints of the table exclude values that are not in the vocabulary; such a value would be read as null. */
function choice(column: VocabularyColumn): ColumnKind {
  const codes = codesByHash(column);
  return {
    array: Uint8Array,
    read: (row) => (row.text() === -1 ? 0 : (codes.get(hashBytes(row.bytes, row.start, row.end)) ?? 0)),
  };
}

function readCountry(row: CopyRow): number {
  return row.text() === 2
    ? countryCode(row.bytes[row.start] as number, row.bytes[row.start + 1] as number)
    : 0;
}

/** The columns that are read from the table, in the order of the COPY. Texts follow them. */
export const plainColumns: readonly ReadColumn[] = [
  { name: 'id', column: 'id', array: Int32Array, read: (row) => row.integer() },
  { name: 'revision', column: 'revision', ...cents },
  { name: 'createdAt', column: 'created_at', ...instant },
  { name: 'updatedAt', column: 'updated_at', ...instant },
  ...storedStartupFields.flatMap((field) => {
    const kind = kindOf(field);
    return kind === 'text' ? [] : { name: field.property as ColumnName, column: field.column, ...kind };
  }),
];

const textFields = storedStartupFields.filter((field) => kindOf(field) === 'text');

/** The texts of a record, in the order of the COPY, in which they are also packed. */
export const textColumns = textFields.map(({ property }) => property as TextColumn);

/** What to select of `startups`. */
export const selectedColumns = [...plainColumns, ...textFields].map(({ column }) => `"${column}"`).join();

/** Every column, with the array that holds it. */
export const columnArrays: readonly { readonly name: ColumnName; readonly array: ArrayKind<NumberArray> }[] =
  [
    ...plainColumns,
    ...(['multiple', 'payback', 'slugHash', 'handleHash', 'websiteKey'] as const).map((name) => ({
      name,
      array: Float64Array,
    })),
    { name: 'texts', array: Uint32Array },
  ];

/** The position of an id among the first `length` ids, which ascend; undefined if it is not there. */
export function findId(ids: Int32Array, length: number, id: number): number | undefined {
  if (length === 0) {
    return undefined;
  }
  // Ids are unique, which leaves few possible positions: one, if there are no gaps.
  let low = Math.max(0, length - 1 - ((ids[length - 1] as number) - id));
  for (let high = Math.min(length, id - (ids[0] as number) + 1); low < high; ) {
    const middle = (low + high) >>> 1;
    if ((ids[middle] as number) < id) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < length && ids[low] === id ? low : undefined;
}

import {
  type ColumnOf,
  type DetailProperty,
  type StoredStartupField,
  tableFields,
} from '../../model/fields.ts';
import type { OwnField } from '../../model/own-fields.ts';
import { codesByHash, countryCode, type VocabularyColumn } from './codes.ts';
import type { CopyRow } from './copy-row.ts';
import { hashBytes } from './hash.ts';
import type { ArrayKind, NumberArray } from './memory.ts';
import { type OwnColumns, type OwnNumberColumn, otherOwnValues, ownColumnsOf } from './own-columns.ts';

/**
 * The columns of floating-point numbers: cents, counts, percentages, ms since 1970, ratios. NaN is null; -0 never occurs.
 * `dealScore` is the measure of best-deal, `priceReducedAt` when the last change of the price was, if that was a reduction,
 * `slugHash` the hash of the slug, `handleHash` that of the lower-case handle,
 * `websiteKey` hashes of the website's host and path.
 */
type StoredNumberColumn =
  | ColumnOf<'cents' | 'percent' | 'ratio' | 'date' | 'count'>
  | 'revision'
  | 'createdAt'
  | 'updatedAt'
  | 'multiple'
  | 'dealScore'
  | 'priceReducedAt'
  | 'slugHash'
  | 'handleHash'
  | 'websiteKey';
/** The columns by which editions are sorted: also `name`, the number of the name among all names in their order. */
export type NumberColumn = StoredNumberColumn | 'name' | OwnNumberColumn;
/** The columns of codes (see `codes.ts`), and of flags, which are 0 or 1. */
type ByteColumn = ColumnOf<'choice' | 'boolean'>;
/** The texts of a record, in the order in which they are packed. */
export type TextColumn = ColumnOf<'string' | 'slug' | 'url' | 'handle'>;
/** The fields that are packed as details, in their order: as texts, lists with commas. */
export type DetailColumn = DetailProperty;

/**
 * Every number of every record, by position: positions number the startups in ascending order of ids. `texts` holds
 * where the texts of a record are packed, see `PackedTexts`; `details` where its details are, `NOTHING` if it has none.
 * `descriptionCut` is the length of the description in lists, `WHOLE` where that is not cut.
 */
export type StoredColumns = OurColumns & OwnColumns;
type OurColumns = { readonly id: Int32Array } & {
  readonly [Name in StoredNumberColumn]: Float64Array;
} & { readonly [Name in 'country' | 'texts' | 'details']: Uint32Array } & {
  readonly [Name in ByteColumn | 'descriptionCut']: Uint8Array;
};

/** The same with the numbers of the names, which depend on all records. */
export type Columns = StoredColumns & { readonly name: Float64Array };

/** A column by which editions are sorted. */
export const numbersOf = (columns: Columns, name: NumberColumn): Float64Array =>
  columns[name] as Float64Array;

/** The name of a column of {@link StoredColumns}. */
export type ColumnName = keyof StoredColumns;
/** That of one which is not of a declared field. */
export type OurColumnName = keyof OurColumns;

/** How a column is stored and, if it is in the table, how it is read. */
interface ColumnKind {
  readonly array: ArrayKind<NumberArray>;
  read(row: CopyRow): number;
}

/** A column of {@link StoredColumns} that is read from the table. */
interface ReadColumn extends ColumnKind {
  readonly name: OurColumnName;
  /** The expression that selects it. */
  readonly sql: string;
}

const cents: ColumnKind = { array: Float64Array, read: (row) => row.bigint() };
const instant: ColumnKind = { array: Float64Array, read: (row) => row.timestamp() };
const flag: ColumnKind = { array: Uint8Array, read: (row) => row.boolean() };

const double: ColumnKind = { array: Float64Array, read: (row) => row.double() };
const count: ColumnKind = { array: Float64Array, read: (row) => row.count() };
const country: ColumnKind = { array: Uint32Array, read: readCountry };

/** How columns of other kinds than choices are kept. */
const kept = {
  cents,
  count,
  percent: double,
  ratio: double,
  date: instant,
  boolean: flag,
  country,
  string: 'text',
  slug: 'text',
  url: 'text',
  handle: 'text',
} as const;

function kindOf({ kind, property, stored }: StoredStartupField): ColumnKind | 'text' | 'detail' {
  const isList = kind === 'texts' || kind === 'handles';
  if (stored !== 'column' && kind !== 'choice' && kind !== 'country') {
    return 'detail';
  }
  if (stored !== 'column' || isList) {
    throw new Error(
      `${property} cannot be stored as a ${stored}: lists are details, values with codes columns.`,
    );
  }
  return kind === 'choice' ? choice(property as VocabularyColumn) : kept[kind];
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

const read = tableFields.map((field) => ({ ...field, as: kindOf(field) }));

/** The columns that are read from the table, in the order of the COPY. Texts follow them, then details. */
export const plainColumns: readonly ReadColumn[] = [
  { name: 'id', sql: 'id', array: Int32Array, read: (row) => row.integer() },
  { name: 'revision', sql: 'revision', ...cents },
  { name: 'createdAt', sql: 'created_at', ...instant },
  { name: 'updatedAt', sql: 'updated_at', ...instant },
  {
    name: 'priceReducedAt',
    sql: 'CASE WHEN asking_price < previous_asking_price THEN asking_price_changed_at END',
    ...instant,
  },
  ...read.flatMap(({ property, column, as }) =>
    typeof as === 'string' ? [] : [{ name: property as OurColumnName, sql: `"${column}"`, ...as }],
  ),
];

const textFields = read.filter(({ as }) => as === 'text');
/** Those of `detailColumns`, without the last. */
export const detailFields = read.filter(({ as }) => as === 'detail');

/** The texts of a record, in the order of the COPY, in which they are also packed. */
export const textColumns = textFields.map(({ property }) => property as TextColumn);
/** The details, and behind them the values of declared fields that no column has, as JSON. */
export const detailColumns: readonly (DetailColumn | 'own')[] = [
  ...detailFields.map(({ property }) => property as DetailColumn),
  'own',
];

export const TECH_STACK = detailColumns.indexOf('techStack' satisfies DetailColumn);

/** A detail as text: an instant in ms since 1970. */
function detailAsText({ kind, column, property }: StoredStartupField): string {
  if (property === 'askingPriceChangedAt') {
    // Recorded of a first price too, which has not changed.
    return `CASE WHEN previous_asking_price IS NOT NULL THEN ${instantAsText(column)} END`;
  }
  switch (kind) {
    case 'texts':
    case 'handles':
      return `nullif(array_to_string("${column}", ','), '')`;
    case 'date':
      return instantAsText(column);
    case 'string':
      return `"${column}"`;
    default:
      return `"${column}"::text`;
  }
}

const instantAsText = (column: string): string => `(extract(epoch FROM "${column}") * 1000)::bigint::text`;

/** What to select of `startups`: the columns, those of declared fields, the texts, the details. */
export function selectedColumns(own: readonly OwnField[]): string {
  return [
    ...plainColumns.map(({ sql }) => sql),
    ...ownColumnsOf(own).map(({ sql }) => sql),
    ...textFields.map(({ column }) => `"${column}"`),
    ...detailFields.map(detailAsText),
    otherOwnValues(own),
  ].join();
}

/** What is calculated of a row. */
const derivedColumns = ['multiple', 'dealScore', 'slugHash', 'handleHash', 'websiteKey'] as const;

/** Every column but those of declared fields, with the array that holds it. */
export const columnArrays: readonly {
  readonly name: OurColumnName;
  readonly array: ArrayKind<NumberArray>;
}[] = [
  ...plainColumns,
  ...derivedColumns.map((name) => ({ name, array: Float64Array })),
  { name: 'texts', array: Uint32Array },
  { name: 'details', array: Uint32Array },
  { name: 'descriptionCut', array: Uint8Array },
];

/** In place of the length of a cut description, which is less: it is not cut. */
export const WHOLE = 255;

/** The position of an id among the first `length` ids, which ascend; undefined if it is not there. */
export function findId(ids: Int32Array, length: number, id: number): number | undefined {
  const place = placeOf(ids, length, id);
  return place < length && ids[place] === id ? place : undefined;
}

/** Where an id is among the first `length` ids, which ascend, or where it belongs. */
export function placeOf(ids: Int32Array, length: number, id: number): number {
  if (length === 0) {
    return 0;
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
  return low;
}

import { type ColumnOf, tableFields } from '../../model/fields.ts';
import { constantName } from '../../model/vocabulary.ts';
import { hashBytes } from './hash.ts';

export type VocabularyColumn = ColumnOf<'choice'>;
/** The coded columns with a closed vocabulary: a code is the index of the value there, from 1; 0 is null. */
const vocabularies = Object.fromEntries(
  tableFields.flatMap(({ property, values }) => (values === undefined ? [] : [[property, values]])),
) as Readonly<Record<VocabularyColumn, readonly string[]>>;

/** The coded columns that are 0 or 1. */
type FlagColumn = ColumnOf<'boolean'>;
const flags = tableFields.flatMap(({ kind, stored, property }) =>
  kind === 'boolean' && stored === 'column' ? [property as FlagColumn] : [],
);

/** The coded columns that filters use. For countries see {@link countryCode}. */
export type CodeColumn = VocabularyColumn | 'country' | FlagColumn;

/** The codes of a column, by position. */
export type CodeArray = Uint8Array | Uint32Array;

/** Here 0 is a value. */
const CODES_OF_FLAG = new Map([
  [false, 0],
  [true, 1],
]);

const LETTERS = 26;
const A = 65;

/** One more than the highest code, by column. */
export const codeLimits: Readonly<Record<CodeColumn, number>> = {
  ...eachVocabulary((values) => values.length + 1),
  country: LETTERS * LETTERS + 1,
  ...eachFlag(CODES_OF_FLAG.size),
};

/** The code of two capital letters, given as their ASCII codes; 0 for anything else. */
export function countryCode(first: number, second: number): number {
  const [a, b] = [first - A, second - A];
  return a >= 0 && a < LETTERS && b >= 0 && b < LETTERS ? 1 + a * LETTERS + b : 0;
}

/** The values of a column by their codes; null for 0. */
export const values: Readonly<Record<Exclude<CodeColumn, FlagColumn>, readonly (string | null)[]>> = {
  ...eachVocabulary((values) => [null, ...values]),
  country: Array.from({ length: codeLimits.country }, (_, code) => (code === 0 ? null : countryOf(code))),
};

/** The names of the values of a column in GraphQL by their codes; null for 0. */
export const names = eachVocabulary((values): readonly (string | null)[] => [
  null,
  ...values.map(constantName),
]);

/** How the values of vocabularies are written, by their codes: as {@link names} or as {@link values}. */
export type Terms = typeof names;

/** The codes of the values of a column. */
export const codesOf: Readonly<Record<CodeColumn, ReadonlyMap<string | boolean, number>>> = {
  ...eachVocabulary((values) => new Map(values.map((value, index) => [value, index + 1]))),
  country: new Map(values.country.slice(1).map((value, index) => [value as string, index + 1])),
  ...eachFlag(CODES_OF_FLAG),
};

function eachFlag<T>(made: T): Readonly<Record<FlagColumn, T>> {
  return Object.fromEntries(flags.map((column) => [column, made])) as Record<FlagColumn, T>;
}

function eachVocabulary<T>(make: (values: readonly string[]) => T): Readonly<Record<VocabularyColumn, T>> {
  return Object.fromEntries(
    Object.entries(vocabularies).map(([column, values]) => [column, make(values)]),
  ) as Record<VocabularyColumn, T>;
}

function countryOf(code: number): string {
  return String.fromCharCode(A + Math.floor((code - 1) / LETTERS), A + ((code - 1) % LETTERS));
}

/** The codes of a vocabulary by the hash of the bytes of their values, so that reading a row creates no strings. */
export function codesByHash(column: VocabularyColumn): ReadonlyMap<number, number> {
  const values = vocabularies[column];
  const codes = new Map(
    values.map((value, index) => [hashBytes(Buffer.from(value), 0, value.length), index + 1]),
  );
  if (codes.size !== values.length) {
    throw new Error('Two values of a vocabulary share a hash.');
  }
  return codes;
}

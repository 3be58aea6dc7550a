import { isSortedBy, type OwnField, ownFilterOf } from '../../model/own-fields.ts';
import type { CopyRow } from './copy-row.ts';
import type { ArrayKind, NumberArray } from './memory.ts';

/** The column of a declared field by which editions are sorted: a number, NaN for null. */
export type OwnNumberColumn = `own.${string}`;
/** That of a declared field of which lists select values: see {@link choiceCode} and {@link flagCode}; 0 is null. */
type OwnCodeColumn = `ownCode.${string}`;

/** The columns of the declared fields that are indexed, by position. */
export type OwnColumns = { readonly [Name in OwnNumberColumn]: Float64Array } & {
  readonly [Name in OwnCodeColumn]: Uint8Array;
};

/** How a column is read from the rows of a COPY. */
interface OwnColumn {
  readonly name: OwnNumberColumn | OwnCodeColumn;
  readonly array: ArrayKind<NumberArray>;
  readonly sql: string;
  read(row: CopyRow): number;
}

export const ownNumberColumn = (name: string): OwnNumberColumn => `own.${name}`;
export const ownCodeColumn = (name: string): OwnCodeColumn => `ownCode.${name}`;

/** The code of a value of a choice; undefined for one that no startup has. */
export function choiceCode({ choices }: OwnField, value: string): number | undefined {
  const index = choices.indexOf(value);
  return index === -1 ? undefined : index + 1;
}
export const flagCode = (value: boolean): number => (value ? 2 : 1);

/** One more than the highest code. */
export const ownCodeLimit = ({ choices }: OwnField): number => Math.max(choices.length, flagCode(true)) + 1;

/** The value of a code; null for 0. */
export function valueOfCode({ kind, choices }: OwnField, code: number): string | boolean | null {
  if (code === 0) {
    return null;
  }
  return kind === 'choice' ? (choices[code - 1] ?? null) : code === flagCode(true);
}

/** The columns of the declared fields that are indexed, in their order. */
export function ownColumnsOf(fields: readonly OwnField[]): readonly OwnColumn[] {
  return fields.flatMap((field): OwnColumn[] => {
    const { name, kind } = field;
    if (isSortedBy(field)) {
      // Whatever else wrote the table, a value of another type is none.
      const sql = `CASE WHEN jsonb_typeof(own->'${name}') = 'number' THEN (own->>'${name}')::float8 END`;
      return [{ name: ownNumberColumn(name), array: Float64Array, sql, read: (row) => row.double() }];
    }
    if (ownFilterOf(field) === undefined) {
      return [];
    }
    const known = `ARRAY[${field.choices.map(quoteText).join()}]::text[]`;
    const sql =
      kind === 'choice'
        ? `array_position(${known}, own->>'${name}')`
        : `CASE own->'${name}' WHEN 'false' THEN ${flagCode(false)} WHEN 'true' THEN ${flagCode(true)} END`;
    // As a byte, the NaN of null is 0.
    return [{ name: ownCodeColumn(name), array: Uint8Array, sql, read: (row) => row.count() }];
  });
}

/** The expression for the values that no column has, as a JSON object; null if there are none. */
export function otherOwnValues(fields: readonly OwnField[]): string {
  const indexed = fields.filter((field) => ownFilterOf(field) !== undefined);
  const names = indexed.map(({ name }) => quoteText(name)).join();
  return `nullif((own - ARRAY[${names}]::text[])::text, '{}')`;
}

const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`;

/**
 * Whether rows that were read with some declarations can be continued with later ones: their columns hold the same, and those
 * that are added hold nothing yet. No startup has a value before its field is declared, or after that was removed.
 */
export function continuesColumns(before: readonly OwnField[], now: readonly OwnField[]): boolean {
  const [earlier, later] = [before, now].map((fields) =>
    fields.filter((field) => ownFilterOf(field) !== undefined),
  ) as [OwnField[], OwnField[]];
  return (
    earlier.length <= later.length &&
    earlier.every(({ name, kind, choices }, index) => {
      const other = later[index] as OwnField;
      const isContinued = choices.every((choice, at) => other.choices[at] === choice);
      return name === other.name && kind === other.kind && isContinued;
    })
  );
}

/** Whether rows that are being written with some declarations have the columns of later ones. */
export const hasSameColumns = (before: readonly OwnField[], now: readonly OwnField[]): boolean =>
  continuesColumns(before, now) && ownColumnsOf(before).length === ownColumnsOf(now).length;

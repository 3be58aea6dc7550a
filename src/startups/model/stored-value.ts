/** A value in the format of the staging table: dates as ISO 8601 in UTC, lists as literals of PostgreSQL. */
export type StoredValue = string | number | boolean | null;

/** The elements of a list as it is staged. */
export const listItems = (literal: string): string[] =>
  [...literal.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) => text.replace(/\\(.)/g, '$1'));

/** A valid record's values, in the order of the fields that an import can fill. */
export type StartupRow = StoredValue[];

/** Of an update in part, which fields a record has, in the same order. */
export type Given = readonly boolean[];

/** A value in the format of the staging table: dates as ISO 8601 in UTC, lists as literals of PostgreSQL. */
export type StoredValue = string | number | boolean | null;

/** A valid record's values, in the order of `storedStartupFields`. */
export type StartupRow = StoredValue[];

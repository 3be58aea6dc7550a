/** A value in the format of the staging table: dates as ISO 8601 in UTC, lists as literals of PostgreSQL. */
export type StoredValue = string | number | boolean | null;

/** The rule of one field. */
export interface Check {
  /** The allowed values, in words. */
  readonly allowed: string;
  /** The value to store, or undefined when it is not allowed. Never sees null or undefined. */
  read(value: unknown): StoredValue | undefined;
  /** How to fix an invalid value, if that can be guessed. */
  fix?(value: unknown): string | undefined;
}

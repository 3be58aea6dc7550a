import { readDate } from './dates.ts';
import { dayOf, isBeginningOfDay } from './days.ts';

/** The format that {@link readInstant} accepts. */
export const ALLOWED_INSTANT = 'a date-time with its offset such as 2024-05-01T12:00:00Z, ISO 8601';

/** Parses an instant with an offset; undefined for anything else, a date without a time included. */
export function readInstant(text: string): Date | undefined {
  const date = text.includes('T') ? readDate(text) : undefined;
  return date === undefined ? undefined : new Date(date);
}

/** The text of an instant: ISO 8601 in UTC with milliseconds. */
export function writeInstant(instant: Date): string {
  // Most are dates without a time, and the texts of days are known.
  return isBeginningOfDay(instant) ? `${dayOf(instant)}T00:00:00.000Z` : instant.toISOString();
}

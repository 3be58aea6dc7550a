// A bare date, or a date and time with its offset.
const SHAPE =
  /^(\d{4})-(\d{2})-(\d{2})(?:T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d))?$/;

/**
 * Parses the time at which a key expires: ISO 8601, where a bare date is midnight UTC.
 *
 * @returns undefined for any other text, for a day that does not exist, and for a time without
 * an offset, which would depend on the time zone of the machine.
 */
export function parseExpiry(text: string): Date | undefined {
  const match = SHAPE.exec(text);
  if (match === null) {
    return undefined;
  }
  const [year, month, day] = match.slice(1, 4).map(Number) as [number, number, number];
  // The parser would silently convert 30 February to 2 March.
  const midnight = new Date(Date.UTC(year, month - 1, day));
  if (midnight.getUTCMonth() !== month - 1 || midnight.getUTCDate() !== day) {
    return undefined;
  }
  const moment = new Date(text);
  return Number.isNaN(moment.getTime()) ? undefined : moment;
}

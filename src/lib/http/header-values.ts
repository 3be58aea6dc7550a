import { parseAccept } from 'hono/utils/accept';

/**
 * The quality that `Accept` or `Accept-Encoding` gives to the first of some names that it has, from 0 to 1; 0 if it has none of
 * them. Hono's parser reads any header in time linear in its length.
 */
export function acceptedQuality(header: string, ...names: readonly string[]): number {
  const accepted = parseAccept(header);
  const found = names.map((name) => accepted.find(({ type }) => type.toLowerCase() === name));
  return found.find((one) => one !== undefined)?.q ?? 0;
}

/** Tags of If-None-Match without what Apache adds to the tag of a response that it compresses: "x-gzip" is "x". */
export function plainTags(ifNoneMatch: string): string {
  return ifNoneMatch.replace(/-(?:gzip|br)"/g, '"');
}

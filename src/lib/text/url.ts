/**
 * A URL; undefined for a text that is none. For texts of others: `URL.canParse` rejects letters such as ü after some
 * thousand calls, in Node 20 and 22.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text);
  } catch {
    return undefined;
  }
}

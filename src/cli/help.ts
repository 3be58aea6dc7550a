/** The last part of a help text. */
export function examples(...lines: readonly string[]): string {
  return ['', lines.length === 1 ? 'Example:' : 'Examples:', ...lines.map((text) => `  ${text}`)].join('\n');
}

/** Wide enough for a terminal of the usual size. */
export const DEFAULT_COLUMNS = 80;

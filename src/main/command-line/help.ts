/** Of a terminal of the usual size. */
const USUAL_COLUMNS = 80;
/** No text is made to fit less. */
const MIN_COLUMNS = 60;
/** Descriptions of options have at least as much of that beside the longest option. */
export const MIN_DESCRIPTION = 22;

/** The columns that a help text has. */
export function helpWidth(columns: number | undefined): number {
  return Math.max(MIN_COLUMNS, columns ?? USUAL_COLUMNS);
}

/** The last part of a help text: command lines as they work in a clone and in a project, where `revgate` alone is not found. */
export function examples(lines: readonly string[]): string {
  const texts = lines.map((text) => `  ${text.replace(/(?<![\w/])revgate (?=[a-z])/g, 'npx revgate ')}`);
  return ['', lines.length === 1 ? 'Example:' : 'Examples:', ...texts].join('\n');
}

import { type CommandSurroundings, line } from './command.ts';

const INDENT = '    ';

/** Prints a table: on a terminal as wide as that, elsewhere each row in one line. */
export function printTable(
  { stdout, columns }: Pick<CommandSurroundings, 'stdout' | 'columns'>,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): void {
  for (const text of formatTable(header, rows, columns)) {
    line(stdout, text);
  }
}

/**
 * Lines of a table with aligned columns, the last one as wide as it is.
 *
 * @param width if the last cell of a row does not fit it, the cell is wrapped: nothing is cut off.
 */
export function formatTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  width = Number.POSITIVE_INFINITY,
): string[] {
  const lines = [header, ...rows];
  const widths = header.map((_, column) => Math.max(...lines.map((cells) => (cells[column] ?? '').length)));
  return lines.flatMap((cells) => {
    const last = cells.at(-1) ?? '';
    const start = cells
      .slice(0, -1)
      .map((cell, column) => `${cell.padEnd(widths[column] ?? 0)}  `)
      .join('');
    return start.length + last.length <= width
      ? [(start + last).trimEnd()]
      : [start.trimEnd(), ...wrap(last, width - INDENT.length).map((text) => INDENT + text)];
  });
}

/** Breaks a text between words, or within those that are too long. */
export function wrap(text: string, width: number): string[] {
  const part = `\\S.{0,${width - 1}}`;
  return text.match(new RegExp(`${part}(?=\\s|$)|${part}`, 'gu'))?.map((line) => line.trimEnd()) ?? [];
}

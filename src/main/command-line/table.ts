import { oneLine } from '../../lib/text/one-line.ts';
import { type CommandContext, line, printJson } from './command.ts';

const INDENT = '    ';

/** The columns of a list by their headings, each with the cell of an item. */
export interface ListFormat<Item> {
  readonly columns: Readonly<Record<string, (item: Item, context: CommandContext) => string>>;
  /** Written to standard error if there is no item. */
  readonly ifEmpty: string;
}

/** Prints a list: as a JSON array if that was asked for, otherwise as a table, on a terminal as wide as that. */
export function printList<Item>(
  context: CommandContext,
  isJson: boolean,
  items: readonly Item[],
  { columns, ifEmpty }: ListFormat<Item>,
): void {
  const { stdout, stderr, columns: width } = context;
  if (isJson) {
    printJson(stdout, items);
  } else if (items.length === 0) {
    line(stderr, ifEmpty);
  } else {
    const rows = items.map((item) => Object.values(columns).map((cell) => oneLine(cell(item, context))));
    for (const text of formatTable(Object.keys(columns), rows, width)) {
      line(stdout, text);
    }
  }
}

/**
 * Lines of a table with aligned columns, the last one as wide as it is.
 *
 * @param width if the last cell of a row does not fit it, the cell is wrapped. Nothing is cut off.
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

/** Lines are not broken into shorter parts, however narrow a terminal is. */
const MIN_WIDTH = 12;

/** Breaks a text between words, or within those that are too long. */
export function wrap(text: string, width: number): string[] {
  const part = `\\S.{0,${Math.max(MIN_WIDTH, width) - 1}}`;
  return text.match(new RegExp(`${part}(?=\\s|$)|${part}`, 'gu'))?.map((line) => line.trimEnd()) ?? [];
}

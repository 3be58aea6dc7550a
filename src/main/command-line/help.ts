import type { AddHelpTextContext, Command } from 'commander';
import { wrap } from './table.ts';

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

/** The last part of a help text: command lines, which are continued on the next line where they are too long. */
export function examples(lines: readonly string[]): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const width = widthOf(command);
    const texts = lines.map(asTyped).map((text) => `  ${wrapCommand(text, width - 4).join(' \\\n    ')}`);
    return ['', lines.length === 1 ? 'Example:' : 'Examples:', ...texts].join('\n');
  };
}

/** A command line as it works in a clone and in a project, where `revgate` alone is not found. */
const asTyped = (text: string): string => text.replace(/(?<![\w/])revgate (?=[a-z])/g, 'npx revgate ');

/** A paragraph of a help text. */
export function paragraph(text: string): (context: AddHelpTextContext) => string {
  return ({ command }) => ['', ...wrap(text, widthOf(command))].join('\n');
}

/** The columns of the help of a command. */
function widthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? USUAL_COLUMNS;
}

/** Breaks a command line between its words; the last column is for the backslash. */
function wrapCommand(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.match(/(?:"[^"]*"|[^\s"])+/g) ?? []) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width - 2) {
      lines[lines.length - 1] = `${last} ${word}`;
    } else {
      lines.push(word);
    }
  }
  return lines;
}

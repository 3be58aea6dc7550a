import { type AddHelpTextContext, type Command, Help } from 'commander';
import { wrap } from './table.ts';

/** Wide enough for a terminal of the usual size. */
const DEFAULT_COLUMNS = 80;
/** No text is made to fit less. */
const MIN_COLUMNS = 40;
/** Below this, descriptions are on lines of their own. */
const MIN_DESCRIPTION = 28;

/** The columns that a help text has. */
export function helpWidth(columns: number | undefined): number {
  return Math.max(MIN_COLUMNS, columns ?? DEFAULT_COLUMNS);
}

/** How commander lays out help, so that it fits narrow terminals too. */
export const helpLayout: Partial<Help> = {
  formatItem(term, termWidth, description, helper) {
    const width = helper.helpWidth ?? DEFAULT_COLUMNS;
    if (width - termWidth - 4 >= MIN_DESCRIPTION) {
      return Help.prototype.formatItem.call(helper, term, termWidth, description, helper);
    }
    return fitLines(`  ${term}\n${indent(wrap(description, width - 6), 6)}`, width);
  },
  formatHelp(command, helper) {
    return fitLines(
      Help.prototype.formatHelp.call(helper, command, helper),
      helper.helpWidth ?? DEFAULT_COLUMNS,
    );
  },
};

/** The last part of a help text: command lines, which are continued on the next line where they are too long. */
export function examples(lines: readonly string[]): (context: AddHelpTextContext) => string {
  return ({ command }) => {
    const width = widthOf(command);
    const texts = lines.map((text) => `  ${wrapCommand(text, width - 4).join(' \\\n    ')}`);
    return ['', lines.length === 1 ? 'Example:' : 'Examples:', ...texts].join('\n');
  };
}

/** A paragraph of a help text. */
export function paragraph(text: string): (context: AddHelpTextContext) => string {
  return ({ command }) => ['', ...wrap(text, widthOf(command))].join('\n');
}

/** The columns of the help of a command. */
function widthOf(command: Command): number {
  return command.configureOutput().getOutHelpWidth?.() ?? DEFAULT_COLUMNS;
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

/** Breaks lines that are too long between words. */
function fitLines(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const spaces = /^ */.exec(line)?.[0].length ?? 0;
      return line.length <= width ? line : indent(wrap(line.trim(), width - spaces - 2), spaces + 2).slice(2);
    })
    .join('\n');
}

function indent(lines: readonly string[], spaces: number): string {
  return lines.map((line) => ' '.repeat(spaces) + line).join('\n');
}

/** Splits a CSV file into rows and cells, line by line. */
interface RowScanner {
  /** Reads the next line of a row. `open`: a quoted cell continues in the line after it. */
  read(line: string, number: number): 'whole' | 'open' | 'invalid';
  /** The line with the opening quote of the last quoted cell that spans lines. */
  readonly opened: number | undefined;
  /** The cells so far; the next line begins a new row. */
  take(): string[];
}

export type Separator = ',' | ';' | '\t';

/** The separator that a CSV file's first line has most often outside of quotes. */
export function findSeparator(line: string): Separator {
  const plain = line.replace(/"[^"]*"/g, '');
  const count = (separator: Separator): number => plain.split(separator).length;
  const [first] = ([',', ';', '\t'] as const).toSorted((one, other) => count(other) - count(one));
  return first ?? ',';
}

/** Each line is read once, however many of them one cell spans. */
export function createRowScanner(separator: Separator): RowScanner {
  let cells: string[] = [];
  let quoted: string[] | undefined;
  let opened: number | undefined;
  return {
    get opened() {
      return opened;
    },
    read(line, number) {
      let began = quoted === undefined ? number : opened;
      // The row's own end may be CR LF; inside quotes a CR belongs to the cell.
      const end = line.endsWith('\r') ? line.length - 1 : line.length;
      let at = 0;
      for (;;) {
        if (quoted === undefined) {
          if (line[at] === '"') {
            quoted = [];
            began = number;
            at += 1;
            continue;
          }
          const next = line.indexOf(separator, at);
          const cell = line.slice(at, next === -1 ? end : next);
          if (cell.includes('"')) {
            return 'invalid';
          }
          cells.push(cell);
          if (next === -1) {
            return 'whole';
          }
          at = next + 1;
          continue;
        }
        const quote = line.indexOf('"', at);
        if (quote === -1) {
          quoted.push(line.slice(at), '\n');
          opened = began;
          return 'open';
        }
        quoted.push(line.slice(at, quote));
        at = quote + 1;
        if (line[at] === '"') {
          quoted.push('"');
          at += 1;
          continue;
        }
        cells.push(quoted.join(''));
        quoted = undefined;
        if (at >= end) {
          return 'whole';
        }
        if (line[at] !== separator) {
          return 'invalid';
        }
        at += 1;
      }
    },
    take() {
      const taken = cells;
      cells = [];
      quoted = undefined;
      opened = undefined;
      return taken;
    },
  };
}

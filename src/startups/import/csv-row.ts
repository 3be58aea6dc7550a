/** Splits a CSV file into rows and cells, line by line. */
interface RowScanner {
  /** Reads the next line of a row. `open`: a quoted cell continues in the line after it. */
  read(line: string): 'whole' | 'open' | 'invalid';
  /** The cells so far; the next line begins a new row. */
  take(): string[];
}

/** Each line is read once, however many of them one cell spans. */
export function createRowScanner(): RowScanner {
  let cells: string[] = [];
  let quoted: string[] | undefined;
  return {
    read(line) {
      // The row's own end may be CR LF; inside quotes a CR belongs to the cell.
      const end = line.endsWith('\r') ? line.length - 1 : line.length;
      let at = 0;
      for (;;) {
        if (quoted === undefined) {
          if (line[at] === '"') {
            quoted = [];
            at += 1;
            continue;
          }
          const comma = line.indexOf(',', at);
          const cell = line.slice(at, comma === -1 ? end : comma);
          if (cell.includes('"')) {
            return 'invalid';
          }
          cells.push(cell);
          if (comma === -1) {
            return 'whole';
          }
          at = comma + 1;
          continue;
        }
        const quote = line.indexOf('"', at);
        if (quote === -1) {
          quoted.push(line.slice(at), '\n');
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
        if (line[at] !== ',') {
          return 'invalid';
        }
        at += 1;
      }
    },
    take() {
      const taken = cells;
      cells = [];
      quoted = undefined;
      return taken;
    },
  };
}

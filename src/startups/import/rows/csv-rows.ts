import { type InputError, MOST_COLUMNS, showText, TooManyColumns, UnreadableInput } from '../errors.ts';
import { type Line, MAX_RECORD_BYTES } from './lines.ts';

/** A row of a CSV file that has a value. */
export interface Row {
  /** The line on which it begins. */
  readonly line: number;
  /** The line on which it ends. */
  readonly end: number;
  readonly text: string;
  readonly cells: string[];
  readonly error: InputError | undefined;
}

/** Reads the lines of a CSV file as rows. Until the header is known, each line may have another separator. */
export interface RowReader {
  /** Rows that have a value. The next one is read when it is asked for. */
  read(lines: readonly Line[]): Generator<Row>;
  /** After the header: its separator separates the cells of all other rows, which have this number of cells. */
  begin(header: Row, columns: number): void;
  /** @throws UnreadableInput if the last row has not ended. */
  end(): void;
}

/** How many rows, such as a title, may precede the header. */
export const MOST_TITLES = 20;

/** What Excel writes into the first line to name the separator. */
const NAMED_SEPARATOR = /^"?sep=([,;\t])"?\r?$/i;

export function createRowReader(): RowReader {
  let separator: Separator | undefined;
  let scanner = createRowScanner(',');
  let columns: number | undefined;
  let began = 0;
  let texts: string[] = [];
  let length = 0;

  /** The row that this line ends; undefined if it continues, or has no value. */
  const readLine = (line: Line): Row | undefined => {
    if (texts.length === 0) {
      began = line.number;
      if (columns === undefined) {
        scanner = createRowScanner(separator ?? findSeparator(line.text));
      }
    }
    texts.push(line.text);
    length += line.text.length + 1;
    let state = line.error === undefined ? scanner.read(line.text, line.number) : 'invalid';
    if (state === 'invalid' && columns === undefined && texts.length > 1) {
      // The first line of the header may end before any separator.
      scanner = createRowScanner(separator ?? findSeparator(texts.join('\n')));
      for (const [index, text] of texts.entries()) {
        state = scanner.read(text, began + index);
      }
    }
    const { opened } = scanner;
    if (state === 'open') {
      if (length > MAX_RECORD_BYTES) {
        throw unclosed(began, opened, texts);
      }
      return undefined;
    }
    const cells = scanner.take();
    if (columns === undefined && cells.length > MOST_COLUMNS) {
      throw new TooManyColumns(began, 'header', cells.length);
    }
    const text = texts.join('\n');
    texts = [];
    length = 0;
    if (state === 'whole' && cells.every((cell) => cell === '')) {
      return undefined;
    }
    const error =
      line.error ??
      (state === 'invalid'
        ? misquoted(began, line.text, opened)
        : columns === undefined || cells.length === columns
          ? undefined
          : miscounted(began, cells.length, columns, separator, opened));
    return { line: began, end: line.number, text, cells, error };
  };

  return {
    *read(lines) {
      for (const line of lines) {
        if (texts.length === 0 && line.error === undefined && line.text.trim() === '') {
          continue;
        }
        const [, named] = (line.number === 1 && NAMED_SEPARATOR.exec(line.text)) || [];
        if (named !== undefined) {
          separator = named as Separator;
          continue;
        }
        const row = readLine(line);
        if (row !== undefined) {
          yield row;
        }
      }
    },
    begin({ text }, count) {
      separator ??= findSeparator(text);
      scanner = createRowScanner(separator);
      columns = count;
      texts = [];
      length = 0;
    },
    end() {
      if (texts.length > 0) {
        throw unclosed(began, scanner.opened, texts);
      }
    },
  };
}

function miscounted(
  line: number,
  cells: number,
  columns: number,
  separator: Separator | undefined,
  opened: number | undefined,
): InputError {
  const fix =
    cells > columns && separator === ','
      ? 'text with a comma needs quotes, and a number needs a decimal point'
      : closeQuote(opened);
  return { line, field: 'record', got: `${cells} cells`, allowed: `${columns} cells`, fix };
}

const ALLOWED_QUOTES = 'the whole cell in quotes, and each quote inside it doubled';

/** The fix of a row that a quote may have joined with the next ones. */
function closeQuote(opened: number | undefined): string | undefined {
  return opened === undefined ? undefined : `is the quote that was opened in line ${opened} closed?`;
}

function misquoted(line: number, text: string, opened: number | undefined): InputError {
  return { line, field: 'record', got: showText(text), allowed: ALLOWED_QUOTES, fix: closeQuote(opened) };
}

/** @param opened the line of the quote; the first of `texts` is the line `began`. */
function unclosed(began: number, opened = began, texts: readonly string[]): UnreadableInput {
  const got = `a quote that is never closed, in ${showText(texts[opened - began] ?? '')}`;
  return new UnreadableInput({ line: opened, field: 'record', got, allowed: ALLOWED_QUOTES });
}

type Separator = ',' | ';' | '\t';

/** The separator that a CSV file's first line has most often outside of quotes. */
function findSeparator(line: string): Separator {
  const plain = line.replace(/"[^"]*"/g, '');
  const count = (separator: Separator): number => plain.split(separator).length;
  const [first] = ([',', ';', '\t'] as const).toSorted((one, other) => count(other) - count(one));
  return first ?? ',';
}

/** Splits a CSV file into rows and cells, line by line. */
interface RowScanner {
  /** Reads the next line of a row. `open`: a quoted cell continues in the line after it. */
  read(line: string, number: number): 'whole' | 'open' | 'invalid';
  /** The line with the opening quote of the last quoted cell that spans lines. */
  readonly opened: number | undefined;
  /** The cells so far; the next line begins a new row. */
  take(): string[];
}

const SPACE = 0x20;
const LAST_ASCII = 0x7f;

/** A cell without white space around it. Most have none, and trimming costs as much as finding the cell. */
function trimCell(cell: string): string {
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(cell.length - 1)];
  return first <= SPACE || last <= SPACE || first > LAST_ASCII || last > LAST_ASCII ? cell.trim() : cell;
}

/** Each line is read once, however many of them one cell spans. */
function createRowScanner(separator: Separator): RowScanner {
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
          const next = line.indexOf(separator, at);
          const cell = trimCell(line.slice(at, next === -1 ? end : next));
          if (cell.startsWith('"')) {
            quoted = [];
            began = number;
            at = line.indexOf('"', at) + 1;
            continue;
          }
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
        // White space between the closing quote and the separator belongs to no cell.
        while (at < end && line[at] !== separator && trimCell(line.charAt(at)) === '') {
          at += 1;
        }
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

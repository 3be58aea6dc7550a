import { type InputError, MOST_COLUMNS, showText, tooManyColumns, UnreadableInput } from './errors.ts';
import { SAVE_AS_CSV } from './input.ts';
import { type Line, MAX_RECORD_BYTES } from './lines.ts';

/** A row of a CSV file that has a value. */
export interface Row {
  /** The line on which it begins. */
  readonly line: number;
  readonly text: string;
  readonly cells: string[];
  readonly error: InputError | undefined;
}

/** How many rows, such as a title, may precede the header. */
const MOST_TITLES = 20;

/** A table whose header is known. */
export type CsvTable = NonNullable<Awaited<ReturnType<typeof openTable>>>;

/**
 * Opens a table of CSV (RFC 4180), or the same with semicolons or tabs. Until its header is known, each row may have another separator.
 *
 * @returns undefined for a table without a row.
 * @throws UnreadableInput for a header of too many columns, and later for a last row that has not ended.
 */
export async function openTable(source: AsyncGenerator<Line[]>) {
  const { rows, lines } = await readBeginning(source);
  const at = findHeader(rows);
  const header = rows[at];
  if (header === undefined) {
    return undefined;
  }
  const { line, text, cells } = header;
  if (rows.length === 1 && /\r\s*\S/.test(withoutQuoted(text))) {
    // As on a Mac before 2001: all of them would be one.
    const allowed = 'lines that end with LF or CR LF';
    throw new UnreadableInput({
      line,
      field: 'file',
      got: 'lines that end with CR alone',
      allowed,
      fix: SAVE_AS_CSV,
    });
  }
  if (cells.length > MOST_COLUMNS) {
    throw tooManyColumns(line, 'header', cells.length);
  }
  return {
    /** The rows above the header. */
    titles: rows.slice(0, at),
    header,
    /** The rows below it, as they come; each is read when it is asked for. */
    rows: readBelow(),
  };

  async function* readBelow(): AsyncGenerator<Iterable<Row>> {
    // Again, now that the separator is known.
    const reader = createRowReader(findSeparator(text), cells.length);
    const below = line + text.split('\n').length;
    yield reader.read(lines.filter(({ number }) => number >= below));
    for await (const more of source) {
      yield reader.read(more);
    }
    reader.end();
  }
}

/** The first row with more than half as many cells as the fullest one: a title has fewer. */
function findHeader(rows: readonly Row[]): number {
  const filled = rows.map(({ cells }) => cells.filter((cell) => cell !== '').length);
  const most = Math.max(...filled, 2);
  return Math.max(
    0,
    filled.findIndex((count) => count > most / 2),
  );
}

async function readBeginning(source: AsyncGenerator<Line[]>) {
  const reader = createRowReader();
  const rows: Row[] = [];
  let lines: Line[] = [];
  try {
    while (rows.length <= MOST_TITLES) {
      const next = await source.next();
      if (next.done) {
        if (rows.length === 0) {
          reader.end();
        }
        break;
      }
      lines = lines.concat(next.value);
      for (const row of reader.read(next.value)) {
        if (rows.push(row) > MOST_TITLES) {
          break;
        }
      }
    }
  } catch (error) {
    // A cell of several lines, which is never above the header.
    if (!(error instanceof UnreadableInput) || rows.length === 0) {
      throw error;
    }
  }
  return { rows, lines };
}

const withoutQuoted = (text: string): string => text.replace(/"[^"]*"/g, '');

type Separator = ',' | ';' | '\t' | '|';

/**
 * The separator that a CSV file's first line has most often outside of quotes. A bar is one only where there is no other: it
 * also separates the items of lists inside cells.
 */
function findSeparator(line: string): Separator {
  const plain = withoutQuoted(line);
  const count = (separator: Separator): number => plain.split(separator).length;
  const [first = ','] = ([',', ';', '\t'] as const).toSorted((one, other) => count(other) - count(one));
  return count(first) === 1 && count('|') > 1 ? '|' : first;
}

const ALLOWED_QUOTES = 'the whole cell in quotes, and each quote inside it doubled';
const SPACE = 0x20;
const LAST_ASCII = 0x7f;
/** The text of a quoted cell up to its end, or that of the line. */
const QUOTED = /[^"]*(?:""[^"]*)*/y;

/** A cell without white space around it. Most have none, and trimming costs as much as finding the cell. */
function trimCell(cell: string): string {
  const [first, last] = [cell.charCodeAt(0), cell.charCodeAt(cell.length - 1)];
  return first <= SPACE || last <= SPACE || first > LAST_ASCII || last > LAST_ASCII ? cell.trim() : cell;
}

/**
 * Reads lines as rows.
 *
 * @param known what separates the cells; by default what the first line of each row has most often.
 * @param columns how many cells each row must have.
 */
function createRowReader(known?: Separator, columns?: number) {
  let separator = known ?? ',';
  // Of the row that is being read: its lines so far, and the cells that have ended.
  let texts: string[] = [];
  let length = 0;
  let began = 0;
  let cells: string[] = [];
  /** The text of a quoted cell that has not ended. */
  let quoted: string | undefined;
  /** The line with the opening quote of the last quoted cell that spans lines. */
  let opened: number | undefined;

  const endOf = (line: string, at: number): number => {
    const next = line.indexOf(separator, at);
    return next === -1 ? line.length : next;
  };

  /** Reads a line once, however many of them one cell spans. `open`: a quoted cell continues in the next one. */
  const scan = (line: string, number: number): 'whole' | 'open' | 'invalid' => {
    if (quoted === undefined && !line.includes('"')) {
      cells = line.split(separator).map(trimCell);
      return 'whole';
    }
    let quotedAt = opened;
    for (let at = 0; at <= line.length; ) {
      if (quoted === undefined) {
        const end = endOf(line, at);
        const cell = trimCell(line.slice(at, end));
        if (!cell.startsWith('"')) {
          if (cell.includes('"')) {
            return 'invalid';
          }
          cells.push(cell);
          at = end + 1;
          continue;
        }
        quoted = '';
        quotedAt = number;
        at = line.indexOf('"', at) + 1;
      }
      QUOTED.lastIndex = at;
      const [text = ''] = QUOTED.exec(line) ?? [];
      quoted += text.replaceAll('""', '"');
      at += text.length;
      if (at === line.length) {
        quoted += '\n';
        opened = quotedAt;
        return 'open';
      }
      cells.push(quoted);
      quoted = undefined;
      const end = endOf(line, at + 1);
      // White space between the closing quote and the separator belongs to no cell, nor does the CR of a line's end.
      if (line.slice(at + 1, end).trim() !== '') {
        return 'invalid';
      }
      at = end + 1;
    }
    return 'whole';
  };

  const clear = (): void => {
    cells = [];
    quoted = undefined;
    opened = undefined;
  };

  const errorOf = (state: 'whole' | 'invalid', text: string): InputError | undefined => {
    // A quote may have joined it with the next rows.
    const fix = opened === undefined ? undefined : `is the quote that was opened in line ${opened} closed?`;
    const place = { line: began, field: 'record' };
    if (state === 'invalid') {
      return { ...place, got: showText(text), allowed: ALLOWED_QUOTES, fix };
    }
    if (columns === undefined || cells.length === columns) {
      return undefined;
    }
    const isCut = cells.length > columns && separator === ',';
    return {
      ...place,
      got: `${cells.length} cells`,
      allowed: `${columns} cells`,
      fix: isCut ? 'text with a comma needs quotes, and a number needs a decimal point' : fix,
    };
  };

  const unclosed = (): UnreadableInput => {
    const line = opened ?? began;
    const got = `a quote that is never closed, in ${showText(texts[line - began] ?? '')}`;
    return new UnreadableInput({ line, field: 'record', got, allowed: ALLOWED_QUOTES });
  };

  /** The row that this line ends; undefined if it continues, or has no value. */
  const readLine = ({ number, text, error }: Line): Row | undefined => {
    if (texts.length === 0) {
      began = number;
      separator = known ?? findSeparator(text);
    }
    texts.push(text);
    length += text.length + 1;
    let state = error === undefined ? scan(text, number) : 'invalid';
    if (state === 'invalid' && known === undefined && texts.length > 1) {
      // The first line of a header may end before any separator.
      separator = findSeparator(texts.join('\n'));
      clear();
      for (const [index, one] of texts.entries()) {
        state = scan(one, began + index);
      }
    }
    if (state === 'open') {
      if (length > MAX_RECORD_BYTES) {
        throw unclosed();
      }
      return undefined;
    }
    const row = { line: began, text: texts.join('\n'), cells, error: error ?? errorOf(state, text) };
    texts = [];
    length = 0;
    clear();
    return state === 'whole' && row.cells.every((cell) => cell === '') ? undefined : row;
  };

  return {
    /** The rows that have a value. The next one is read when it is asked for. */
    *read(lines: readonly Line[]): Generator<Row> {
      for (const line of lines) {
        if (texts.length > 0 || line.error !== undefined || line.text.trim() !== '') {
          const row = readLine(line);
          if (row !== undefined) {
            yield row;
          }
        }
      }
    },
    /** @throws UnreadableInput if the last row has not ended. */
    end(): void {
      if (texts.length > 0) {
        throw unclosed();
      }
    },
  };
}

import { type CsvColumn, cellOf, readCsvHeader, toRecord } from './csv-columns.ts';
import { createRowScanner } from './csv-row.ts';
import { type InputError, showText, UnreadableInput } from './errors.ts';
import type { Position } from './input.ts';
import { ALLOWED_LENGTH, type Line, MAX_RECORD_BYTES, readLines } from './lines.ts';

/** One row of a CSV file as the record that it contains. */
interface CsvRow {
  line: number;
  value: Record<string, unknown>;
  /** How the number at a dotted path was written. */
  numberText: (path: string) => string | undefined;
}

/** A row that is not a record, with its text. */
interface CsvError {
  error: InputError;
  text: string;
}

/**
 * Reads CSV (RFC 4180) whose first row has the dotted names of the fields. An empty cell is null; cells of numeric and
 * boolean fields are converted.
 *
 * @param position kept at the line that is being read.
 * @throws UnreadableInput for an invalid header, or a quoted cell that does not end.
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  position: Position,
): AsyncGenerator<(CsvRow | CsvError)[]> {
  const scanner = createRowScanner();
  let columns: CsvColumn[] | undefined;
  let began = 0;
  let texts: string[] = [];
  let length = 0;
  for await (const lines of readLines(bytes, position)) {
    const rows: (CsvRow | CsvError)[] = [];
    for (const line of lines) {
      if (texts.length === 0) {
        if (line.error === undefined && line.text.trim() === '') {
          continue;
        }
        began = line.number;
      }
      texts.push(line.text);
      length += line.text.length + 1;
      const state = line.error === undefined ? scanner.read(line.text) : 'invalid';
      if (state === 'open') {
        if (length > MAX_RECORD_BYTES) {
          throw unclosed(began, texts);
        }
        continue;
      }
      const error = line.error ?? (state === 'invalid' ? misquoted(began, line) : undefined);
      const cells = scanner.take();
      const text = texts.join('\n');
      texts = [];
      length = 0;
      if (columns === undefined) {
        if (error !== undefined) {
          throw new UnreadableInput(error);
        }
        columns = readCsvHeader(cells, began);
      } else if (error !== undefined) {
        rows.push({ error, text });
      } else if (cells.length !== columns.length) {
        const got = `${cells.length} cells`;
        rows.push({ error: { line: began, field: 'record', got, allowed: `${columns.length} cells` }, text });
      } else {
        rows.push({ line: began, value: toRecord(columns, cells), numberText: cellOf(columns, cells) });
      }
    }
    if (rows.length > 0) {
      yield rows;
    }
  }
  if (texts.length > 0) {
    throw unclosed(began, texts);
  }
}

function misquoted(began: number, { text }: Line): InputError {
  const allowed = 'the whole cell in quotes, and each quote inside it doubled';
  return { line: began, field: 'record', got: showText(text), allowed };
}

function unclosed(began: number, texts: readonly string[]): UnreadableInput {
  const got = `${showText(texts[0] ?? '')} with an unclosed quoted cell`;
  return new UnreadableInput({ line: began, field: 'record', got, allowed: ALLOWED_LENGTH });
}

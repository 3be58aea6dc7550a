import { type CsvColumn, isHeader, readCsvHeader, toJson, toRecord } from './csv-columns.ts';
import { createRowReader, MOST_TITLES, type Row } from './csv-rows.ts';
import { UnreadableInput } from './errors.ts';
import type { CurrentLine, ReadItem } from './input.ts';
import { type Line, readLines } from './lines.ts';
import type { FieldNames } from './mapping.ts';

/**
 * Reads CSV (RFC 4180), or the same with semicolons or tabs, whose header has the dotted names of the fields. Rows before
 * the header, and rows without a value, are left out. An empty cell is null; cells of numeric and boolean fields are
 * converted.
 *
 * @param current kept at the line that is being read.
 * @throws UnreadableInput for an invalid header, or a quoted cell that does not end.
 */
export async function* readCsv(
  bytes: AsyncIterable<Buffer>,
  current: CurrentLine,
  names: FieldNames,
): AsyncGenerator<ReadItem[]> {
  const reader = createRowReader();
  let columns: CsvColumn[] | undefined;
  const titles: Row[] = [];
  function* readRows(lines: readonly Line[]): Generator<Row> {
    try {
      yield* reader.read(lines);
    } catch (error) {
      // A cell of several lines is valid below a header: what is wrong is that none was found.
      const [title] = titles;
      if (columns === undefined && title !== undefined) {
        readCsvHeader(title.cells, title.line, names);
      }
      throw error;
    }
  }
  for await (const lines of readLines(bytes, current)) {
    const items: ReadItem[] = [];
    for (const row of readRows(lines)) {
      if (columns !== undefined) {
        items.push(toItem(row, columns));
      } else if (row.error !== undefined) {
        throw new UnreadableInput(row.error);
      } else if (isHeader(row.cells, names) || titles.length === MOST_TITLES) {
        const header = isHeader(row.cells, names) ? row : (titles[0] as Row);
        columns = readCsvHeader(header.cells, header.line, names);
        reader.begin(row, columns.length);
      } else {
        titles.push(row);
      }
    }
    if (items.length > 0) {
      yield items;
    }
  }
  reader.end();
  const [title] = titles;
  if (columns === undefined && title !== undefined) {
    readCsvHeader(title.cells, title.line, names);
  }
}

function toItem({ line, text, cells, error }: Row, columns: readonly CsvColumn[]): ReadItem {
  return error === undefined
    ? { line, value: toRecord(columns, cells), length: text.length, toJson: () => toJson(columns, cells) }
    : { error, text };
}

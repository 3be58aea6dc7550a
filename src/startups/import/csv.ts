import { amount } from '../../lib/text/amount.ts';
import { type CsvColumn, countFields, readCsvHeader, toJson, toRecord } from './csv-columns.ts';
import { createRowReader, MOST_TITLES, type Row } from './csv-rows.ts';
import { showText, UnreadableInput } from './errors.ts';
import { type CurrentLine, peek, type ReadItem } from './input.ts';
import { type Line, readLines } from './lines.ts';
import type { FieldNames } from './mapping.ts';

/**
 * Reads CSV (RFC 4180), or the same with semicolons or tabs, whose header has the dotted names of the fields. Rows before
 * the header are named in `names.skipped`; rows without a value are left out. An empty cell is null; cells of numeric and
 * boolean fields are converted.
 *
 * @param current kept at the line that is being read.
 * @throws UnreadableInput for an invalid header, or a quoted cell that does not end.
 */
export async function* readCsv(
  bytes: AsyncGenerator<Buffer>,
  current: CurrentLine,
  names: FieldNames,
): AsyncGenerator<ReadItem[]> {
  const { start, readFrom } = await peek(bytes, (seen) => seen.includes('\n'));
  refuseOldLineEnds(start);
  const table = createTable(names);
  for await (const lines of readLines(readFrom(0), current)) {
    const items = table.read(lines);
    if (items.length > 0) {
      yield items;
    }
  }
  const items = table.end();
  if (items.length > 0) {
    yield items;
  }
}

/** The rows of a table as items, once its header is found among the lines. */
function createTable(names: FieldNames) {
  const reader = createRowReader();
  let columns: CsvColumn[] | undefined;
  let held: Line[] = [];
  const titles: Row[] = [];

  /** Takes the first row with the most names of fields as the header. */
  const findHeader = (): ReadItem[] => {
    const counts = titles.map(({ cells }) => countFields(cells, names));
    const at = Math.max(0, counts.indexOf(Math.max(...counts)));
    const header = titles[at];
    const broken = titles.slice(0, Math.max(...counts) > 0 ? at + 1 : undefined).find(({ error }) => error);
    if (broken?.error !== undefined) {
      throw new UnreadableInput(broken.error);
    }
    if (header === undefined) {
      return [];
    }
    columns = readCsvHeader(header.cells, header.line, names);
    const skipped = titles.slice(0, at).map(({ text }) => showText(text.trim()));
    if (skipped.length > 0) {
      names.skipped.push(`${amount(skipped.length, 'title row')} skipped: ${skipped.join(', ')}`);
    }
    // The rows below it are read again, now that their separator is known.
    const lines = held;
    held = [];
    reader.begin(header, columns.length);
    return read(lines.slice(lines.findIndex(({ number }) => number === header.end) + 1));
  };

  const read = (lines: readonly Line[]): ReadItem[] => {
    const items: ReadItem[] = [];
    for (const [index, line] of lines.entries()) {
      if (columns !== undefined) {
        for (const row of reader.read(lines.slice(index))) {
          items.push(toItem(row, columns));
        }
        return items;
      }
      held.push(line);
      for (const row of reader.read([line])) {
        titles.push(row);
        if (countFields(row.cells, names) > 1 || titles.length > MOST_TITLES) {
          items.push(...findHeader());
        }
      }
    }
    return items;
  };

  return {
    read,
    /** @throws UnreadableInput if the last row has not ended. */
    end(): ReadItem[] {
      const items = columns === undefined ? findHeader() : [];
      reader.end();
      return items;
    },
  };
}

/** @throws UnreadableInput for lines that end as on a Mac before 2001, all of which would be one. */
function refuseOldLineEnds(start: Buffer): void {
  if (
    !start.includes('\n') &&
    start
      .toString('latin1')
      .replace(/"[^"]*"/g, '')
      .trim()
      .includes('\r')
  ) {
    const allowed = 'lines that end with LF or CR LF';
    const fix = 'in Excel, save it as "CSV UTF-8"';
    throw new UnreadableInput({ line: 1, field: 'file', got: 'lines that end with CR alone', allowed, fix });
  }
}

function toItem({ line, text, cells, error }: Row, columns: readonly CsvColumn[]): ReadItem {
  return error === undefined
    ? { line, value: toRecord(columns, cells), length: text.length, toJson: () => toJson(columns, cells) }
    : { error, text };
}

import { isUtf8 } from 'node:buffer';
import { type InputError, showText, UnreadableInput } from './errors.ts';
import type { CurrentLine } from './input.ts';

/** The maximum length of a record's text. */
export const MAX_RECORD_BYTES = 1024 * 1024;
/** Without a line end within this length, the input does not consist of records. */
const ABANDON_BYTES = 16 * MAX_RECORD_BYTES;
/** How much of an over-long record is kept, for its error message. */
const KEPT_BYTES = 1000;

/** The allowed length in the error of a record that is too long. */
export const ALLOWED_LENGTH = `a record of at most ${MAX_RECORD_BYTES.toLocaleString('en')} bytes`;

/** One line without its line feed. An invalid one has its text as far as it can be shown. */
export interface Line {
  number: number;
  text: string;
  error?: InputError;
}

const NEWLINE = 0x0a;

/**
 * Cuts bytes into lines, each strictly UTF-8, in batches as they come. Memory is bounded whatever the
 * length of a line.
 *
 * @param current kept at the line that is being read.
 * @throws UnreadableInput for a line without an end.
 */
export async function* readLines(bytes: AsyncIterable<Buffer>, current: CurrentLine): AsyncGenerator<Line[]> {
  const open = createRecordBuffer();
  for await (const chunk of bytes) {
    const lines: Line[] = [];
    let start = 0;
    if (open.length > 0) {
      const end = chunk.indexOf(NEWLINE);
      open.append(end === -1 ? chunk : chunk.subarray(0, end), current.line);
      if (end === -1) {
        continue;
      }
      lines.push(readLine(open.take(), current.line, open.length));
      open.clear();
      current.line += 1;
      start = end + 1;
    }
    const end = chunk.lastIndexOf(NEWLINE) + 1;
    if (end > start) {
      splitBlock(chunk.subarray(start, end - 1), current, lines);
      start = end;
    }
    open.append(chunk.subarray(start), current.line);
    if (lines.length > 0) {
      yield lines;
    }
  }
  if (open.length > 0) {
    yield [readLine(open.take(), current.line, open.length)];
  }
}

function splitBlock(block: Buffer, current: CurrentLine, lines: Line[]): void {
  // Nearly all input is valid, and one check of the whole block is much cheaper than one of each line.
  if (isUtf8(block) && !block.includes(0)) {
    for (const text of block.toString('utf8').split('\n')) {
      lines.push({ number: current.line, text });
      current.line += 1;
    }
    return;
  }
  for (let start = 0; start <= block.length; ) {
    const found = block.indexOf(NEWLINE, start);
    const end = found === -1 ? block.length : found;
    lines.push(readLine(block.subarray(start, end), current.line, end - start));
    current.line += 1;
    start = end + 1;
  }
}

function readLine(bytes: Buffer, number: number, length: number): Line {
  const { text, error } = decodeRecord(bytes, number, length);
  return error === undefined ? { number, text } : { number, text, error };
}

/**
 * A record's bytes as text.
 *
 * @param line where it begins.
 * @param length its whole length, of which `bytes` may be the beginning.
 */
export function decodeRecord(
  bytes: Buffer,
  line: number,
  length: number,
): { text: string; error?: InputError } {
  const text = bytes.toString('utf8');
  const error = (got: string, allowed: string) => ({ text, error: { line, field: 'record', got, allowed } });
  if (length > MAX_RECORD_BYTES) {
    return error(`a longer one: ${showText(text)}`, ALLOWED_LENGTH);
  }
  if (bytes.includes(0)) {
    return error(showText(text), 'text without NUL bytes');
  }
  return isUtf8(bytes) ? { text } : error(showText(text), 'UTF-8');
}

/** The beginning of a record whose end has not come yet. */
interface RecordBuffer {
  /** Bytes appended since the last `clear`. */
  readonly length: number;
  /** @throws UnreadableInput when there are too many to be a record's. */
  append(bytes: Buffer, line: number): void;
  /** All bytes; of an over-long record only the first ones. */
  take(): Buffer;
  clear(): void;
}

/** Holds at most one record's bytes, whatever is appended. */
export function createRecordBuffer(): RecordBuffer {
  let kept: Buffer[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    append(bytes, line) {
      if (bytes.length === 0) {
        return;
      }
      length += bytes.length;
      if (length <= MAX_RECORD_BYTES) {
        kept.push(bytes);
      } else if (kept.length > 1 || (kept[0]?.length ?? 0) > KEPT_BYTES) {
        // A copy, so that the rest can be freed.
        kept = [Buffer.from(Buffer.concat([...kept, bytes]).subarray(0, KEPT_BYTES))];
      } else if (kept.length === 0) {
        kept.push(Buffer.from(bytes.subarray(0, KEPT_BYTES)));
      }
      if (length > ABANDON_BYTES) {
        const got = `${showText(Buffer.concat(kept).toString('utf8'))} without an end`;
        throw new UnreadableInput({ line, field: 'record', got, allowed: ALLOWED_LENGTH });
      }
    },
    take: () => (kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept)),
    clear() {
      kept = [];
      length = 0;
    },
  };
}

import { isUtf8 } from 'node:buffer';
import { type Wording, withOptions } from '../../../lib/text/wording.ts';
import { type InputError, showText, UnreadableInput } from './errors.ts';
import type { CurrentLine } from './input.ts';

/** The maximum length of a record's text. */
export const MAX_RECORD_BYTES = 1024 * 1024;
/** Without an end within this length, the input does not consist of records. */
const ABANDON_BYTES = 16 * MAX_RECORD_BYTES;
/** How much of an over-long record is kept, for its error message. */
const KEPT_BYTES = 1000;

const ALLOWED_LENGTH = `a record of at most ${MAX_RECORD_BYTES.toLocaleString('en')} bytes`;

/** The text of a record with the line on which it begins. An invalid one has its text as far as it can be shown. */
export interface Line {
  number: number;
  /** Its number in a list, from 1. */
  index?: number;
  text: string;
  error?: InputError;
}

const FROM_EXCEL = withOptions(
  (option) => `for a file of Excel on Windows, use ${option('encoding')} windows-1252`,
);

const CUT = 'the file seems to be cut: it ends within a character';

const NEWLINE = 0x0a;

/** Whether it is UTF-8 but for its end, which is a part of a character. */
export function isCutText(bytes: Buffer): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return !isUtf8(bytes);
  } catch {
    return false;
  }
}

/**
 * Cuts bytes into lines without their line feeds, each strictly UTF-8, in batches as they come. Memory is bounded
 * whatever the length of a line.
 *
 * @param current kept at the line that is being read.
 * @throws UnreadableInput for a line without an end.
 */
export async function* readLines(bytes: AsyncIterable<Buffer>, current: CurrentLine): AsyncGenerator<Line[]> {
  const open = createRecordBuffer();
  for await (const chunk of bytes) {
    const end = chunk.lastIndexOf(NEWLINE);
    if (end !== -1) {
      yield splitBlock(open.take(chunk.subarray(0, end)), current);
    }
    open.append(chunk.subarray(end + 1), current.line);
  }
  const last = open.take(Buffer.alloc(0));
  if (last.length > 0) {
    const line = decodeRecord(last, current.line);
    if (line.error !== undefined && isCutText(last)) {
      line.error = { ...line.error, fix: CUT };
    }
    yield [line];
  }
}

/** The lines of a block, after which another one begins. */
function splitBlock(block: Buffer, current: CurrentLine): Line[] {
  const lines: Line[] = [];
  // Nearly all input is valid, and one check of the whole block is much cheaper than one of each line.
  if (block.length <= MAX_RECORD_BYTES && isUtf8(block) && !block.includes(0)) {
    for (const text of block.toString('utf8').split('\n')) {
      lines.push({ number: current.line, text });
      current.line += 1;
    }
    return lines;
  }
  for (let start = 0; start <= block.length; current.line += 1) {
    const found = block.indexOf(NEWLINE, start);
    const end = found === -1 ? block.length : found;
    lines.push(decodeRecord(block.subarray(start, end), current.line));
    start = end + 1;
  }
  return lines;
}

/** @param number the line where the record begins. */
export function decodeRecord(bytes: Buffer, number: number): Line {
  const isTooLong = bytes.length > MAX_RECORD_BYTES;
  const text = bytes.toString('utf8', 0, isTooLong ? KEPT_BYTES : bytes.length);
  const invalid = (got: string, allowed: string, fix?: Wording): Line => ({
    number,
    text,
    error: { line: number, field: 'record', got, allowed, fix },
  });
  if (isTooLong) {
    return invalid(`a longer one: ${showText(text)}`, ALLOWED_LENGTH);
  }
  if (bytes.includes(0)) {
    return invalid(showText(text), 'text without NUL bytes');
  }
  return isUtf8(bytes) ? { number, text } : invalid(showText(text), 'UTF-8', FROM_EXCEL);
}

/** Collects the bytes of a record whose end has not come yet. */
export function createRecordBuffer() {
  let parts: Buffer[] = [];
  let length = 0;
  return {
    /**
     * @param line where the record begins.
     * @throws UnreadableInput when there are too many to be a record's.
     */
    append(bytes: Buffer, line: number): void {
      parts.push(bytes);
      length += bytes.length;
      if (length > ABANDON_BYTES) {
        const got = `${showText(Buffer.concat(parts, KEPT_BYTES).toString('utf8'))} without an end`;
        throw new UnreadableInput({ line, field: 'record', got, allowed: ALLOWED_LENGTH });
      }
    },
    /** All bytes up to the end, of which these are the last. */
    take(last: Buffer): Buffer {
      const taken = Buffer.concat([...parts, last]);
      parts = [];
      length = 0;
      return taken;
    },
  };
}

import { addAbortSignal, type Readable } from 'node:stream';
import { OperatorError } from '../../../lib/errors.ts';
import { inflate } from '../../../lib/files/inflate.ts';
import { type InputError, UnreadableInput } from './errors.ts';

/** How the text of an input may be encoded. */
export const encodings = ['utf-8', 'windows-1252'] as const;
export type Encoding = (typeof encodings)[number];

/** Names that a rejects file adds: the errors, and text that is not a record. An import ignores them. */
export const REJECT_FIELDS = { errors: '_errors', text: '_line' } as const;

/** One file, or standard input, to be imported. */
export interface ImportInput {
  /** The name for messages and for detecting the format; `-` is standard input. */
  readonly name: string;
  /** Size in bytes as stored, if it is known in advance. */
  readonly bytes?: number;
  /** The most bytes that it may have after unpacking. */
  readonly mostUnpacked?: number;
  /** Starts reading bytes. Called once, when the inputs before it are done. */
  open(): Readable;
}

/** The input has more bytes than its caller allows. */
export class InputTooLargeError extends OperatorError {}

/** A row of the input: a record that is still to be validated. */
export interface ReadRow {
  line: number;
  /** Its number in a JSON list, from 1. */
  number?: number | undefined;
  value: Record<string, unknown>;
  /** Whether a rejects file added its errors. */
  isRejected?: boolean;
  /** How many characters it has in the input. */
  length: number;
  /** A JSON object in which every value is written as in the input. */
  toJson(): string;
}

/** A part of the input that is no such row. */
interface UnreadRow {
  error: InputError;
  /** Its text, or the beginning of it. */
  text: string;
}

export type RowItem = ReadRow | UnreadRow;

/** The line that a reader has reached, so that errors of the underlying bytes can be reported with a line. */
export interface CurrentLine {
  line: number;
}

/** How many bytes are read to find out a format; an input may begin with any amount of white space. */
const MOST_PEEKED = 256 * 1024;

export const SAVE_AS_CSV = 'in Excel, save it as "CSV UTF-8"';

/** Other kinds of files by the bytes with which they begin, in Latin-1. */
const otherKinds: readonly (readonly [start: string, kind: string, fix?: string])[] = [
  ['\xff\xfe', 'UTF-16 text', SAVE_AS_CSV],
  ['\xfe\xff', 'UTF-16 text', SAVE_AS_CSV],
  ['PK\x03\x04', 'an Excel workbook or a ZIP archive', SAVE_AS_CSV],
  ['\xd0\xcf\x11\xe0', 'an Excel workbook', SAVE_AS_CSV],
  ['BZh', 'bzip2 data'],
  ['\xfd7zX', 'xz data'],
  ['\x28\xb5\x2f\xfd', 'Zstandard data'],
];
const MAGIC_BYTES = 4;
const GZIP = '\x1f\x8b';
const BYTE_ORDER_MARK = '\xef\xbb\xbf';

/** The name of an input in messages. */
export function inputName({ name }: ImportInput): string {
  return name === '-' ? '<stdin>' : name;
}

/**
 * Opens an input for its reader.
 *
 * @param current the line of the reader; reported with errors of the bytes.
 * @param encoding of its text, UTF-8 by default.
 * @returns its text as bytes, unpacked and without a byte order mark, and the first character that is not white space.
 * @throws UnreadableInput for bytes that are neither text nor gzip; AbortError after the signal.
 */
export async function openInput(
  input: ImportInput,
  current: CurrentLine,
  encoding: Encoding | undefined,
  signal: AbortSignal | undefined,
): Promise<{ first: string | undefined; bytes: AsyncGenerator<Buffer> }> {
  const source = input.open();
  if (signal !== undefined) {
    // Ends it at once, even if it sends nothing.
    addAbortSignal(signal, source);
  }
  try {
    const stored = await peek(
      source[Symbol.asyncIterator]() as AsyncGenerator<Buffer>,
      (seen) => seen.length >= MAGIC_BYTES,
    );
    const text = await peek(
      toUtf8(unpack(stored, current), input, encoding),
      (seen) => seen.length >= MAGIC_BYTES && firstVisible(seen) !== undefined,
    );
    refuseOtherKinds(text.start);
    const begin = startsWith(text.start, BYTE_ORDER_MARK) ? BYTE_ORDER_MARK.length : 0;
    return { first: firstVisible(text.start), bytes: text.readFrom(begin) };
  } catch (error) {
    source.destroy();
    throw error;
  }
}

/** The bytes in UTF-8, as many as an input may have. */
async function* toUtf8(
  bytes: AsyncGenerator<Buffer>,
  input: ImportInput,
  encoding: Encoding = 'utf-8',
): AsyncGenerator<Buffer> {
  const { mostUnpacked = Number.POSITIVE_INFINITY } = input;
  const decoder = encoding === 'utf-8' ? undefined : new TextDecoder(encoding);
  let length = 0;
  for await (const chunk of bytes) {
    length += chunk.length;
    if (length > mostUnpacked) {
      const allowed = mostUnpacked.toLocaleString('en');
      throw new InputTooLargeError(
        `${inputName(input)} has more than ${allowed} bytes after unpacking: split it. Nothing was written.`,
      );
    }
    yield decoder === undefined ? chunk : Buffer.from(decoder.decode(chunk, { stream: true }));
  }
}

function unpack(
  { start, readFrom }: Awaited<ReturnType<typeof peek>>,
  current: CurrentLine,
): AsyncGenerator<Buffer> {
  if (!startsWith(start, GZIP)) {
    return readFrom(0);
  }
  return inflate(readFrom(0), (times) => {
    const got = `gzip data that expands to more than ${times} times its size`;
    return new UnreadableInput({ line: current.line, field: 'file', got, allowed: 'gzip data of records' });
  });
}

function refuseOtherKinds(start: Buffer): void {
  const [, kind, fix] = otherKinds.find(([magic]) => startsWith(start, magic)) ?? [];
  if (kind !== undefined) {
    const allowed = 'NDJSON, a JSON array or CSV in UTF-8, plain or gzip';
    throw new UnreadableInput({ line: 1, field: 'file', got: kind, allowed, fix });
  }
}

function startsWith(bytes: Buffer, latin1: string): boolean {
  return bytes.toString('latin1', 0, latin1.length) === latin1;
}

/** The first character after a byte order mark that JSON does not count as white space. */
function firstVisible(bytes: Buffer): string | undefined {
  return /[^ \n\r\t]/.exec(bytes.toString('latin1').replace(BYTE_ORDER_MARK, ''))?.[0];
}

/**
 * Reads the beginning of the bytes until it is enough, which is asked each time that their number has doubled.
 *
 * @param most stops after this many bytes in any case; the last chunk may exceed it.
 */
export async function peek(
  bytes: AsyncGenerator<Buffer>,
  isEnough: (seen: Buffer) => boolean,
  most = MOST_PEEKED,
) {
  let start: Buffer = Buffer.alloc(0);
  let asking = 0;
  while (start.length < most) {
    if (start.length >= asking) {
      if (isEnough(start)) {
        break;
      }
      asking = 2 * start.length;
    }
    const next = await bytes.next();
    if (next.done) {
      break;
    }
    start = Buffer.concat([start, next.value]);
  }
  return {
    start,
    /** The bytes from this index of the beginning on. */
    async *readFrom(index: number): AsyncGenerator<Buffer> {
      try {
        yield start.subarray(index);
        yield* bytes;
      } finally {
        await bytes.return(undefined);
      }
    },
  };
}

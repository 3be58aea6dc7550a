import { addAbortSignal, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type InputError, UnreadableInput } from './errors.ts';

/** One file, or standard input, to be imported. */
export interface ImportInput {
  /** The name for messages and for detecting the format; `-` is standard input. */
  readonly name: string;
  /** Size in bytes as stored, if it is known in advance. */
  readonly bytes?: number;
  /** Starts reading bytes. Called once, when the inputs before it are done. */
  open(): Readable;
}

/** A record as it is in the input, still to be validated. */
interface ReadRecord {
  line: number;
  value: Record<string, unknown>;
  /** Its JSON as written; undefined for a format that is not JSON. */
  text?: string;
  /** How the number at a dotted path was written; absent if it is at that path of `text`. */
  numberText?: (path: string) => string | undefined;
}

/** A part of the input that is not a record. */
interface UnreadRecord {
  error: InputError;
  /** Its text, or the beginning of it. */
  text: string;
}

export type ReadItem = ReadRecord | UnreadRecord;

/** The line that a reader has reached, so that errors of the underlying bytes can be reported with a line. */
export interface CurrentLine {
  line: number;
}

/** An input's text as bytes, unpacked, after its byte order mark. */
interface InputBytes {
  /** The first bytes that are not white space, up to 300; empty for a blank input. */
  readonly start: Buffer;
  readonly bytes: AsyncIterable<Buffer>;
}

// Chunks are split to this size: less than a record may have, so that one that is too long is never within a chunk.
const PIECE_BYTES = 256 * 1024;

// Deflate reaches about 1,000 : 1; records that differ in their slugs stay far below this.
const MAX_INFLATION = 200;
const INFLATION_FREE_BYTES = 64 * 1024 * 1024;

// Enough to detect a file type, and enough text to distinguish the formats.
const MAGIC_BYTES = 4;
const START_BYTES = 300;

const ALLOWED_FILE = 'NDJSON, a JSON array or CSV in UTF-8, plain or gzip';

/** The name of an input in messages. */
export function inputName({ name }: ImportInput): string {
  return name === '-' ? '<stdin>' : name;
}

/**
 * Opens an input for its reader.
 *
 * @param current the line of the reader; reported with errors of the bytes.
 * @param onBytes called for every piece read, in bytes as stored.
 * @throws UnreadableInput for bytes that are neither text nor gzip; AbortError after the signal.
 */
export async function openInput(
  input: ImportInput,
  current: CurrentLine,
  signal: AbortSignal | undefined,
  onBytes: (count: number) => void,
): Promise<InputBytes> {
  const source = input.open();
  if (signal !== undefined) {
    // Ends it at once, even if it sends nothing.
    addAbortSignal(signal, source);
  }
  let stored = 0;
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source as AsyncIterable<Buffer>) {
      stored += chunk.length;
      onBytes(chunk.length);
      for (let at = 0; at < chunk.length; at += PIECE_BYTES) {
        yield chunk.subarray(at, at + PIECE_BYTES);
      }
    }
  }
  try {
    const head = await peek(counted(), (seen) => seen.length >= MAGIC_BYTES);
    refuseOtherKinds(head.start);
    const isGzip = head.start[0] === 0x1f && head.start[1] === 0x8b;
    const inflated = isGzip ? inflate(head.bytes, () => stored, current) : head.bytes;
    const text = await peek(inflated, (seen) => seen.length >= MAGIC_BYTES);
    refuseOtherKinds(text.start);
    const { start, bytes } = await peek(
      hasByteOrderMark(text.start) ? skip(text.bytes, 3) : text.bytes,
      (seen) => firstVisible(seen) < seen.length,
    );
    return { start: start.subarray(firstVisible(start), firstVisible(start) + START_BYTES), bytes };
  } catch (error) {
    source.destroy();
    throw error;
  }
}

function refuseOtherKinds(start: Buffer): void {
  const kinds: [kind: string, ...bytes: number[]][] = [
    ['UTF-16 text', 0xff, 0xfe],
    ['UTF-16 text', 0xfe, 0xff],
    ['a ZIP archive', 0x50, 0x4b, 0x03, 0x04],
    ['bzip2 data', 0x42, 0x5a, 0x68],
    ['xz data', 0xfd, 0x37, 0x7a, 0x58],
    ['Zstandard data', 0x28, 0xb5, 0x2f, 0xfd],
  ];
  const found = kinds.find(([, ...bytes]) => bytes.every((byte, index) => start[index] === byte));
  if (found !== undefined) {
    throw new UnreadableInput({ line: 1, field: 'file', got: found[0], allowed: ALLOWED_FILE });
  }
}

function hasByteOrderMark(start: Buffer): boolean {
  return start[0] === 0xef && start[1] === 0xbb && start[2] === 0xbf;
}

/** JSON's white space. */
export function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Index of the first byte that JSON does not count as white space. */
function firstVisible(bytes: Buffer): number {
  const index = bytes.findIndex((byte) => !isSpace(byte));
  return index === -1 ? bytes.length : index;
}

async function* inflate(
  packed: AsyncIterable<Buffer>,
  stored: () => number,
  current: CurrentLine,
): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 64 * 1024 });
  // An error of the source destroys the other end too, where it is seen.
  pipeline(Readable.from(packed), gunzip).catch(() => {});
  let inflated = 0;
  for await (const chunk of gunzip as AsyncIterable<Buffer>) {
    inflated += chunk.length;
    if (inflated > INFLATION_FREE_BYTES && inflated > stored() * MAX_INFLATION) {
      throw new UnreadableInput({
        line: current.line,
        field: 'file',
        got: `gzip data that expands to more than ${MAX_INFLATION} times its size`,
        allowed: 'gzip data of records',
      });
    }
    yield chunk;
  }
}

/**
 * Reads the beginning of the bytes until it is enough, and returns it with all bytes.
 *
 * @param most stops after this many bytes in any case; the last chunk may exceed it.
 */
export async function peek(
  bytes: AsyncIterable<Buffer>,
  isEnough: (seen: Buffer) => boolean,
  most = PIECE_BYTES,
): Promise<InputBytes> {
  const iterator = bytes[Symbol.asyncIterator]();
  let seen: Buffer = Buffer.alloc(0);
  let ended = false;
  // A bound, because an input may begin with any amount of white space.
  while (!ended && !isEnough(seen) && seen.length < most) {
    const next = await iterator.next();
    ended = next.done === true;
    if (!ended) {
      seen = seen.length === 0 ? next.value : Buffer.concat([seen, next.value]);
    }
  }
  return { start: seen, bytes: resume(seen, iterator) };
}

async function* resume(seen: Buffer, iterator: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    if (seen.length > 0) {
      yield seen;
    }
    for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) {
      yield next.value;
    }
  } finally {
    await iterator.return?.();
  }
}

/** The bytes after the first ones. */
export async function* skip(bytes: AsyncIterable<Buffer>, count: number): AsyncGenerator<Buffer> {
  let left = count;
  for await (const chunk of bytes) {
    if (chunk.length > left) {
      yield chunk.subarray(left);
    }
    left = Math.max(0, left - chunk.length);
  }
}

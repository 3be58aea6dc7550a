import { type TextColumn, textColumns } from './columns.ts';
import { hashBytes, hashLowerCase, lowerCase } from './hash.ts';

// The texts of a record lie together in one chunk of memory: a word of four bytes for each, then all of them as UTF-8.
// The word is twice the length in bytes, and one more where all bytes are ASCII; for null it has all bits. Records begin
// at multiples of a unit, and a position counts units over all chunks of one size, so that 32 bits are enough for it.
export const UNIT_BYTES = 8;
export const WORDS_PER_UNIT = UNIT_BYTES / Uint32Array.BYTES_PER_ELEMENT;
export const HEADER_BYTES = textColumns.length * Uint32Array.BYTES_PER_ELEMENT;
/** The word of null, as a signed number. */
export const NULL_TEXT = -1;

/** The length in bytes that a word encodes; 0 for null. */
export function lengthOf(word: number): number {
  return word === NULL_TEXT ? 0 : word >>> 1;
}

/** Whether a word, other than that of null, marks an ASCII text. */
export function isAscii(word: number): boolean {
  return (word & 1) === 1;
}

/** The texts of all records as plain data. The content of a chunk does not change while an edition uses it. */
export interface TextData {
  /** By number; undefined for a chunk that contains no record. */
  readonly chunks: readonly (ArrayBufferLike | undefined)[];
  /** The size of a chunk, a power of two. One with a larger record is larger, and has only that record. */
  readonly chunkBytes: number;
}

interface Chunk {
  readonly bytes: Buffer;
  readonly words: Int32Array;
}

/** Reads texts by a record's position. */
export class PackedTexts {
  protected readonly chunks: (Chunk | undefined)[];
  protected readonly chunkUnits: number;
  /** How many bits of a position count units within a chunk. */
  readonly #unitBits: number;

  constructor({ chunks, chunkBytes }: TextData) {
    this.chunks = chunks.map((buffer) => buffer && toChunk(buffer));
    this.chunkUnits = chunkBytes / UNIT_BYTES;
    this.#unitBits = Math.log2(this.chunkUnits);
  }

  /** Puts the word of each text into a list, from an index on. */
  readOffsets(position: number, target: number[], first: number): void {
    const { words } = this.chunkAt(position);
    const at = this.wordAt(position);
    for (let text = 0; text < textColumns.length; text += 1) {
      target[first + text] = words[at + text] as number;
    }
  }

  /** The memory that contains the texts of a record. */
  bytesAt(position: number): Buffer {
    return this.chunkAt(position).bytes;
  }

  /** Where they begin there, concatenated. */
  startAt(position: number): number {
    return this.byteAt(position) + HEADER_BYTES;
  }

  slugHash(position: number): number {
    const { bytes } = this.chunkAt(position);
    const start = this.#startOf(position, SLUG);
    return hashBytes(bytes, start, start + lengthOf(this.#wordOf(position, SLUG)));
  }

  hasSlug(position: number, slug: string): boolean {
    return this.#equals(position, SLUG, slug, asIs);
  }

  /** The hash of the handle in lower case; NaN for null. */
  handleHash(position: number): number {
    const { bytes } = this.chunkAt(position);
    const word = this.#wordOf(position, HANDLE);
    const start = this.#startOf(position, HANDLE);
    return word === NULL_TEXT ? Number.NaN : hashLowerCase(bytes, start, start + lengthOf(word));
  }

  /** @param handle in lower case. */
  hasHandle(position: number, handle: string): boolean {
    return this.#equals(position, HANDLE, handle, lowerCase);
  }

  #equals(position: number, text: number, wanted: string, change: (code: number) => number): boolean {
    const word = this.#wordOf(position, text);
    if (word === NULL_TEXT || lengthOf(word) !== wanted.length) {
      return false;
    }
    const { bytes } = this.chunkAt(position);
    const start = this.#startOf(position, text);
    for (let at = 0; at < wanted.length; at += 1) {
      if (change(bytes[start + at] as number) !== wanted.charCodeAt(at)) {
        return false;
      }
    }
    return true;
  }

  #wordOf(position: number, text: number): number {
    return this.chunkAt(position).words[this.wordAt(position) + text] as number;
  }

  #startOf(position: number, text: number): number {
    let start = this.startAt(position);
    for (let before = 0; before < text; before += 1) {
      start += lengthOf(this.#wordOf(position, before));
    }
    return start;
  }

  /** How many units the record takes. */
  protected unitsAt(position: number): number {
    const end = this.#startOf(position, textColumns.length);
    return Math.ceil((end - this.byteAt(position)) / UNIT_BYTES);
  }

  /** The number of the chunk that contains the texts of a record. */
  numberOfChunk(position: number): number {
    return position >>> this.#unitBits;
  }

  protected chunkAt(position: number): Chunk {
    return this.chunks[this.numberOfChunk(position)] as Chunk;
  }

  /** Where a record begins in its chunk. */
  protected byteAt(position: number): number {
    return (position & (this.chunkUnits - 1)) * UNIT_BYTES;
  }

  protected wordAt(position: number): number {
    return (position & (this.chunkUnits - 1)) * WORDS_PER_UNIT;
  }
}

const SLUG = textColumns.indexOf('slug' satisfies TextColumn);
const HANDLE = textColumns.indexOf('xHandle' satisfies TextColumn);

const asIs = (code: number): number => code;

export function toChunk(buffer: ArrayBufferLike): Chunk {
  return { bytes: Buffer.from(buffer), words: new Int32Array(buffer) };
}

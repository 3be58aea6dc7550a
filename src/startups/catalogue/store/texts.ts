import { foldText } from '../../../lib/text/words.ts';
import { cutDescription, DESCRIPTION_LIMIT } from '../../model/record.ts';
import { readWebsite, type Website } from '../../model/website.ts';
import { type TextColumn, textColumns, WHOLE } from './columns.ts';
import { hashBytes, hashText, lowerCase, websiteKey } from './hash.ts';

// The texts of a record, and likewise its details, lie together in one chunk of memory: a word of four bytes for each, then all of them as UTF-8.
// The word is twice the length in bytes, and one more where all bytes are ASCII; for null it has all bits. Records begin
// at multiples of a unit. `unit` is the number of the one where a record begins, counted over all chunks of one size, so
// that 32 bits are enough for it.
export const UNIT_BYTES = 8;
export const WORDS_PER_UNIT = UNIT_BYTES / Uint32Array.BYTES_PER_ELEMENT;
export const WORD_BYTES = Uint32Array.BYTES_PER_ELEMENT;
/** In place of a unit: a record of which all texts are null, which takes no memory. */
export const NOTHING = 2 ** 32 - 1;
/** The word of null, as a signed number. */
export const NULL_TEXT = -1;

/** The length in bytes that a word encodes; 0 for null. */
function lengthOf(word: number): number {
  return word === NULL_TEXT ? 0 : word >>> 1;
}

/** Whether a word, other than that of null, marks an ASCII text. */
function isAscii(word: number): boolean {
  return (word & 1) === 1;
}

/** The texts of all records as plain data. Texts are only added behind those that an edition uses. */
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

/** Reads texts by the unit where a record begins. */
export class PackedTexts {
  protected readonly chunks: (Chunk | undefined)[];
  protected readonly chunkUnits: number;
  /** How many bits of the number of a unit count within a chunk. */
  readonly #unitBits: number;
  /** How many texts a record has. */
  protected readonly count: number;

  /** @param columns the texts of a record, in their order. */
  constructor({ chunks, chunkBytes }: TextData, columns: readonly string[] = textColumns) {
    this.count = columns.length;
    this.chunks = chunks.map((buffer) => buffer && toChunk(buffer));
    this.chunkUnits = chunkBytes / UNIT_BYTES;
    this.#unitBits = Math.log2(this.chunkUnits);
  }

  /** The texts of a record, in their order. */
  read(unit: number): (string | null)[] {
    const { bytes, words } = this.chunks[unit >>> this.#unitBits] as Chunk;
    const first = (unit & (this.chunkUnits - 1)) * WORDS_PER_UNIT;
    const last = first + this.count;
    const start = last * WORD_BYTES;
    let stop = start;
    for (let at = first; at < last; at += 1) {
      const word = words[at] as number;
      stop += word === NULL_TEXT ? 0 : word >>> 1;
    }
    // Each byte as one character: reading all texts together takes hardly longer than reading one.
    const all = bytes.toString('latin1', start, stop);
    const read: (string | null)[] = [];
    let begin = 0;
    for (let at = first; at < last; at += 1) {
      const word = words[at] as number;
      if (word === NULL_TEXT) {
        read.push(null);
        continue;
      }
      const end = begin + (word >>> 1);
      const isAscii = (word & 1) === 1;
      read.push(isAscii ? all.slice(begin, end) : bytes.toString('utf8', start + begin, start + end));
      begin = end;
    }
    return read;
  }

  /** The bytes of a text, none for null. */
  bytesOf(
    unit: number,
    text: number,
  ): { readonly bytes: Buffer; readonly start: number; readonly end: number; readonly isAscii: boolean } {
    const { bytes, words } = this.chunkAt(unit);
    const word = words[this.wordAt(unit) + text] as number;
    const start = this.startOf(unit, text);
    return { bytes, start, end: start + lengthOf(word), isAscii: isAscii(word) };
  }

  /** A text; null if it is null or the record is {@link NOTHING}. */
  textOf(unit: number, text: number): string | null {
    if (unit === NOTHING) {
      return null;
    }
    const { bytes, words } = this.chunkAt(unit);
    const word = words[this.wordAt(unit) + text] as number;
    if (word === NULL_TEXT) {
      return null;
    }
    const start = this.startOf(unit, text);
    return bytes.toString(isAscii(word) ? 'latin1' : 'utf8', start, start + lengthOf(word));
  }

  slugHash(unit: number): number {
    const { bytes, start, end } = this.bytesOf(unit, SLUG);
    return hashBytes(bytes, start, end);
  }

  hasSlug(unit: number, slug: string): boolean {
    return this.textOf(unit, SLUG) === slug;
  }

  handle(unit: number): string | null {
    return this.textOf(unit, HANDLE);
  }

  /** The hash of the handle in lower case; NaN for null. */
  handleHash(unit: number): number {
    const handle = this.handle(unit);
    return handle === null ? Number.NaN : hashText(handle.toLowerCase());
  }

  /** @param handle in lower case. */
  hasHandle(unit: number, handle: string): boolean {
    return this.handle(unit)?.toLowerCase() === handle;
  }

  /** Where the website is; undefined for null. */
  website(unit: number): Website | undefined {
    return readWebsite(this.textOf(unit, WEBSITE) ?? '');
  }

  /** The {@link websiteKey} of the website; NaN for null. */
  websiteKey(unit: number): number {
    const website = this.website(unit);
    return website === undefined ? Number.NaN : websiteKey(website);
  }

  /** The length in UTF-16 units of the description in lists; {@link WHOLE} where that is not cut. */
  descriptionCut(unit: number): number {
    const { start, end } = this.bytesOf(unit, DESCRIPTION);
    const text = end - start > DESCRIPTION_LIMIT ? (this.textOf(unit, DESCRIPTION) as string) : '';
    return text.length > DESCRIPTION_LIMIT ? cutDescription(text).length : WHOLE;
  }

  /** The name in the form in which names are compared. */
  foldedName(unit: number): string {
    return foldText(this.textOf(unit, NAME) ?? '');
  }

  /** The beginning of the folded name as a number: names with different ones are in the order of these. */
  nameKey(unit: number): number {
    const { bytes, start, end, isAscii } = this.bytesOf(unit, NAME);
    const name = isAscii ? undefined : this.foldedName(unit);
    const length = name?.length ?? end - start;
    let key = 0;
    let isExact = true;
    for (let at = 0; at < KEY_CHARACTERS; at += 1) {
      const code =
        at >= length ? 0 : name === undefined ? lowerCase(bytes[start + at] as number) : name.charCodeAt(at);
      // Behind a character that is not ASCII, only the whole names decide.
      key = key * KEY_BASE + (isExact ? Math.min(code, KEY_BASE - 1) : 0);
      isExact &&= code < KEY_BASE - 1;
    }
    return key;
  }

  /** Where a text of a record begins in its chunk, or where the record ends. */
  protected startOf(unit: number, text: number): number {
    const { words } = this.chunkAt(unit);
    const first = this.wordAt(unit);
    let start = (first + this.count) * WORD_BYTES;
    for (let before = first; before < first + text; before += 1) {
      start += lengthOf(words[before] as number);
    }
    return start;
  }

  /** How many units the record takes. */
  protected unitsAt(unit: number): number {
    const end = this.startOf(unit, this.count);
    return Math.ceil((end - this.wordAt(unit) * WORD_BYTES) / UNIT_BYTES);
  }

  /** The number of the chunk that contains the texts of a record. */
  numberOfChunk(unit: number): number {
    return unit >>> this.#unitBits;
  }

  protected chunkAt(unit: number): Chunk {
    return this.chunks[unit >>> this.#unitBits] as Chunk;
  }

  /** Where a record begins in its chunk, in words. */
  protected wordAt(unit: number): number {
    return (unit & (this.chunkUnits - 1)) * WORDS_PER_UNIT;
  }
}

/** As many characters of ASCII as a double holds exactly. */
const KEY_BASE = 128;
const KEY_CHARACTERS = 7;

const NAME = textColumns.indexOf('name' satisfies TextColumn);
const SLUG = textColumns.indexOf('slug' satisfies TextColumn);
const HANDLE = textColumns.indexOf('xHandle' satisfies TextColumn);
const DESCRIPTION = textColumns.indexOf('description' satisfies TextColumn);
const WEBSITE = textColumns.indexOf('website' satisfies TextColumn);

export function toChunk(buffer: ArrayBufferLike): Chunk {
  return { bytes: Buffer.from(buffer), words: new Int32Array(buffer) };
}

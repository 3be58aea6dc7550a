import { detailColumns, textColumns } from './columns.ts';
import type { CopyRow } from './copy-row.ts';
import {
  NOTHING,
  NULL_TEXT,
  PackedTexts,
  type TextData,
  toChunk,
  UNIT_BYTES,
  WORD_BYTES,
  WORDS_PER_UNIT,
} from './texts.ts';

export const CHUNK_BYTES = 2 ** 23;

/**
 * Packs the texts of the next edition behind those of an earlier one, which stay where they are. Chunks with more
 * gaps than texts are abandoned: their texts move.
 */
export class TextWriter extends PackedTexts {
  /** How many units of each chunk the next edition uses. */
  readonly #used: number[];
  /** The chunk that is being filled. */
  #current: number;
  /** How many of its units are filled. */
  #filled: number;

  /** @param earlier the texts to write behind; their memory is shared. */
  constructor(earlier: WrittenTexts, columns?: readonly string[]) {
    super(earlier, columns);
    this.#used = [...earlier.used];
    this.#current = earlier.current;
    this.#filled = earlier.filled;
  }

  /** Counts texts as no longer used, all or those of one record. */
  forgetAll(): void {
    this.#used.fill(0);
  }

  forget(unit: number): void {
    this.#count(unit, -1);
  }

  /** Counts the texts of a record as used. */
  use(unit: number): void {
    this.#count(unit, 1);
  }

  /**
   * Packs the texts of a row, which are its next fields.
   *
   * @param earlier where the record's texts were; if they are the same, they stay there.
   * @returns where they are; `NOTHING` if all are null.
   */
  write(row: CopyRow, earlier: number | undefined): number {
    const unit = this.#append(row);
    if (unit === NOTHING || (earlier !== undefined && earlier !== NOTHING && this.#areEqual(unit, earlier))) {
      return unit === NOTHING ? NOTHING : (earlier as number);
    }
    this.#filled += this.unitsAt(unit);
    return unit;
  }

  /** The numbers of the chunks of which more than half is unused. */
  sparseChunks(): ReadonlySet<number> {
    const numbers = [...this.chunks.keys()].filter((number) => {
      const chunk = this.chunks[number];
      const usedBytes = (this.#used[number] ?? 0) * UNIT_BYTES;
      return chunk !== undefined && number !== this.#current && usedBytes * 2 < chunk.bytes.length;
    });
    return new Set(numbers);
  }

  /** Moves the texts of a record behind the others. */
  move(unit: number): number {
    const units = this.unitsAt(unit);
    const { words } = this.chunkAt(unit);
    const first = this.wordAt(unit);
    const target = this.#reserve(units);
    this.chunkAt(target).words.set(
      words.subarray(first, first + units * WORDS_PER_UNIT),
      this.wordAt(target),
    );
    this.#filled += units;
    this.forget(unit);
    this.use(target);
    return target;
  }

  /** Releases chunks that contain no record. */
  remove(chunks: ReadonlySet<number>): void {
    for (const number of chunks) {
      this.chunks[number] = undefined;
    }
  }

  finish(): WrittenTexts {
    return {
      chunks: this.chunks.map((chunk) => chunk?.bytes.buffer),
      chunkBytes: this.chunkUnits * UNIT_BYTES,
      used: this.#used,
      current: this.#current,
      filled: this.#filled,
    };
  }

  #append(row: CopyRow): number {
    let size = this.count * WORD_BYTES;
    let isNothing = true;
    for (let text = 0; text < this.count; text += 1) {
      const length = row.text();
      lengths[text] = length;
      starts[text] = row.start;
      size += Math.max(length, 0);
      isNothing &&= length === -1;
    }
    if (isNothing) {
      return NOTHING;
    }
    const unit = this.#reserve(Math.ceil(size / UNIT_BYTES));
    const { bytes: source } = row;
    const { bytes, words } = this.chunkAt(unit);
    const firstWord = this.wordAt(unit);
    let target = this.startOf(unit, 0);
    for (let text = 0; text < this.count; text += 1) {
      const length = lengths[text] as number;
      const start = starts[text] as number;
      let all = 0;
      for (let from = start; from < start + length; from += 1) {
        const byte = source[from] as number;
        bytes[target] = byte;
        all |= byte;
        target += 1;
      }
      words[firstWord + text] = wordOf(length, all < 0x80);
    }
    // Equal texts must have equal units.
    while (target % UNIT_BYTES > 0) {
      bytes[target] = 0;
      target += 1;
    }
    return unit;
  }

  /** Allocates this many units in one chunk. */
  #reserve(units: number): number {
    if (this.chunks[this.#current] === undefined || this.#filled + units > this.chunkUnits) {
      const free = this.chunks.indexOf(undefined);
      this.#current = free === -1 ? this.chunks.length : free;
      this.chunks[this.#current] = toChunk(
        new SharedArrayBuffer(Math.max(units, this.chunkUnits) * UNIT_BYTES),
      );
      this.#used[this.#current] = 0;
      this.#filled = 0;
    }
    return this.#current * this.chunkUnits + this.#filled;
  }

  #areEqual(one: number, other: number): boolean {
    const units = this.unitsAt(one);
    if (this.unitsAt(other) !== units) {
      return false;
    }
    const { words } = this.chunkAt(one);
    const { words: otherWords } = this.chunkAt(other);
    const [first, otherFirst] = [this.wordAt(one), this.wordAt(other)];
    for (let at = 0; at < units * WORDS_PER_UNIT; at += 1) {
      if (words[first + at] !== otherWords[otherFirst + at]) {
        return false;
      }
    }
    return true;
  }

  #count(unit: number, sign: 1 | -1): void {
    if (unit === NOTHING) {
      return;
    }
    const chunk = this.numberOfChunk(unit);
    this.#used[chunk] = (this.#used[chunk] as number) + sign * this.unitsAt(unit);
  }
}

/** Scratch: the lengths of a row's texts, and where they begin in the row. */
const lengths = new Int32Array(Math.max(textColumns.length, detailColumns.length));
const starts = new Int32Array(lengths.length);

/** The texts of an edition, and how far its chunks are filled. */
export interface WrittenTexts extends TextData {
  readonly used: readonly number[];
  readonly current: number;
  readonly filled: number;
}

/** No texts. */
export function noTexts(chunkBytes: number): WrittenTexts {
  return { chunks: [], chunkBytes, used: [], current: 0, filled: 0 };
}

function wordOf(length: number, isAscii: boolean): number {
  return length === -1 ? NULL_TEXT : 2 * length + Number(isAscii);
}

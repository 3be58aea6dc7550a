import { foldText, wordsOf } from '../../../lib/text/words.ts';
import { siteName } from '../../model/website.ts';
import { type StoredColumns, TECH_STACK, type TextColumn, textColumns, WHOLE } from './columns.ts';
import { hashBytes, lowerCase } from './hash.ts';
import { grown, sharedArray } from './memory.ts';
import { listOf } from './packed-record.ts';
import { sortPositions, sortRuns } from './radix-sort.ts';
import type { PackedTexts } from './texts.ts';
import { occurrence, positionOfOccurrence, type WordIndex } from './word-index.ts';

/** The searched fields: more important ones have lower numbers. */
const fields: readonly { readonly text: number; readonly field: number }[] = (
  [
    ['name', 0],
    ['slug', 1],
    ['xHandle', 1],
    ['website', 1],
    ['description', 2],
  ] as const satisfies readonly (readonly [TextColumn, number])[]
).map(([column, field]) => ({ text: textColumns.indexOf(column), field }));
const DESCRIPTION = textColumns.indexOf('description' satisfies TextColumn);
/** Only its host is searched. */
const WEBSITE = textColumns.indexOf('website' satisfies TextColumn);

/** By byte: the form of an ASCII letter or digit in words; 0 for other bytes. */
const wordBytes = Uint8Array.from({ length: 256 }, (_, byte) =>
  /[0-9A-Za-z]/.test(String.fromCharCode(byte)) ? lowerCase(byte) : 0,
);

/** More words than records have on average, for the first allocation: the system provides no memory for those that are missing. */
const EXPECTED_WORDS = 16;

/**
 * Indexes the words of records.
 *
 * @param positions of the records to index, ascending.
 */
export function indexWords(
  texts: PackedTexts,
  { texts: units, descriptionCut }: Pick<StoredColumns, 'texts' | 'descriptionCut'>,
  positions: Uint32Array,
): WordIndex {
  const collector = new WordCollector(positions.length);
  for (const position of positions) {
    collector.add(texts, units[position] as number, position, descriptionCut[position] as number);
  }
  return collector.finish();
}

/** Indexes the technologies of records, each as one word. */
export function indexTechnologies(
  details: PackedTexts,
  units: Uint32Array,
  positions: Uint32Array,
): WordIndex {
  const collector = new WordCollector(0);
  for (const position of positions) {
    for (const name of listOf(details.textOf(units[position] as number, TECH_STACK))) {
      collector.addWhole(foldText(name), position);
    }
  }
  return collector.finish();
}

/** Collects the words of records into an index. */
class WordCollector {
  /** The words in the order in which they were found. */
  #bytes = new Uint8Array(2 ** 16);
  #starts = new Uint32Array(2 ** 12);
  #words = 0;
  /** An open-addressing hash table: one more than the number of a word; 0 is free. */
  #slots = new Uint32Array(2 ** 13);
  /** By word: the hash, and one more than the position of the last record that contains it. */
  #hashes = new Int32Array(2 ** 12);
  #last = new Uint32Array(2 ** 12);
  /** What was found: the number of a word, and its occurrence. */
  #found: Uint32Array;
  #where: Uint32Array;
  #count = 0;

  /** @param records how many will be added, about. */
  constructor(records: number) {
    this.#found = new Uint32Array(records * EXPECTED_WORDS);
    this.#where = new Uint32Array(records * EXPECTED_WORDS);
  }

  /**
   * @param at where the texts of the record are.
   * @param descriptionCut see `StoredColumns`: what lists do not show is not found.
   */
  add(texts: PackedTexts, at: number, position: number, descriptionCut: number): void {
    for (const { text, field } of fields) {
      const { bytes, start, end, isAscii } = texts.bytesOf(at, text);
      const value = occurrence(position, field);
      if (text === WEBSITE) {
        const website = texts.website(at);
        this.#addFolded(website === undefined ? '' : siteName(website), value);
        continue;
      }
      if (text !== DESCRIPTION || descriptionCut === WHOLE) {
        this.#addText(bytes, start, end, value);
      } else if (isAscii) {
        this.#addText(bytes, start, start + descriptionCut, value);
      } else {
        const cut = Buffer.from(bytes.toString('utf8', start, end).slice(0, descriptionCut));
        this.#addText(cut, 0, cut.length, value);
      }
    }
  }

  /** Adds the words of a text in UTF-8. */
  #addText(source: Buffer, start: number, end: number, value: number): void {
    this.#reserveBytes(end - start);
    let bytes = this.#bytes;
    let first = this.#starts[this.#words] as number;
    let length = 0;
    let begin = start;
    let isAscii = true;
    for (let at = start; at <= end; at += 1) {
      const byte = at < end ? (source[at] as number) : 0;
      const letter = wordBytes[byte] as number;
      if (letter !== 0) {
        bytes[first + length] = letter;
        length += 1;
      } else if (byte >= 0x80) {
        isAscii = false;
      } else {
        if (!isAscii) {
          this.#addFolded(source.toString('utf8', begin, at), value);
          this.#reserveBytes(end - at);
          bytes = this.#bytes;
        } else if (length > 0) {
          this.#addWord(length, value);
        }
        first = this.#starts[this.#words] as number;
        length = 0;
        begin = at + 1;
        isAscii = true;
      }
    }
  }

  #addFolded(text: string, value: number): void {
    for (const word of wordsOf(text)) {
      this.#addEncoded(Buffer.from(word), value);
    }
  }

  /** Adds a folded text of a record as one word. */
  addWhole(text: string, position: number): void {
    this.#addEncoded(Buffer.from(text), occurrence(position, 0));
  }

  #addEncoded(word: Buffer, value: number): void {
    this.#reserveBytes(word.length);
    this.#bytes.set(word, this.#starts[this.#words]);
    this.#addWord(word.length, value);
  }

  /** Adds the word that was written behind the others. */
  #addWord(length: number, value: number): void {
    const first = this.#starts[this.#words] as number;
    const hash = hashBytes(this.#bytes, first, first + length);
    const word = this.#numberOf(first, length, hash);
    const mark = positionOfOccurrence(value) + 1;
    // Fields are added in the order of their importance.
    if (this.#last[word] === mark) {
      return;
    }
    this.#last[word] = mark;
    if (this.#count === this.#found.length) {
      this.#found = grown(this.#found);
      this.#where = grown(this.#where);
    }
    this.#found[this.#count] = word;
    this.#where[this.#count] = value;
    this.#count += 1;
  }

  /** The number of a word, which is new if it was not found before. */
  #numberOf(first: number, length: number, hash: number): number {
    const mask = this.#slots.length - 1;
    let slot = (hash ^ (hash >>> 15)) & mask;
    for (; this.#slots[slot] !== 0; slot = (slot + 1) & mask) {
      const word = (this.#slots[slot] as number) - 1;
      if (this.#hashes[word] === hash && this.#isEqual(word, first, length)) {
        return word;
      }
    }
    const word = this.#words;
    this.#words += 1;
    if (this.#words === this.#hashes.length) {
      this.#hashes = grown(this.#hashes);
      this.#last = grown(this.#last);
      this.#starts = grown(this.#starts);
    }
    this.#slots[slot] = this.#words;
    this.#hashes[word] = hash;
    this.#starts[this.#words] = first + length;
    if (this.#words * 2 > this.#slots.length) {
      this.#growSlots();
    }
    return word;
  }

  #isEqual(word: number, first: number, length: number): boolean {
    const start = this.#starts[word] as number;
    if ((this.#starts[word + 1] as number) - start !== length) {
      return false;
    }
    for (let at = 0; at < length; at += 1) {
      if (this.#bytes[start + at] !== this.#bytes[first + at]) {
        return false;
      }
    }
    return true;
  }

  #growSlots(): void {
    const slots = new Uint32Array(this.#slots.length * 2);
    for (let word = 0; word < this.#words; word += 1) {
      const hash = this.#hashes[word] as number;
      let slot = (hash ^ (hash >>> 15)) & (slots.length - 1);
      while (slots[slot] !== 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = word + 1;
    }
    this.#slots = slots;
  }

  #reserveBytes(count: number): void {
    while ((this.#starts[this.#words] as number) + count > this.#bytes.length) {
      this.#bytes = grown(this.#bytes);
    }
  }

  /** Sorts the words, and puts their occurrences together. */
  finish(): WordIndex {
    const order = this.#sortedWords();
    const bytes = sharedArray(Uint8Array, this.#starts[this.#words] as number);
    const starts = sharedArray(Uint32Array, this.#words + 1);
    const firsts = sharedArray(Uint32Array, this.#words + 1);
    const occurrences = sharedArray(Uint32Array, this.#count);
    const counts = new Uint32Array(this.#words);
    for (let at = 0; at < this.#count; at += 1) {
      const word = this.#found[at] as number;
      counts[word] = (counts[word] as number) + 1;
    }
    /** Where the next occurrence of each word belongs. */
    const next = counts;
    let [end, total] = [0, 0];
    for (let number = 0; number < order.length; number += 1) {
      const word = order[number] as number;
      const last = this.#starts[word + 1] as number;
      // A loop, since words are short.
      for (let at = this.#starts[word] as number; at < last; at += 1) {
        bytes[end] = this.#bytes[at] as number;
        end += 1;
      }
      starts[number + 1] = end;
      const count = counts[word] as number;
      next[word] = total;
      total += count;
      firsts[number + 1] = total;
    }
    for (let at = 0; at < this.#count; at += 1) {
      const word = this.#found[at] as number;
      const place = next[word] as number;
      occurrences[place] = this.#where[at] as number;
      next[word] = place + 1;
    }
    return { bytes, starts, firsts, occurrences };
  }

  /** The numbers of the words in the order of their bytes. */
  #sortedWords(): Uint32Array {
    const order = new Uint32Array(this.#words).map((_, word) => word);
    // As many bytes as a double holds exactly; a longer word has an equal or a higher key than its beginning.
    const keys = new Float64Array(this.#words);
    for (let word = 0; word < this.#words; word += 1) {
      const [start, end] = [this.#starts[word] as number, this.#starts[word + 1] as number];
      let key = 0;
      for (let at = start; at < start + KEY_BYTES; at += 1) {
        key = key * 256 + (at < end ? (this.#bytes[at] as number) : 0);
      }
      keys[word] = key;
    }
    sortPositions(order, keys, false);
    const bytesOf = (word: number): Uint8Array =>
      this.#bytes.subarray(this.#starts[word], this.#starts[word + 1]);
    sortRuns(order, keys, (run) => run.sort((a, b) => Buffer.compare(bytesOf(a), bytesOf(b))));
    return order;
  }
}

const KEY_BYTES = 6;

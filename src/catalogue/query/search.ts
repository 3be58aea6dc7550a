import { LRUCache } from 'lru-cache';
import type { Steps } from '../../event-loop/time-slices.ts';
import type { CatalogueData } from '../edition-data.ts';
import {
  fieldOfOccurrence,
  positionOfOccurrence,
  type SearchData,
  type WordIndex,
} from '../store/word-index.ts';
import { Marks } from './marks.ts';
import type { Matches } from './matches.ts';
import { STEP } from './scan.ts';

/** Words with at least this many letters may have a typing error. */
const CORRECTED_LETTERS = 5;
/** The memory for recent results. */
const KEPT_BYTES = 2 ** 24;
const OVERHEAD_BYTES = 500;

/** Searches the words of one edition. */
export class Search {
  readonly #data: SearchData;
  readonly #size: number;
  readonly #marks: Marks;
  readonly #kept = new LRUCache<string, Matches>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ positions }) => positions.length * 5 + OVERHEAD_BYTES,
  });

  constructor({ search, columns }: Pick<CatalogueData, 'search' | 'columns'>) {
    this.#data = search;
    this.#size = columns.id.length;
    this.#marks = new Marks(this.#size);
  }

  /** @param words folded, separated by spaces. */
  *find(words: string): Steps<Matches> {
    const kept = this.#kept.get(words);
    if (kept !== undefined) {
      return kept;
    }
    const list = words.split(' ');
    let found = yield* this.#match(list, false);
    if (found.positions.length === 0 && list.some(mayBeCorrected)) {
      const corrected = yield* this.#match(list, true);
      found = corrected.positions.length === 0 ? found : corrected;
    }
    this.#kept.set(words, found);
    return found;
  }

  /** Positions in the order of relevance: best matches first, equal ones in the order given. */
  *byRelevance(list: Uint32Array, matches: Matches): Steps<Uint32Array> {
    const scores = this.#marks.take();
    for (let at = 0; at < matches.positions.length; at += 1) {
      scores[matches.positions[at] as number] = matches.scores[at] as number;
      if (at % STEP === STEP - 1) {
        yield;
      }
    }
    /** Where the next position with each score belongs. */
    const next = new Uint32Array(MOST_SCORE + 2);
    for (let at = 0; at < list.length; at += 1) {
      const score = (scores[list[at] as number] as number) + 1;
      next[score] = (next[score] as number) + 1;
      if (at % STEP === STEP - 1) {
        yield;
      }
    }
    for (let score = 1; score < next.length; score += 1) {
      next[score] = (next[score] as number) + (next[score - 1] as number);
    }
    const sorted = new Uint32Array(list.length);
    for (let at = 0; at < list.length; at += 1) {
      const position = list[at] as number;
      const score = scores[position] as number;
      const place = next[score] as number;
      sorted[place] = position;
      next[score] = place + 1;
      if (at % STEP === STEP - 1) {
        yield;
      }
    }
    this.#marks.give(scores);
    return sorted;
  }

  /** The startups that contain every word. */
  *#match(words: readonly string[], isCorrected: boolean): Steps<Matches> {
    const { base, changes, changed } = this.#data;
    const found: FoundWord[] = [];
    for (const word of words) {
      const find = isCorrected && mayBeCorrected(word) ? correctionsOf : rangeOf;
      const parts = [base, changes].map((index) => ({ index, ranges: [find(index, word)].flat() }));
      found.push({ parts, count: parts.reduce((sum, part) => sum + countOf(part), 0) });
      yield;
    }
    const marks = this.#marks.take();
    let positions: Uint32Array | undefined;
    let scores = new Uint8Array(0);
    // The rarest first: then fewer startups are looked at.
    for (const { parts, count } of found.sort((a, b) => a.count - b.count)) {
      marks.fill(0);
      for (const part of parts) {
        yield* mark(part, marks);
        // They have other words now, which the second part has.
        for (const position of part.index === base ? changed : []) {
          marks[position] = 0;
        }
      }
      const passing = positions ?? (count * FEW < this.#size ? candidatesOf(parts) : undefined);
      const length = passing?.length ?? this.#size;
      const kept = new Uint32Array(Math.min(length, positions?.length ?? count));
      const sums = new Uint8Array(kept.length);
      let next = 0;
      for (let at = 0; at < length; at += 1) {
        const position = passing === undefined ? at : (passing[at] as number);
        const score = marks[position] as number;
        if (score > 0) {
          kept[next] = position;
          sums[next] = (scores[at] ?? 0) + score - 1;
          next += 1;
        }
        if (at % STEP === STEP - 1) {
          yield;
        }
      }
      positions = kept.subarray(0, next);
      scores = sums.subarray(0, next);
      if (next === 0) {
        break;
      }
      yield;
    }
    this.#marks.give(marks);
    return { positions: (positions ?? new Uint32Array(0)).slice(), scores: scores.slice(), isCorrected };
  }
}

/** A word of a search: its words in both parts of the index, and how often they occur. */
interface FoundWord {
  readonly parts: readonly FoundWords[];
  readonly count: number;
}

/** Scores of a word: by the field, then whether the word is whole. The best score is 0. */
const SCORES_PER_FIELD = 2;
const FIELDS = 3;
/** The most words of a search. */
export const MAX_WORDS = 8;
const MOST_SCORE = MAX_WORDS * (FIELDS * SCORES_PER_FIELD - 1);

/** Words of one part of the index. */
interface FoundWords {
  readonly index: WordIndex;
  readonly ranges: readonly WordRange[];
}

/** If a word occurs this many times less often than there are startups, only those with it are looked at. */
const FEW = 64;

function countOf({ index: { firsts }, ranges }: FoundWords): number {
  return ranges.reduce((sum, { first, end }) => sum + (firsts[end] as number) - (firsts[first] as number), 0);
}

/** The startups that contain one of some rare words, or did, ascending. */
function candidatesOf(parts: readonly FoundWords[]): Uint32Array {
  const positions = parts.flatMap(({ index: { firsts, occurrences }, ranges }) =>
    ranges.flatMap(({ first, end }) =>
      Array.from(occurrences.subarray(firsts[first], firsts[end]), positionOfOccurrence),
    ),
  );
  return new Uint32Array(new Set(positions)).sort();
}

function mayBeCorrected(word: string): boolean {
  return [...word].length >= CORRECTED_LETTERS;
}

/** Marks the startups that contain one of the words with one more than their score. */
function* mark({ index, ranges }: FoundWords, marks: Uint8Array): Steps<void> {
  const { firsts, occurrences } = index;
  let step = 0;
  for (const { first, end, isWhole } of ranges) {
    const longer = firsts[first + Number(isWhole)] as number;
    const last = firsts[end] as number;
    for (let at = firsts[first] as number; at < last; at += 1) {
      const value = occurrences[at] as number;
      const position = positionOfOccurrence(value);
      const score = 1 + fieldOfOccurrence(value) * SCORES_PER_FIELD + Number(at >= longer);
      const known = marks[position] as number;
      marks[position] = known !== 0 && known < score ? known : score;
      step += 1;
      if (step % STEP === 0) {
        yield;
      }
    }
  }
}

/** Words with a common beginning. */
interface WordRange {
  readonly first: number;
  readonly end: number;
  /** Whether the first is the beginning itself. */
  readonly isWhole: boolean;
}

/** The words, of those in a range, that begin like this. */
function rangeOf(
  index: WordIndex,
  beginning: string,
  within: Pick<WordRange, 'first' | 'end'> = { first: 0, end: index.starts.length - 1 },
): WordRange {
  const bytes = Buffer.from(beginning);
  const first = firstWord(within.first, within.end, (word) => compare(index, word, bytes) >= 0);
  const end = firstWord(first, within.end, (word) => compare(index, word, bytes) > 0);
  return { first, end, isWhole: first < end && lengthOf(index, first) === bytes.length };
}

/**
 * The ranges of words that begin like a word in which one letter is missing, added, replaced, or swapped with the next.
 * They are found letter by letter in the sorted words, so that few of them are looked at.
 */
function correctionsOf(index: WordIndex, word: string): WordRange[] {
  const letters = [...word];
  const ranges = new Map<string, WordRange>();
  const add = (beginning: string, within: WordRange): void => {
    if (!ranges.has(beginning)) {
      ranges.set(beginning, rangeOf(index, beginning, within));
    }
  };
  for (let at = 0; at <= letters.length; at += 1) {
    const before = letters.slice(0, at).join('');
    const range = rangeOf(index, before);
    if (range.first === range.end) {
      break;
    }
    const [rest, afterNext] = [letters.slice(at).join(''), letters.slice(at + 1).join('')];
    add(before + rest, range);
    if (at < letters.length) {
      add(before + afterNext, range);
    }
    if (at + 1 < letters.length) {
      add(`${before}${letters[at + 1]}${letters[at]}${letters.slice(at + 2).join('')}`, range);
    }
    const length = Buffer.byteLength(before);
    for (let first = range.first + Number(range.isWhole); first < range.end; ) {
      const letter = letterAt(index, first, length);
      const next = rangeOf(index, before + letter, { first, end: range.end });
      add(before + letter + rest, next);
      if (at < letters.length) {
        add(before + letter + afterNext, next);
      }
      first = next.end;
    }
  }
  return [...ranges.values()].filter(({ first, end }) => first < end);
}

function lengthOf({ starts }: WordIndex, word: number): number {
  return (starts[word + 1] as number) - (starts[word] as number);
}

/** The character of a word at an offset in bytes. */
function letterAt({ bytes, starts }: WordIndex, word: number, offset: number): string {
  const start = (starts[word] as number) + offset;
  const lead = bytes[start] as number;
  const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  return Buffer.from(bytes.subarray(start, start + size)).toString();
}

/** 0 if a word begins with these bytes; negative if it comes before such words. */
function compare({ bytes, starts }: WordIndex, word: number, beginning: Uint8Array): number {
  const start = starts[word] as number;
  const length = (starts[word + 1] as number) - start;
  for (let at = 0; at < beginning.length; at += 1) {
    const difference = at < length ? (bytes[start + at] as number) - (beginning[at] as number) : -1;
    if (difference !== 0) {
      return difference;
    }
  }
  return 0;
}

function firstWord(from: number, to: number, reached: (word: number) => boolean): number {
  let low = from;
  for (let high = to; low < high; ) {
    const middle = (low + high) >>> 1;
    if (reached(middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

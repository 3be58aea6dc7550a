import { LRUCache } from 'lru-cache';
import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { CatalogueData } from '../edition-data.ts';
import { firstReached } from '../order/orders.ts';
import { fieldOfOccurrence, positionOfOccurrence, type WordIndex } from '../store/word-index.ts';
import type { Matches } from './relevance.ts';
import { STEP } from './scan.ts';

/** Words with at least this many letters and no digit may have a typing error: another number is another thing. */
const CORRECTED_WORD = /^\P{N}{5,}$/u;
/** The memory for recent results. */
const KEPT_BYTES = 2 ** 24;
const OVERHEAD_BYTES = 500;

/** Searches the words of one edition. */
export function createSearch({ search: index, columns }: Pick<CatalogueData, 'search' | 'columns'>) {
  const recent = new LRUCache<string, Matches>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ positions }) => positions.length * 5 + OVERHEAD_BYTES,
  });
  /** @param words folded, separated by spaces. */
  return function* find(words: string): Steps<Matches> {
    const kept = recent.get(words);
    if (kept !== undefined) {
      return kept;
    }
    const list = words.split(' ');
    let found = yield* match(index, columns.id.length, list, false);
    if (found.positions.length === 0 && list.some(mayBeCorrected)) {
      const corrected = yield* match(index, columns.id.length, list, true);
      found = corrected.positions.length === 0 ? found : corrected;
    }
    recent.set(words, found);
    return found;
  };
}

/** The startups that contain every word. */
function* match(
  index: WordIndex,
  size: number,
  words: readonly string[],
  isCorrected: boolean,
): Steps<Matches> {
  const found: FoundWord[] = [];
  for (const word of words) {
    const find = isCorrected && mayBeCorrected(word) ? correctionsOf : rangeOf;
    const ranges = [find(index, word)].flat();
    found.push({ ranges, count: countOf(index, ranges) });
    yield;
  }
  const [rarest, ...others] = found.sort((a, b) => a.count - b.count) as [FoundWord, ...FoundWord[]];
  if (rarest.count === 0) {
    return nothing;
  }
  const marks = new Uint8Array(size);
  yield* markWords(index, rarest.ranges, marks);
  const positions = positionsOf(index, rarest, marks);
  let matches = narrow({ positions, scores: new Uint8Array(positions.length) }, marks);
  for (const { ranges } of others) {
    if (matches.positions.length === 0) {
      break;
    }
    yield* markWords(index, ranges, marks.fill(0));
    matches = narrow(matches, marks);
  }
  return { ...matches, isCorrected };
}

/** The startups that contain a word, ascending. @param marks of the word. */
function positionsOf(index: WordIndex, { ranges, count }: FoundWord, marks: Uint8Array): Uint32Array {
  const positions = new Uint32Array(count);
  let next = 0;
  if (count * FREQUENT_PART >= marks.length) {
    for (let position = 0; position < marks.length; position += 1) {
      positions[next] = position;
      next += Number(marks[position] !== 0);
    }
    return positions.subarray(0, next);
  }
  for (const { first, end } of ranges) {
    const { occurrences, firsts } = index;
    const found = occurrences.subarray(firsts[first], firsts[end]);
    positions.set(found.map(positionOfOccurrence), next);
    next += found.length;
  }
  return positions.sort().filter((position, at) => position !== positions[at - 1]);
}

const nothing: Matches = { positions: new Uint32Array(0), scores: new Uint8Array(0), isCorrected: false };

/** A word of a search: the words of the index that it finds, and how often they occur. */
interface FoundWord {
  readonly ranges: readonly WordRange[];
  readonly count: number;
}

/** Scores of a word: by the field, then whether the word is whole. The best score is 0. */
const SCORES_PER_FIELD = 2;

/** Testing all startups costs less than sorting those with a word that occurs at least once in this many. */
const FREQUENT_PART = 64;

function countOf({ firsts }: WordIndex, ranges: readonly WordRange[]): number {
  return ranges.reduce((sum, { first, end }) => sum + (firsts[end] as number) - (firsts[first] as number), 0);
}

type Scored = Omit<Matches, 'isCorrected'>;

/** Those of the startups that are marked, with the scores of the marks added. */
function narrow({ positions, scores }: Scored, marks: Uint8Array): Scored {
  const kept = { positions: new Uint32Array(positions.length), scores: new Uint8Array(positions.length) };
  let next = 0;
  for (let at = 0; at < positions.length; at += 1) {
    const position = positions[at] as number;
    const mark = marks[position] as number;
    kept.positions[next] = position;
    kept.scores[next] = (scores[at] as number) + mark - 1;
    next += Number(mark !== 0);
  }
  return { positions: kept.positions.slice(0, next), scores: kept.scores.slice(0, next) };
}

function mayBeCorrected(word: string): boolean {
  return CORRECTED_WORD.test(word);
}

/** Marks the startups that contain one of the words with one more than their score. */
function* markWords(
  { firsts, occurrences }: WordIndex,
  ranges: readonly WordRange[],
  marks: Uint8Array,
): Steps<void> {
  for (const { first, end, isWhole } of ranges) {
    const longer = firsts[first + Number(isWhole)] as number;
    const last = firsts[end] as number;
    for (let at = firsts[first] as number; at < last; ) {
      const isLonger = at >= longer;
      const stop = Math.min(isLonger ? last : longer, at + STEP);
      for (; at < stop; at += 1) {
        const value = occurrences[at] as number;
        const position = positionOfOccurrence(value);
        const score = 1 + fieldOfOccurrence(value) * SCORES_PER_FIELD + Number(isLonger);
        const known = marks[position] as number;
        marks[position] = known !== 0 && known < score ? known : score;
      }
      yield;
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
  const first = firstReached(within.first, within.end, (word) => compare(index, word, bytes) >= 0);
  const end = firstReached(first, within.end, (word) => compare(index, word, bytes) > 0);
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

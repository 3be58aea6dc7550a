import { copyOf, type NumberArray, sharedArray } from './memory.ts';
import type { PackedTexts } from './texts.ts';
import { positionOfOccurrence, WordCollector, type WordIndex } from './word-index.ts';

/** The words of all records. */
export interface SearchData {
  readonly base: WordIndex;
  /** The positions that `base` has no longer, or not yet, the words of, ascending; `changes` has them. */
  readonly changed: Uint32Array;
  readonly changes: WordIndex;
}

/** If more than one record in this many has other words than the base, its words and theirs become a new base. */
const CHANGED_PART = 64;

/**
 * Indexes the words of all records.
 *
 * @param units where the texts of each record are, by position.
 */
export function indexAll(texts: PackedTexts, units: Uint32Array): SearchData {
  const collector = new WordCollector(units.length);
  for (let position = 0; position < units.length; position += 1) {
    collector.add(texts, units[position] as number, position);
  }
  return only(collector.finish());
}

/**
 * Updates an index after changes; returns the earlier one itself if no words changed.
 *
 * @param changed the positions that changed or are new, ascending.
 */
export function indexChanges(
  texts: PackedTexts,
  units: Uint32Array,
  earlier: { readonly search: SearchData; readonly columns: { readonly texts: Uint32Array } },
  changed: Uint32Array,
): SearchData {
  const others = changed.filter((position) => units[position] !== earlier.columns.texts[position]);
  if (others.length === 0) {
    return earlier.search;
  }
  if (others.length * 2 > units.length) {
    return indexAll(texts, units);
  }
  const all = new Uint32Array(new Set([...earlier.search.changed, ...others])).sort();
  const collector = new WordCollector(all.length);
  for (const position of all) {
    collector.add(texts, units[position] as number, position);
  }
  const search = { base: earlier.search.base, changed: all, changes: collector.finish() };
  return all.length * CHANGED_PART > units.length ? only(merge(search, units.length)) : search;
}

function only(base: WordIndex): SearchData {
  return { base, changed: new Uint32Array(0), changes: new WordCollector(0).finish() };
}

/** Makes one index of both parts, in a small part of the time that indexing all records takes. */
function merge({ base, changed, changes }: SearchData, size: number): WordIndex {
  const isChanged = new Uint8Array(size);
  for (const position of changed) {
    isChanged[position] = 1;
  }
  const isKept = (value: number): boolean => isChanged[positionOfOccurrence(value)] === 0;
  let kept = 0;
  for (let at = 0; at < base.occurrences.length; at += 1) {
    kept += Number(isKept(base.occurrences[at] as number));
  }
  const occurrences = sharedArray(Uint32Array, kept + changes.occurrences.length);
  const bytes = new Uint8Array(base.bytes.length + changes.bytes.length);
  const starts = new Uint32Array(base.starts.length + changes.starts.length);
  const firsts = new Uint32Array(starts.length);
  let [words, end, next] = [0, 0, 0];
  const [ofBase, ofChanges] = [wordsIn(base), wordsIn(changes)];
  let [one, other] = [ofBase.next(), ofChanges.next()];
  while (!one.done || !other.done) {
    const order = one.done ? 1 : other.done ? -1 : Buffer.compare(one.value.word, other.value.word);
    const { word } = (order <= 0 ? one : other).value as WordOccurrences;
    if (order <= 0) {
      const { first, last } = one.value as WordOccurrences;
      for (let at = first; at < last; at += 1) {
        const value = base.occurrences[at] as number;
        if (isKept(value)) {
          occurrences[next] = value;
          next += 1;
        }
      }
      one = ofBase.next();
    }
    if (order >= 0) {
      const { first, last } = other.value as WordOccurrences;
      occurrences.set(changes.occurrences.subarray(first, last), next);
      next += last - first;
      other = ofChanges.next();
    }
    if (next > (firsts[words] as number)) {
      words += 1;
      bytes.set(word, end);
      end += word.length;
      starts[words] = end;
      firsts[words] = next;
    }
  }
  return {
    bytes: copyOf(bytes.subarray(0, end)),
    starts: copyOf(starts.subarray(0, words + 1)),
    firsts: copyOf(firsts.subarray(0, words + 1)),
    occurrences,
  };
}

/** A word of an index, and where its occurrences are. */
interface WordOccurrences {
  readonly word: Uint8Array;
  readonly first: number;
  readonly last: number;
}

function* wordsIn({ bytes, starts, firsts }: WordIndex): Generator<WordOccurrences, undefined> {
  for (let at = 0; at + 1 < starts.length; at += 1) {
    yield {
      word: bytes.subarray(starts[at], starts[at + 1]),
      first: firsts[at] as number,
      last: firsts[at + 1] as number,
    };
  }
}

/** The memory of an index. */
export function arraysOf({ base, changes }: SearchData): NumberArray[] {
  return [base, changes].flatMap(({ bytes, starts, firsts, occurrences }) => [
    bytes,
    starts,
    firsts,
    occurrences,
  ]);
}

import type { Steps } from '../../../lib/loop/time-slices.ts';
import type { Website } from '../../model/website.ts';
import { numbersOf } from '../store/columns.ts';
import { hashText, hostKey, lastKeyOfHost, websiteKey } from '../store/hash.ts';
import { occurrencesOf, positionOfOccurrence, type WordIndex, wordOf } from '../store/word-index.ts';
import { type ArrangedData, countBeforeBound, firstReached, orderOf } from './orders.ts';

/** Websites checked in one step: each is read by an expression, so that these take about a millisecond. */
const CHECKED = 1_024;
/** The most paths above one that are looked up: a text of 2,048 slashes has as many. */
const MOST_ABOVE = 32;

// Slugs, handles and websites are looked up in the orders by their hashes. Different texts may share a hash.

/** The position of the startup with a slug; undefined if there is none. */
export function positionOfSlug(data: ArrangedData, slug: string): number | undefined {
  const { columns, texts } = data;
  for (const position of positionsOfSlugHash(data, slug)) {
    if (texts.hasSlug(columns.texts[position] as number, slug)) {
      return position;
    }
  }
  return undefined;
}

/** The positions of the startups whose slugs have the same hash as this one: hardly ever more than one. */
export function positionsOfSlugHash(data: ArrangedData, slug: string): number[] {
  return positionsWithin(data, 'slug-asc', hashText(slug));
}

/**
 * The positions of a founder's startups, in no particular order.
 *
 * @param handle normalized.
 */
export function positionsOfHandle(data: ArrangedData, handle: string): Uint32Array {
  const { columns, texts } = data;
  const found = positionsWithin(data, 'handle-asc', hashText(handle));
  return Uint32Array.from(found).filter((position) =>
    texts.hasHandle(columns.texts[position] as number, handle),
  );
}

/**
 * The positions of the startups of a host, in no particular order. If the website has a path, only of those with the same
 * path or one above it, as a startup may have a page on a host that it shares with others. In steps, as many can share it.
 */
export function* positionsOfWebsite(data: ArrangedData, { host, path }: Website): Steps<Uint32Array> {
  const { columns, texts } = data;
  const names = path.split('/');
  const above = names.slice(0, MOST_ABOVE).map((_, last) => names.slice(0, last + 1).join('/'));
  const paths = new Set([...above, path]);
  const isFound = (position: number): boolean => {
    const found = texts.website(columns.texts[position] as number);
    return found?.host === host && (path === '' || paths.has(found.path));
  };
  const found =
    path === ''
      ? positionsWithin(data, 'website-asc', hostKey(host), lastKeyOfHost(host))
      : [...paths].flatMap((one) => positionsWithin(data, 'website-asc', websiteKey({ host, path: one })));
  // Paths can share a key.
  const candidates = Uint32Array.from(new Set(found));
  let count = 0;
  for (const [at, position] of candidates.entries()) {
    if (at % CHECKED === CHECKED - 1) {
      yield;
    }
    candidates[count] = position;
    count += Number(isFound(position));
  }
  return candidates.slice(0, count);
}

/** The positions at which the column of an order has a value from `least` to `most`. */
function positionsWithin(
  data: ArrangedData,
  order: 'slug-asc' | 'handle-asc' | 'website-asc',
  least: number,
  most = least,
): number[] {
  const sorted = data.orders[order];
  const column = numbersOf(data.columns, orderOf(order).column);
  const found: number[] = [];
  // Nulls are NaN, and last.
  for (let at = countBeforeBound(sorted, column, least); ; at += 1) {
    const position = sorted[at];
    if (position === undefined || !((column[position] as number) <= most)) {
      return found;
    }
    found.push(position);
  }
}

/**
 * The positions of the startups that use any of some technologies, in no particular order.
 *
 * @param names folded.
 */
export function positionsOfTechnologies(
  { technologies: index, columns }: ArrangedData & { readonly technologies: WordIndex },
  names: readonly string[],
): Uint32Array {
  const isFound = new Uint8Array(columns.id.length);
  const found: number[] = [];
  const count = index.starts.length - 1;
  for (const word of names.map((name) => Buffer.from(name))) {
    const number = firstReached(0, count, (at) => Buffer.compare(wordOf(index, at), word) >= 0);
    const isKnown = number < count && Buffer.compare(wordOf(index, number), word) === 0;
    for (const value of isKnown ? occurrencesOf(index, number) : []) {
      const position = positionOfOccurrence(value);
      if (isFound[position] === 0) {
        isFound[position] = 1;
        found.push(position);
      }
    }
  }
  return Uint32Array.from(found);
}

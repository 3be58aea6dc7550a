import { isPlainText } from '../lib/errors.ts';

export interface PageWanted {
  readonly page: number;
  readonly size: number;
}

export interface Paged<T> {
  readonly items: readonly T[];
  readonly hasMore: boolean;
}

/** Reads one page and one item more, which shows whether another page follows. Nothing is counted. */
export async function page<T>(
  wanted: PageWanted,
  read: (range: { skip: number; take: number }) => Promise<T[]>,
): Promise<Paged<T>> {
  const { size } = wanted;
  const found = await read({ skip: (wanted.page - 1) * size, take: size + 1 });
  return { items: found.slice(0, size), hasMore: found.length > size };
}

/** What to find in a list. */
export interface Search<State> extends PageWanted {
  /** An id, or what else a list can be searched for; empty: all. */
  readonly text: string;
  /** Undefined: in any state. */
  readonly state: State | undefined;
}

/** Reads a page of what is found. A text that no item can contain finds nothing. @param longest the most characters of a text. */
export async function pageOfSearch<T>(
  { text, ...wanted }: Search<unknown>,
  longest: number,
  read: Parameters<typeof page<T>>[1],
): Promise<Paged<T>> {
  return text === '' || isPlainText(text, longest) ? page(wanted, read) : { items: [], hasMore: false };
}

/** Beyond this page, a search is more useful. */
const LAST_PAGE = 1_000;

/** The page number in a URL; the first page if it is invalid. */
export function readPage(text: string | undefined): number {
  const page = Number(text ?? '1');
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1;
}

/** Escapes a text for a LIKE pattern: Prisma's `contains` and `startsWith` do not. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&');
}

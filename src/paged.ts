/** Which part of a long list is wanted. */
export interface PageWanted {
  /** From 1. */
  readonly page: number;
  /** How many on a page. */
  readonly size: number;
}

/** A part of a long list. */
export interface Paged<T> {
  readonly items: readonly T[];
  /** Whether another page follows. */
  readonly hasMore: boolean;
}

/** Reads one page: one item more than is shown tells whether another follows, and nothing is counted. */
export async function page<T>(
  wanted: PageWanted,
  read: (range: { skip: number; take: number }) => Promise<T[]>,
): Promise<Paged<T>> {
  const { size } = wanted;
  const found = await read({ skip: (wanted.page - 1) * size, take: size + 1 });
  return { items: found.slice(0, size), hasMore: found.length > size };
}

/** Beyond it a search serves better than leafing through. */
const LAST_PAGE = 1_000;

/** The page that an address names; one that is none is the first. */
export function readPage(text: string | undefined): number {
  const page = Number(text ?? '1');
  return Number.isInteger(page) && page >= 1 && page <= LAST_PAGE ? page : 1;
}

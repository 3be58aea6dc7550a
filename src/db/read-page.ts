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

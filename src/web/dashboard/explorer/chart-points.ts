import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import type { QueryArguments } from '../../../startups/model/requests/query-parameters.ts';
import type { SignedInContext } from '../page.ts';
import type { Read } from './reader.ts';
import { selectionOf } from './requests.ts';
import type { Point } from './scatter.tsx';

/** How many pages of a list a chart reads by rank: with those that are furthest out, 200 startups at most. */
const PAGES_BY_RANK = 18;

const SELECTION = selectionOf([
  'name',
  'slug',
  'onSale',
  'askingPrice',
  'multiple',
  'growth30d',
  'revenue.last30Days',
]).join(' ');

/**
 * The startups of a list that its chart shows, the same whenever it is opened: at equal distances by rank, and those with
 * the lowest and the highest multiples.
 *
 * @param total how many of the list have a price and revenue.
 */
export async function readPoints(
  read: Read,
  context: SignedInContext,
  { filter }: QueryArguments,
  total: number,
): Promise<Point[]> {
  const pages = pagesApart(Math.ceil(total / RECORDS_PER_READ), PAGES_BY_RANK);
  const pageOf = (alias: string, order: string, page: number): string =>
    `${alias}: startups(filter: $filter, sort: ${order}, page: ${page}) { ...Rows }`;
  const data = await read<Record<string, { readonly page: readonly Point[] }>>(
    context,
    `query Chart($filter: StartupFilter) {
  ${pages.map((page, index) => pageOf(`p${index}`, 'TOTAL_DESC', page)).join('\n  ')}
  ${pageOf('lowest', 'MULTIPLE_ASC', 1)}
  ${pageOf('highest', 'MULTIPLE_DESC', 1)}
}
fragment Rows on StartupConnection { page { ${SELECTION} } }`,
    // Only startups with a price and revenue have a multiple.
    { filter: { minMultiple: 0, ...filter } },
  );
  const found = Object.values(data).flatMap(({ page }) => page);
  return [...new Map(found.map((point) => [point.slug, point])).values()].filter(isDrawn);
}

/** A scale of powers of ten has no place for 0. */
const isDrawn = ({ askingPrice, revenue }: Point): boolean => askingPrice > 0 && revenue.last30Days > 0;

/** The numbers of some pages of a list, at equal distances from the first to the last. */
export function pagesApart(pages: number, wanted: number): number[] {
  const reads = Math.min(pages, wanted);
  const step = reads > 1 ? (pages - 1) / (reads - 1) : 0;
  return Array.from({ length: reads }, (_, index) => 1 + Math.round(index * step));
}

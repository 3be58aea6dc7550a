import { readPage } from '../../../db/read-page.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import { EXPLORER_PATH } from '../explorer/query.ts';

export const SHORTLIST_PATH = '/dashboard/shortlist';
export const SEARCHES_PATH = `${SHORTLIST_PATH}/searches`;
export const MAILS_PATH = `${SHORTLIST_PATH}/mails`;

/** How many startups stand side by side. */
export const [COMPARE_MIN, COMPARE_MAX] = [2, 4];

/** The parameter of the shortlist with the startups that stand side by side. */
export const COMPARED = 'compare';

/** The view of the shortlist in which some startups stand side by side. */
export const comparePath = (slugs: readonly string[]): string =>
  `${SHORTLIST_PATH}?${COMPARED}=${slugs.join(',')}`;

/** Where a form leads after it changed the shortlist: only to a page that has such a form. */
export function readBack(text: string | undefined): string {
  const isKnown = [EXPLORER_PATH, SHORTLIST_PATH].some((path) =>
    new RegExp(`^${path}([/?][\\x21-\\x7e]*)?$`).test(text ?? ''),
  );
  return isKnown && text !== undefined ? text : SHORTLIST_PATH;
}

/** A page of a list of an account: as many as one read returns. After the last one was removed from a page, the one before is shown. */
export function pageOf<T>(items: readonly T[], wanted: string | undefined) {
  const pages = Math.max(1, Math.ceil(items.length / RECORDS_PER_READ));
  const page = Math.min(readPage(wanted), pages);
  const end = page * RECORDS_PER_READ;
  return { page, pages, hasMore: page < pages, shown: items.slice(end - RECORDS_PER_READ, end) };
}

/** The address of a page of a list. */
export const pagePath = (path: string, page: number): string => (page === 1 ? path : `${path}?page=${page}`);

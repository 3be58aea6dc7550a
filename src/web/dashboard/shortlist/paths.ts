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

import { SAVED_MAILS_PATH } from '../../../access/mails/saved-mail-settings.ts';
import { readPage } from '../../../db/read-page.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import { Tabs } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';

export const SHORTLIST_PATH = '/dashboard/shortlist';
export const SEARCHES_PATH = `${SHORTLIST_PATH}/searches`;

/** The heading of the pages that {@link listTabs} links. */
export const SAVED = 'Saved';

/** The links between what an account has put aside. */
export const listTabs = (current: string): Html => (
  <Tabs
    label={SAVED}
    tabs={Object.entries({
      [SHORTLIST_PATH]: 'Startups',
      [SEARCHES_PATH]: 'Saved searches',
      [SAVED_MAILS_PATH]: 'Emails',
    }).map(([path, label]) => ({ path, label, isCurrent: path === current }))}
  />
);

/** How many startups stand side by side. */
export const [COMPARE_MIN, COMPARE_MAX] = [2, 4];

/** The parameter of the shortlist with the startups that stand side by side. */
export const COMPARED = 'compare';

/** The view of the shortlist in which some startups stand side by side. */
export const comparePath = (slugs: readonly string[]): string =>
  `${SHORTLIST_PATH}?${COMPARED}=${slugs.join(',')}`;

/**
 * A page of a list of an account: as many as one read returns. After the last one was removed from a page, the one before is
 * shown.
 */
export function pageOf<T>(path: string, items: readonly T[], wanted: string | undefined) {
  const pages = Math.max(1, Math.ceil(items.length / RECORDS_PER_READ));
  const page = Math.min(readPage(wanted), pages);
  const end = page * RECORDS_PER_READ;
  const link = (to: number): string => (to === 1 ? path : `${path}?page=${to}`);
  return {
    shown: items.slice(end - RECORDS_PER_READ, end),
    pager: { page, pages, hasMore: page < pages, link },
  };
}

/** Says that startups are not there. */
export const notListed = (slugs: readonly string[]): string =>
  `No startup is listed as ${slugs.map((slug) => `“${slug}”`).join(' or ')}. ${slugs.length > 1 ? 'They' : 'It'} may have been removed.`;

import { readPage } from '../../../db/read-page.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import { Tabs } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { SAVED_PATH } from '../../shared/paths.ts';

/** The links between what an account has saved. */
export const listTabs = (current: string): Html => (
  <Tabs
    label={pageLinks.saved.label}
    tabs={[{ path: SAVED_PATH, label: 'Startups' }, pageLinks.searches].map((link) => ({
      ...link,
      isCurrent: link.path === current,
    }))}
  />
);

/** How many startups stand side by side, at least. */
export const COMPARE_MIN = 2;

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

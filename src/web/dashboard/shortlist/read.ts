import { readPage } from '../../../db/read-page.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import { TREND_DAYS } from '../explorer/list-documents.ts';
import { createReader } from '../explorer/reader.ts';
import { type ShownStartup, selectionOf } from '../explorer/requests.ts';
import type { SignedInContext } from '../page.ts';
import type { Services } from '../services.ts';

/** As many as one read returns. */
const PAGE_SIZE = 10;

/** A page of a list of an account. After the last one was removed from a page, the one before is shown. */
export function pageOf<T>(items: readonly T[], wanted: string | undefined) {
  const pages = Math.max(1, Math.ceil(items.length / PAGE_SIZE));
  const page = Math.min(readPage(wanted), pages);
  return { page, pages, hasMore: page < pages, shown: items.slice((page - 1) * PAGE_SIZE, page * PAGE_SIZE) };
}

/** Startups by their slugs, null for each that is not there. */
export async function readStartups(
  services: Pick<Services, 'engine'>,
  context: SignedInContext,
  slugs: readonly string[],
  fields: readonly StartupFieldPath[],
): Promise<readonly (ShownStartup | null)[]> {
  const document = `query Shortlist($slugs: [String!]!) {
  startupsBySlug(slugs: $slugs) {
    ${selectionOf(fields).join(' ')}
    history(last: ${TREND_DAYS}, fill: true) { day revenue { mrr } }
  }
}`;
  const read = createReader(services);
  return (await read<{ startupsBySlug: (ShownStartup | null)[] }>(context, document, { slugs }))
    .startupsBySlug;
}

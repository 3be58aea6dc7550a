import { readPage } from '../../../db/read-page.ts';
import type { StartupFieldPath } from '../../../startups/model/fields.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import { readDocument, type ShownStartup, selectionOf, TREND } from '../explorer/documents.ts';
import type { SignedInContext } from '../page.ts';
import type { Services } from '../services.ts';

/** A page of a list of an account: as many as one read returns. After the last one was removed from a page, the one before is shown. */
export function pageOf<T>(items: readonly T[], wanted: string | undefined) {
  const pages = Math.max(1, Math.ceil(items.length / RECORDS_PER_READ));
  const page = Math.min(readPage(wanted), pages);
  const end = page * RECORDS_PER_READ;
  return { page, pages, hasMore: page < pages, shown: items.slice(end - RECORDS_PER_READ, end) };
}

/** The address of a page of a list. */
export const pagePath = (path: string, page: number): string => (page === 1 ? path : `${path}?page=${page}`);

/** Startups by their slugs, null for each that is not there. */
export async function readStartups(
  services: Pick<Services, 'engine'>,
  context: SignedInContext,
  slugs: readonly string[],
  fields: readonly StartupFieldPath[],
): Promise<readonly (ShownStartup | null)[]> {
  const document = `query Shortlist($slugs: [String!]!) {
  startupsBySlug(slugs: $slugs) { ${selectionOf(fields)} ${TREND} }
}`;
  type Data = { readonly startupsBySlug: readonly (ShownStartup | null)[] };
  return (await readDocument<Data>(services, context, document, { slugs })).startupsBySlug;
}

import type { SavedSearch } from '../../../access/accounts/lists.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import type { SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { readDocument } from '../../parts/startups/documents.ts';
import { filtersWith } from '../../parts/startups/filters.ts';
import { changed, explorerPath, readExplorerQuery, readRequest } from '../../parts/startups/query.ts';
import { count } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';

/** The startups of a search. */
export interface Matches {
  readonly total: number;
  /** Those that were added since it was last opened: at most as many as a read returns. */
  readonly added: number;
}

/** How many startups a search has. Those that are new lead to its list, the last added first. */
export const matchesText = ({ query }: SavedSearch, { total, added } = { total: 0, added: 0 }): Content => [
  count(total),
  added > 0 && (
    <>
      {' · '}
      <a href={explorerPath(changed(new URLSearchParams(query), 'sort', 'created-desc'))}>
        {added}
        {added === RECORDS_PER_READ && total > added && '+'} new
      </a>
    </>
  ),
];

interface SearchesData {
  readonly dataset: { readonly importedAt: string | null };
  readonly [list: `s${number}`]: {
    readonly page: readonly { readonly createdAt: string }[];
    readonly meta: { readonly total: number };
  };
}

/** The startups of each search, by its name. */
export async function countMatches(
  services: Services,
  context: SignedInContext,
  searches: readonly SavedSearch[],
): Promise<ReadonlyMap<string, Matches>> {
  const of = filtersWith(services.engine.own());
  const filters = searches.map(
    ({ query }, index) =>
      [`s${index}`, readRequest(readExplorerQuery(new URLSearchParams(query), of), of).args.filter] as const,
  );
  const { dataset, ...lists } = await readDocument<SearchesData>(
    services,
    context,
    `query Searches(${filters.map(([id]) => `$${id}: StartupFilter`).join(', ')}) {
  dataset { importedAt }
  ${filters.map(([id]) => `${id}: startups(filter: $${id}, sort: CREATED_DESC) { page { createdAt } meta { total } }`).join('\n  ')}
}`,
    Object.fromEntries(filters),
  );
  return new Map(
    searches.map(({ name, seenImport }, index) => {
      const { page = [], meta } = lists[`s${index}`] ?? {};
      // The sample was added before the first import.
      const isSeen = seenImport === dataset.importedAt;
      const added = isSeen ? 0 : page.filter(({ createdAt }) => createdAt > (seenImport ?? '')).length;
      return [name, { total: meta?.total ?? 0, added }];
    }),
  );
}

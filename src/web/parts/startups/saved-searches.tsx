import { recordOpening, type SavedSearch } from '../../../access/accounts/lists.ts';
import { RECORDS_PER_READ } from '../../../startups/model/requests/list-parameters.ts';
import type { SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { buttonLink } from '../../shared/components.tsx';
import { count } from '../../shared/figures.tsx';
import type { Content } from '../../shared/jsx.ts';
import { readDocument } from './documents.ts';
import {
  changed,
  explorerPath,
  inOrder,
  listParametersOf,
  readExplorerQuery,
  readRequest,
  withoutParameters,
  withQuery,
} from './query.ts';
import { SEARCHES_PATH } from './saved.tsx';

const filtersOf = (query: URLSearchParams): string =>
  inOrder(withoutParameters(listParametersOf(query), 'sort', 'page', 'limit'));

/**
 * Marks the searches with the filters of a list, in whatever order and view it is, as opened.
 *
 * @param seenImport when the data that the list shows was imported.
 */
export async function recordOpened(
  { prisma }: Pick<Services, 'prisma'>,
  context: SignedInContext,
  searches: readonly SavedSearch[],
  list: URLSearchParams,
  seenImport: string | null,
): Promise<void> {
  const filters = filtersOf(list);
  for (const { name, query, seenImport: before } of searches) {
    if (before !== seenImport && filtersOf(new URLSearchParams(query)) === filters) {
      await recordOpening(prisma, context.var.visitor.id, { name, seenImport });
    }
  }
}

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
  const filters = searches.map(
    ({ query }, index) =>
      [`s${index}`, readRequest(readExplorerQuery(new URLSearchParams(query))).args.filter] as const,
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

/** Opens a saved search in the explorer, and saves the list that it shows if none is the same. @param list without its page. */
export function searchesMenu(searches: readonly SavedSearch[], list: URLSearchParams): Content {
  const items = searches.map(({ name, query }) => {
    const saved = new URLSearchParams(query);
    return { name, path: explorerPath(saved), isShown: inOrder(saved) === inOrder(list) };
  });
  return [
    items.length > 0 && (
      <details class="menu">
        <summary class="button second">
          <span>
            Saved<span class="rest"> searches</span>
          </span>
        </summary>
        <div class="popup items searches">
          {items.map(({ name, path, isShown }) => (
            <a href={path} aria-current={isShown ? 'true' : undefined}>
              {name}
            </a>
          ))}
          <a class="edit" href={SEARCHES_PATH}>
            Edit saved searches
          </a>
        </div>
      </details>
    ),
    !items.some(({ isShown }) => isShown) &&
      buttonLink(
        withQuery(`${SEARCHES_PATH}/new`, list),
        <span>
          Save<span class="rest"> this search</span>
        </span>,
        'second',
      ),
  ];
}

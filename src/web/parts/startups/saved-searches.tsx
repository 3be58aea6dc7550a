import { recordOpening, type SavedSearch } from '../../../access/accounts/lists.ts';
import type { SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { SEARCHES_PATH } from '../../shared/paths.ts';
import { Popup } from '../../shared/popup.tsx';
import { explorerPath, inOrder, listParametersOf, withoutParameters, withQuery } from './query.ts';

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

/** Opens a saved search in the explorer, and saves the list that it shows if none is the same. @param list without its page. */
export function searchesMenu(searches: readonly SavedSearch[], list: URLSearchParams): Content {
  const items = searches.map(({ name, query }) => {
    const saved = new URLSearchParams(query);
    return { name, path: explorerPath(saved), isShown: inOrder(saved) === inOrder(list) };
  });
  return [
    items.length > 0 && (
      <Popup
        id="searches-menu"
        label={
          <span>
            Saved<span class="rest"> searches</span>
          </span>
        }
        look="second"
        kind="items"
      >
        {items.map(({ name, path, isShown }) => (
          <a href={path} aria-current={isShown ? 'true' : undefined}>
            {name}
          </a>
        ))}
        <hr />
        <a href={SEARCHES_PATH}>Edit saved searches</a>
      </Popup>
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

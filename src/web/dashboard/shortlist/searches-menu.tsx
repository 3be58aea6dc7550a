import type { SavedSearch } from '../../../access/accounts/lists.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { explorerPath, inOrder, withQuery } from '../explorer/query.ts';
import { SEARCHES_PATH } from './paths.ts';

/** Opens a saved search in the explorer, and saves the list that it shows if none is the same. @param list without its page. */
export function searchesMenu(searches: readonly SavedSearch[], list: URLSearchParams): Content {
  const shown = inOrder(list);
  const items = searches.map(({ name, query }) => {
    const saved = new URLSearchParams(query);
    return { name, path: explorerPath(saved), isShown: inOrder(saved) === shown };
  });
  return [
    items.length > 0 && (
      <details class="menu">
        <summary class="button second">Saved searches</summary>
        <div class="popup items searches">
          <ul>
            {items.map(({ name, path, isShown }) => (
              <li>
                <a href={path} aria-current={isShown ? 'true' : undefined}>
                  {name}
                </a>
              </li>
            ))}
          </ul>
          <ul>
            <li>
              <a href={SEARCHES_PATH}>Edit saved searches</a>
            </li>
          </ul>
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

import type { SavedSearch } from '../../../accounts/lists.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { explorerPath, inOrder, withQuery } from '../explorer/query.ts';
import { SEARCHES_PATH } from './paths.ts';

/** Opens a saved search in the explorer, or saves the list that it shows. @param list without its page. */
export function searchesMenu(searches: readonly SavedSearch[], list: URLSearchParams): Html {
  const save = withQuery(`${SEARCHES_PATH}/new`, list);
  const shown = inOrder(list);
  return searches.length === 0 ? (
    buttonLink(save, 'Save this search', 'second')
  ) : (
    <details class="menu">
      <summary class="button second">Saved searches</summary>
      <div class="popup items searches">
        <ul>
          {searches.map(({ name, query }) => {
            const saved = new URLSearchParams(query);
            return (
              <li>
                <a href={explorerPath(saved)} aria-current={inOrder(saved) === shown ? 'true' : undefined}>
                  {name}
                </a>
              </li>
            );
          })}
        </ul>
        <ul>
          <li>
            <a href={save}>Save this search</a>
          </li>
          <li>
            <a href={SEARCHES_PATH}>Edit saved searches</a>
          </li>
        </ul>
      </div>
    </details>
  );
}

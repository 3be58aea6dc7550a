import { type Paged, type PageWanted, readPage } from '../../../db/read-page.ts';
import type { SignedInContext } from '../../page/page.ts';
import { buttonLink, type Column, EmptyState, ListTable, Pager } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { OPERATOR_PATH } from '../../shared/paths.ts';

/** How many rows a page of a list shows. */
const PAGE_SIZE = 25;

/** The search terms of a list. */
export interface Search extends PageWanted {
  readonly text: string;
}

/** The same from its URL. */
export function readSearch({ req }: SignedInContext): Search {
  return { text: (req.query('q') ?? '').trim(), page: readPage(req.query('page')), size: PAGE_SIZE };
}

const isFiltered = ({ req }: SignedInContext): boolean =>
  Object.entries(req.query()).some(([name, value]) => name !== 'notice' && value !== '');

/** A table of a list's page, with links to the previous and next pages. */
export function listTable<T>(
  context: SignedInContext,
  { items, hasMore }: Paged<T>,
  columns: readonly Column<T>[],
  {
    caption = 'Newest first',
    layout = 'entries',
    empty,
  }: {
    readonly caption?: string;
    readonly layout?: 'entries' | 'sentence' | undefined;
    readonly empty?: Html | undefined;
  } = {},
): Content {
  const { page } = readSearch(context);
  const { path } = context.req;
  if (items.length === 0) {
    return empty !== undefined && !isFiltered(context) ? (
      empty
    ) : (
      <EmptyState title="Nothing found" text={page > 1 ? 'There is no such page.' : 'Try another search.'}>
        {buttonLink(path, 'Show all', 'second')}
      </EmptyState>
    );
  }
  const link = (to: number): string => {
    const query = new URLSearchParams(context.env.request.query);
    query.set('page', String(to));
    return `${path}?${query}`;
  };
  return [
    <ListTable caption={caption} isCaptionHidden layout={layout} columns={columns} rows={items} />,
    <Pager page={page} hasMore={hasMore} link={link} />,
  ];
}

/** An id of a key or account as a link; any other text unchanged. */
export function linkTo(id: string, text = id): Content {
  const [, kind] = /^(key|acc)_[0-9A-Za-z]{12}$/.exec(id) ?? [];
  return kind === undefined ? (
    text
  ) : (
    <a
      class={text === id ? 'mono' : undefined}
      title={text === id ? undefined : id}
      href={`${OPERATOR_PATH}/${kind === 'key' ? 'keys' : 'accounts'}/${id}`}
    >
      {text}
    </a>
  );
}

import {
  deleteSearch,
  readLists,
  renameSearch,
  type SavedSearch,
  SEARCH_NAME_MAX,
  saveSearch,
} from '../../../access/accounts/lists.ts';
import { OperatorError, UnknownError } from '../../../lib/errors.ts';
import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import { buttonLink, type Column, EmptyState, ListTable, Pager } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { filterTexts } from '../explorer/chips.tsx';
import { sortLabel } from '../explorer/form.tsx';
import {
  EXPLORER_PATH,
  explorerPath,
  listParametersOf,
  readExplorerQuery,
  readRequest,
  withoutParameters,
  withQuery,
} from '../explorer/query.ts';
import { field, PostForm } from '../forms.tsx';
import { page, type SentForm } from '../page.ts';
import type { Services } from '../services.ts';
import { pageOf, pagePath, SEARCHES_PATH } from './paths.ts';
import { countMatches, type Matches, matchesText } from './searches.tsx';
import { listTabs } from './shortlist-pages.tsx';
import { starLook } from './star.tsx';

const editPath = (name: string): string => `${SEARCHES_PATH}/edit?${new URLSearchParams({ name })}`;

/** Lists of the explorer that an account has given a name. */
export const searchPages = (services: Services) => {
  const { prisma } = services;
  return [
    page({
      path: SEARCHES_PATH,
      needsPolicy: true,
      view: async ({ context, visitor, query }) => {
        const { searches } = await readLists(prisma, visitor.id);
        const { shown, ...place } = pageOf(searches, query('page'));
        return {
          title: 'Saved searches',
          isWide: true,
          styles: ['explorer.css', ...starLook.styles],
          main: (
            <>
              {listTabs(SEARCHES_PATH)}
              {shown.length === 0 ? (
                <EmptyState title="No saved searches">
                  <p class="soft">Filter startups and choose “Save this search” to find the list here.</p>
                  <p>{buttonLink(EXPLORER_PATH, 'Explore startups')}</p>
                </EmptyState>
              ) : (
                <ListTable
                  caption="Saved searches"
                  isCaptionHidden
                  columns={searchColumns(await countMatches(services, context, shown))}
                  rows={shown}
                />
              )}
              <Pager {...place} link={(to) => pagePath(SEARCHES_PATH, to)} />
            </>
          ),
        };
      },
    }),
    page({
      path: `${SEARCHES_PATH}/new`,
      needsPolicy: true,
      load: ({ context, form }) => readQuery(form.query ?? context.env.request.query),
      view: ({ sent }, query) => ({
        title: 'Save this search',
        back: { path: explorerPath(query), label: 'Explore' },
        isNarrow: true,
        main: nameForm(query, sent, {
          action: SEARCHES_PATH,
          button: 'Save',
          cancel: explorerPath(query),
          hidden: { query: textOf(query) },
        }),
      }),
      forms: {
        [SEARCHES_PATH]: async ({ visitor, form }, list) => {
          const last = await prisma.import.findFirst({
            orderBy: { id: 'desc' },
            select: { finishedAt: true },
          });
          const seenImport = last?.finishedAt.toISOString() ?? null;
          await saveSearch(prisma, visitor.id, {
            name: (form.name ?? '').trim(),
            query: textOf(list),
            seenImport,
          });
          return `${SEARCHES_PATH}?notice=search-saved`;
        },
      },
    }),
    page({
      path: `${SEARCHES_PATH}/edit`,
      load: async ({ visitor, form, query }) => {
        const name = form.old ?? query('name');
        const found = (await readLists(prisma, visitor.id)).searches.find((one) => one.name === name);
        if (found === undefined) {
          throw new UnknownError('You have no such search.');
        }
        return found;
      },
      view: ({ sent }, { name, query }) => ({
        title: 'Edit search',
        back: 'Saved searches',
        isNarrow: true,
        main: (
          <>
            {nameForm(
              new URLSearchParams(query),
              sent,
              {
                action: `${SEARCHES_PATH}/edit`,
                button: 'Rename search',
                cancel: SEARCHES_PATH,
                hidden: { old: name },
              },
              name,
            )}
            <div class="card danger">
              <p>Deleting it removes its name and what is new in it. Startups on your shortlist stay.</p>
              <PostForm
                action={`${SEARCHES_PATH}/edit/delete`}
                button="Delete search"
                kind="danger"
                hidden={{ old: name }}
              />
            </div>
          </>
        ),
      }),
      forms: {
        '': async ({ visitor, form }, { name }) => {
          await renameSearch(prisma, visitor.id, name, (form.name ?? '').trim());
          return `${SEARCHES_PATH}?notice=search-renamed`;
        },
        '/delete': async ({ visitor }, { name }) => {
          await deleteSearch(prisma, visitor.id, name);
          return `${SEARCHES_PATH}?notice=search-deleted`;
        },
      },
    }),
  ];
};

/** A list as it is stored: the query of its address. */
const textOf = (list: URLSearchParams): string => withQuery('', list).slice(1);

/** The form with the name of a search, below its filters. */
const nameForm = (
  list: URLSearchParams,
  sent: SentForm,
  form: Omit<Parameters<typeof PostForm>[0], 'children'>,
  value = '',
): Html => (
  <div class="card">
    {inWords(list)}
    <PostForm {...form}>
      {field({
        name: 'name',
        label: 'Name',
        value,
        sent,
        maxLength: SEARCH_NAME_MAX,
        isFirst: true,
        hint: 'A name you will recognize, such as “Cheap and growing”.',
      })}
    </PostForm>
  </div>
);

/**
 * The parameters of a search, as the explorer reads them, without the page.
 *
 * @throws OperatorError with each invalid parameter.
 */
function readQuery(text: string): URLSearchParams {
  const query = readExplorerQuery(new URLSearchParams(text));
  const { errors } = readRequest(query);
  if (errors.length > 0) {
    throw new OperatorError(errors.map(({ parameter, message }) => `${parameter}: ${message}`).join('\n'));
  }
  return listParametersOf(withoutParameters(query.parameters, 'page'));
}

/** The filters and the order of a search. */
function inWords(query: URLSearchParams): Html {
  const filters = filterTexts(query);
  const sort = query.get('sort');
  return (
    <p class="in-words">
      {filters.length === 0 ? 'All startups' : filters.join(' · ')}
      {sort !== null && <span class="soft small">{sortLabel(sort as StartupSort)}</span>}
    </p>
  );
}

const searchColumns = (matches: ReadonlyMap<string, Matches>): readonly Column<SavedSearch>[] => [
  ['Name', ({ name, query }) => <a href={explorerPath(new URLSearchParams(query))}>{name}</a>],
  ['Startups now', (search) => matchesText(search, matches.get(search.name)), 'number'],
  ['Filters', ({ query }) => inWords(new URLSearchParams(query)), 'words'],
  [
    <span class="hidden">Edit</span>,
    ({ name }) => (
      <a href={editPath(name)}>
        Edit<span class="hidden"> {name}</span>
      </a>
    ),
    'end',
  ],
];

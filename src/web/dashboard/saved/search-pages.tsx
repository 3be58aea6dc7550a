import {
  type AccountLists,
  deleteSearch,
  readLists,
  renameSearch,
  type SavedSearch,
  SEARCH_NAME_MAX,
  saveSearch,
} from '../../../access/accounts/lists.ts';
import { readMailSettings } from '../../../access/mails/saved-mail-settings.ts';
import { OperatorError, UnknownError } from '../../../lib/errors.ts';
import { shortened } from '../../../lib/text/one-line.ts';
import { checkbox, FormCard, formPage, Switch } from '../../page/forms.tsx';
import { withNotice } from '../../page/notices.ts';
import { type Field, page } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { listName, orderLabel, removedFields } from '../../parts/startups/filter-texts.ts';
import { type Filters, filtersWith, parameterLabel } from '../../parts/startups/filters.ts';
import {
  explorerPath,
  listParametersOf,
  readExplorerQuery,
  readRequest,
  withoutParameters,
  withQuery,
} from '../../parts/startups/query.ts';
import { starLook } from '../../parts/startups/star.tsx';
import { buttonLink, type Column, EmptyState, ListTable, Pager } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EXPLORER_PATH, SEARCHES_PATH } from '../../shared/paths.ts';
import { mailSettings, setSearchMails } from './mail-settings.tsx';
import { countMatches, type Matches, matchesText } from './matches.tsx';
import { listTabs, pageOf } from './saved-parts.tsx';

/** Lists of the explorer that an account has given a name. */
export const searchPages = (services: Services) => {
  const { prisma } = services;
  const filtersNow = (): Filters => filtersWith(services.engine.own());
  return [
    page({
      path: SEARCHES_PATH,
      needsPolicy: true,
      view: async (visit) => {
        const { context, visitor, query } = visit;
        const { searches } = await readLists(prisma, visitor.id);
        const { settings } = await readMailSettings(prisma, visitor.id);
        const mailsOf = ({ name }: SavedSearch): Html => {
          const isOn = services.mail === 'smtp' && settings.searches.includes(name);
          return (
            <Switch
              action={`${SEARCHES_PATH}/mails`}
              hidden={{ name, mails: isOn ? '' : 'on' }}
              label={`Emails about ${name}`}
              isOn={isOn}
              isDisabled={services.mail !== 'smtp'}
            />
          );
        };
        const { shown, pager } = pageOf(SEARCHES_PATH, searches, query('page'));
        return {
          title: pageLinks.searches.label,
          heading: pageLinks.saved.label,
          isWide: true,
          styles: ['explorer.css', ...starLook.styles],
          main: [
            listTabs(SEARCHES_PATH),
            shown.length === 0 ? (
              <EmptyState
                title="No saved searches"
                text="Filter startups and choose “Save this search” to find the list here."
              >
                {buttonLink(EXPLORER_PATH, 'Explore startups')}
              </EmptyState>
            ) : (
              <ListTable
                layout="entries"
                caption={pageLinks.searches.label}
                isCaptionHidden
                columns={searchColumns(await countMatches(services, context, shown), filtersNow(), mailsOf)}
                rows={shown}
              />
            ),
            <Pager {...pager} />,
            await mailSettings(services, visit, SEARCHES_PATH),
          ],
        };
      },
      forms: {
        '/mails': async ({ visitor, form: { name = '', mails } }) => {
          requireSearch(await readLists(prisma, visitor.id), name);
          await setSearchMails(services, visitor.id, name, mails === 'on');
          return withNotice(SEARCHES_PATH, 'saved-mails');
        },
      },
    }),
    page({
      path: `${SEARCHES_PATH}/new`,
      needsPolicy: true,
      load: ({ context, form }) => readQuery(form.query ?? context.env.request.query, filtersNow()),
      view: async (visit, list) =>
        formPage(visit, {
          title: 'Save this search',
          back: { ...pageLinks.explorer, path: explorerPath(list) },
          action: SEARCHES_PATH,
          children: inWords(list, filtersNow()),
          fields: [
            nameField(
              nameByFilters(list, filtersNow(), (await readLists(prisma, visit.visitor.id)).searches),
            ),
          ],
          after:
            services.mail === 'smtp' &&
            checkbox('mails', 'Email me about its changes', visit.sent.values.mails !== undefined),
          hidden: { query: textOf(list) },
          button: 'Save',
        }),
      forms: {
        [SEARCHES_PATH]: async ({ visitor, form }, list) => {
          const last = await prisma.import.findFirst({ orderBy: { id: 'desc' } });
          const seenImport = last?.finishedAt.toISOString() ?? null;
          const name = (form.name ?? '').trim();
          await saveSearch(prisma, visitor.id, { name, query: textOf(list), seenImport });
          if (form.mails !== undefined) {
            await setSearchMails(services, visitor.id, name, true);
          }
          return withNotice(SEARCHES_PATH, 'search-saved');
        },
      },
    }),
    page({
      path: `${SEARCHES_PATH}/edit`,
      load: async ({ visitor, form, query }) =>
        requireSearch(await readLists(prisma, visitor.id), form.old ?? query('name')),
      view: (visit, { name, query }) =>
        formPage(visit, {
          title: 'Rename search',
          back: pageLinks.searches,
          children: inWords(new URLSearchParams(query), filtersNow()),
          fields: [nameField(name)],
          hidden: { old: name },
          button: 'Rename search',
          below: (
            <FormCard
              isDanger
              title="Delete search"
              text="You cannot undo this. Your saved startups stay."
              action={`${SEARCHES_PATH}/edit/delete`}
              hidden={{ old: name }}
              button="Delete search"
            />
          ),
        }),
      forms: {
        '': async ({ visitor, form }, { name }) => {
          await renameSearch(prisma, visitor.id, name, (form.name ?? '').trim());
          return withNotice(SEARCHES_PATH, 'search-renamed');
        },
        '/delete': async ({ visitor }, { name }) => {
          await deleteSearch(prisma, visitor.id, name);
          return withNotice(SEARCHES_PATH, 'search-deleted');
        },
      },
    }),
  ];
};

function requireSearch({ searches }: AccountLists, name: string | undefined): SavedSearch {
  const found = searches.find((one) => one.name === name);
  if (found === undefined) {
    throw new UnknownError('You have no such search.');
  }
  return found;
}

/** A list as it is stored: the query of its address. */
const textOf = (list: URLSearchParams): string => withQuery('', list).slice(1);

/** What a list is called until its holder says otherwise: by its filters, with a number where that name is in use. */
function nameByFilters(
  list: URLSearchParams,
  of: Filters,
  searches: readonly Pick<SavedSearch, 'name'>[],
): string {
  const filters = listName(list, of);
  const used = new Set(searches.map(({ name }) => name));
  const nameOf = (number: number): string => {
    const end = number === 1 ? '' : ` (${number})`;
    const name = `${shortened(filters, SEARCH_NAME_MAX - end.length)}${end}`;
    return used.has(name) ? nameOf(number + 1) : name;
  };
  return nameOf(1);
}

const nameField = (value?: string): Field => ({
  name: 'name',
  label: 'Name',
  value,
  maxLength: SEARCH_NAME_MAX,
  isFirst: true,
  hint: 'A name you will recognize, such as “Cheap and growing”.',
});

/**
 * The parameters of a search, as the explorer reads them, without the page.
 *
 * @throws OperatorError with each invalid parameter.
 */
function readQuery(text: string, of: Filters): URLSearchParams {
  const query = readExplorerQuery(new URLSearchParams(text), of);
  const { errors } = readRequest(query, of);
  if (errors.length > 0) {
    throw new OperatorError(
      errors.map(({ parameter, message }) => `${parameterLabel(parameter, of)}: ${message}`).join('\n'),
    );
  }
  return listParametersOf(withoutParameters(query.parameters, 'page'));
}

/** The order of a search, and what it asked for that is no field of the service any more. */
function restOf(query: URLSearchParams, of: Filters): string[] {
  const sort = query.get('sort');
  const removed = removedFields(query, of);
  const order = sort === null ? undefined : orderLabel(sort, of);
  return [
    ...(order === undefined ? [] : [order]),
    ...(removed.length === 0 ? [] : [`Ignored, as the field was removed: ${removed.join(', ')}`]),
  ];
}

/** The filters and the order of a search. */
function inWords(query: URLSearchParams, of: Filters): Html {
  const rest = restOf(query, of);
  return (
    <span class="two-lines">
      {listName(query, of)}
      {rest.length > 0 && <span class="soft">{rest.join(' · ')}</span>}
    </span>
  );
}

/** The name of a search, above its filters unless it is called by them, and its order. */
function named({ name, query }: SavedSearch, of: Filters): Html {
  const list = new URLSearchParams(query);
  const isByFilters = name === nameByFilters(list, of, []);
  const rest = [...(isByFilters ? [] : [listName(list, of)]), ...restOf(list, of)];
  return (
    <span class="two-lines">
      <a href={explorerPath(list)}>{name}</a>
      {rest.length > 0 && <span class="soft">{rest.join(' · ')}</span>}
    </span>
  );
}

const searchColumns = (
  matches: ReadonlyMap<string, Matches>,
  of: Filters,
  mailsOf: (search: SavedSearch) => Html,
): readonly Column<SavedSearch>[] => [
  ['Search', (search) => named(search, of)],
  ['Matches', (search) => matchesText(search, matches.get(search.name)), 'number'],
  ['Email', mailsOf],
  [
    <span class="hidden">Edit</span>,
    ({ name }) => (
      <a href={`${SEARCHES_PATH}/edit?${new URLSearchParams({ name })}`}>
        Edit<span class="hidden"> {name}</span>
      </a>
    ),
    'aside',
  ],
];

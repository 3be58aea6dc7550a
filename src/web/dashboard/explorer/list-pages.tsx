import { getCookie } from 'hono/cookie';
import { LRUCache } from 'lru-cache';
import { type AccountLists, readLists } from '../../../access/accounts/lists.ts';
import { defaultSort } from '../../../startups/model/requests/list-request.ts';
import type { StartupSort } from '../../../startups/model/vocabulary.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { type Page, redirect, type SignedInContext, setCookies } from '../page.ts';
import type { Services } from '../services.ts';
import { recordOpened } from '../shortlist/search-matches.tsx';
import { searchesMenu } from '../shortlist/searches-menu.tsx';
import { star } from '../shortlist/star.tsx';
import { readPoints } from './chart-points.ts';
import { COLUMNS_COOKIE, fieldsOf, optionalColumns, shownColumns } from './columns.tsx';
import type { FilterForm } from './controls.tsx';
import { filterForm, searchControl, tableSettings } from './form.tsx';
import { filterChips, quickFilterLinks } from './labels.tsx';
import { type ListData, readList } from './list-documents.ts';
import { look } from './look.ts';
import { errorSummary, refusal, samplePanel } from './panels.tsx';
import {
  countedIn,
  EMBED_PATH,
  type ExplorerQuery,
  explorerPath,
  listParametersOf,
  readExplorerQuery,
  readValidRequest,
  withoutParameters,
  withParameter,
  withQuery,
} from './query.ts';
import { createReader } from './reader.ts';
import { type Counts, groupsRequest, listRequest } from './requests.ts';
import { results, resultsHeading } from './results.tsx';
import type { Point } from './scatter.tsx';

const YEAR_SECONDS = 31_536_000;

/** What was read for a list. */
interface Shown {
  readonly parameters: URLSearchParams;
  readonly data: ListData;
  readonly points: readonly Point[];
}

/** For so many accounts, what they saw last is kept for the time in which they have no page left. */
const REMEMBERED_ACCOUNTS = 100;

/** The list of the explorer, in each of its views. */
export function listPages(services: Services) {
  const { origin, now } = services;
  const read = createReader(services);
  const lastShown = new LRUCache<string, Shown>({ max: REMEMBERED_ACCOUNTS });

  return async (context: SignedInContext): Promise<Response> => {
    const { visitor, exceeded } = context.var;
    const sent = new URLSearchParams(context.env.request.query);
    const query = readExplorerQuery(sent);
    // Each list has one URL, in the units of the API.
    const path = explorerPath(query.parameters, query.open);
    const isInPlace = context.req.header('x-requested-with') !== undefined;
    if (query.typed.size === 0 && path !== explorerPath(sent) && !isInPlace) {
      return redirect(context, path, columnCookies(query.columns));
    }
    setCookies(context, columnCookies(query.columns));
    // What a script shows in place has the address without the open menu.
    const headers = {
      'Content-Location': explorerPath(query.typed.size === 0 ? query.parameters : sent),
    };
    const { errors, parameters, args, request } = readValidRequest(query);
    const columns = shownColumns(query.columns ?? getCookie(context, COLUMNS_COOKIE)?.split('.'));
    const { shortlist, searches } = await readLists(services.prisma, visitor.id);
    const form = { query, errors, columns, searches, defaultSort: defaultSort(request.filter) };
    const snippets = samplePanel(
      origin,
      query.view === 'groups'
        ? groupsRequest(parameters, args, query.groups.by)
        : listRequest(parameters, args, fieldsOf(columns)),
    );
    const fresh = exceeded === undefined ? await readShown(context, query) : undefined;
    if (fresh !== undefined) {
      lastShown.set(visitor.id, fresh);
      await recordOpened(services, context, searches, parameters, fresh.data.dataset.importedAt);
    }
    const last = fresh ?? lastShown.get(visitor.id);
    const notice = exceeded && [
      refusal(exceeded, now(), explorerPath(parameters)),
      <p class="soft small kept">Until then, the results below are the last that you saw.</p>,
    ];
    if (last === undefined) {
      const page = listPage({ ...form, counts: {}, total: undefined }, snippets, now(), { notice });
      return context.render({ ...page, headers, status: 429 });
    }
    // What was read before is shown as it was asked for.
    const { view, groups } = readExplorerQuery(last.parameters);
    const { startups, market } = last.data;
    const shown = {
      list: startups,
      market,
      points: last.points,
      sort: fresh === undefined ? sortOf(last.parameters) : request.sort,
      query: last.parameters,
      view,
      groups,
      columns,
      now: now(),
      starOf: star(shortlist, explorerPath(last.parameters)),
    };
    const counts: Counts =
      query.open === undefined
        ? {}
        : Object.fromEntries(
            countedIn[query.open].map((name) => [name, (last.data[name] ?? startups).facets?.[name]]),
          );
    const page = listPage(
      { ...form, counts, total: fresh && startups.meta.total },
      [results(shown), snippets],
      now(),
      { ...resultsHeading(shown), notice, isSample: last.data.dataset.importedAt === null },
    );
    return context.render({ ...page, headers, ...(exceeded !== undefined && { status: 429 as const }) });
  };

  async function readShown(context: SignedInContext, query: ExplorerQuery): Promise<Shown> {
    const { parameters, args } = readValidRequest(query);
    const columns = shownColumns(query.columns ?? getCookie(context, COLUMNS_COOKIE)?.split('.'));
    const data = await readList(read, context, query, args, fieldsOf(columns));
    const { count } = data.startups.stats.multiple;
    const points = query.view === 'chart' && count > 0 ? await readPoints(read, context, args, count) : [];
    return { parameters, data, points };
  }
}

/** The order of a list that was valid when it was read. */
function sortOf(parameters: URLSearchParams): StartupSort {
  return readValidRequest(readExplorerQuery(parameters)).request.sort;
}

/** Keeps the chosen columns in the browser. */
function columnCookies(ids: readonly string[] | undefined): string[] {
  const known = optionalColumns.filter(({ id }) => ids?.includes(id)).map(({ id }) => id);
  return ids === undefined
    ? []
    : [
        `${COLUMNS_COOKIE}=${known.join('.')}; Path=/dashboard; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax`,
      ];
}

type ListForm = FilterForm & Pick<AccountLists, 'searches'>;

/** What is above the results. */
interface Top {
  readonly notice?: Content;
  readonly heading?: Content;
  readonly links?: Content;
  /** Whether the startups are those of the sample, as nothing was imported yet. */
  readonly isSample?: boolean;
}

/** The page of a list: the search and the filters above the results. */
function listPage(
  form: ListForm,
  main: Content,
  now: number,
  { notice, heading, links, isSample = false }: Top,
): Page {
  const { errors, query, total } = form;
  const embedded = listParametersOf(withoutParameters(query.parameters, 'page'));
  return {
    ...look,
    status: errors.length === 0 ? 200 : 400,
    title: 'Explorer',
    isWide: true,
    action: (
      <>
        {searchControl(form)}
        <div class="actions" data-part="embed">
          {errors.length === 0 && [
            searchesMenu(form.searches, embedded),
            buttonLink(
              withQuery(
                EMBED_PATH,
                total === undefined ? embedded : withParameter(embedded, 'total', String(total)),
              ),
              <span>
                Embed<span class="rest"> this list</span>
              </span>,
              'second',
            ),
          ]}
        </div>
      </>
    ),
    main: (
      <>
        <a class="skip" href="#results">
          Skip to the results
        </a>
        <div data-part="errors">{errors.length > 0 && errorSummary(errors)}</div>
        {filterForm(form)}
        <div class="chip-line" data-part="chips">
          {filterChips(query.parameters)}
          {quickFilterLinks(query.parameters, now, isSample && <span class="badge">Invented sample</span>)}
        </div>
        <div data-part="limit">{notice}</div>
        <div class="heading sub toolbar">
          <div data-part="results-heading">{heading}</div>
          {tableSettings(form)}
          <div data-part="results-links">{links}</div>
        </div>
        <div id="results" data-part="results" tabindex="-1">
          {main}
        </div>
      </>
    ),
  };
}

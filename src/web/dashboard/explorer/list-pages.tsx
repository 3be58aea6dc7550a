import { getCookie } from 'hono/cookie';
import { LRUCache } from 'lru-cache';
import { readLists } from '../../../access/accounts/lists.ts';
import { defaultSort } from '../../../startups/model/requests/list-request.ts';
import { wordsOf } from '../../shared/figures.tsx';
import type { Html } from '../../shared/jsx.ts';
import { redirect, type SignedInContext, setCookies } from '../page.ts';
import type { Services } from '../services.ts';
import { recordOpened, searchesMenu } from '../shortlist/searches.tsx';
import { star, starLook } from '../shortlist/star.tsx';
import { filterChips, quickFilterLinks } from './chips.tsx';
import { COLUMNS_COOKIE, fieldsOf, optionalColumns, shownColumns } from './columns.tsx';
import { groupsRequest, listRequest, readList, readPoints } from './documents.ts';
import { filterForm, searchControl } from './form.tsx';
import { apiPanel, errorSummary, refusal } from './panels.tsx';
import {
  changed,
  EMBED_PATH,
  type ExplorerQuery,
  explorerPath,
  listParametersOf,
  readExplorerQuery,
  readRequest,
  views,
  withoutParameters,
  withParameter,
  withQuery,
  withView,
} from './query.ts';
import { results, type Shown, totalText } from './results.tsx';

const YEAR_SECONDS = 31_536_000;

/** For so many accounts, what they saw last is kept for the time in which they have no page left. */
const REMEMBERED_ACCOUNTS = 100;

/** The columns that a browser has chosen. */
export const columnsOf = (context: SignedInContext, ids?: readonly string[]) =>
  shownColumns(ids ?? getCookie(context, COLUMNS_COOKIE)?.split('.'));

/** The list of the explorer, in each of its views. */
export function listPages(services: Services) {
  const { origin, now } = services;
  const lastShown = new LRUCache<string, Shown>({ max: REMEMBERED_ACCOUNTS });

  const readShown = async (context: SignedInContext, query: ExplorerQuery): Promise<Shown> => {
    const { parameters, args } = readRequest(query);
    const fields = fieldsOf(columnsOf(context, query.columns));
    const data = await readList(services, context, query, args, fields);
    const { count } = data.startups.stats.multiple;
    const isChart = query.view === 'chart' && count > 0;
    const points = isChart ? await readPoints(services, context, args, count) : [];
    return { query: { ...query, parameters, typed: new Map() }, data, points };
  };

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
    const { errors, parameters, args, request } = readRequest(query);
    const columns = columnsOf(context, query.columns);
    const { shortlist, searches } = await readLists(services.prisma, visitor.id);
    const fresh = exceeded === undefined ? await readShown(context, query) : undefined;
    if (fresh !== undefined) {
      lastShown.set(visitor.id, fresh);
      await recordOpened(services, context, searches, parameters, fresh.data.dataset.importedAt);
    }
    // What was read before is shown as it was asked for.
    const shown = fresh ?? lastShown.get(visitor.id);
    const { startups } = shown?.data ?? {};
    const counts = shown?.data.counts ?? {};
    const form = { query, errors, columns, counts, defaultSort: defaultSort(request.filter) };
    const list = listParametersOf(withoutParameters(query.parameters, 'page'));
    const embedded = startups === undefined ? list : withParameter(list, 'total', `${startups.meta.total}`);
    return context.render({
      // What a script shows in place has the address without the open menu.
      headers: { 'Content-Location': explorerPath(query.typed.size === 0 ? query.parameters : sent) },
      status: exceeded !== undefined ? 429 : errors.length > 0 ? 400 : 200,
      title: 'Explore',
      isWide: true,
      scripts: [...starLook.scripts, 'chart.js', 'scatter.js'],
      styles: ['explorer.css', ...starLook.styles],
      connects: true,
      action: (
        <>
          {searchControl(form)}
          <div class="actions saved">{errors.length === 0 && searchesMenu(searches, list)}</div>
        </>
      ),
      main: (
        <>
          <a class="skip" href="#results">
            Skip to the results
          </a>
          {errors.length > 0 && errorSummary(errors)}
          {filterForm(form, viewLinks(query))}
          <div class="chip-line">
            {startups !== undefined && <p class="shown">{totalText(startups)}</p>}
            {filterChips(query.parameters)}
            <p class="actions">
              {quickFilterLinks(query.parameters, now())}
              {shown?.data.dataset.importedAt === null && <span class="badge">Invented sample data</span>}
            </p>
          </div>
          {exceeded && refusal(exceeded, now(), explorerPath(parameters), shown !== undefined)}
          <div id="results" tabindex="-1">
            {shown !== undefined &&
              results({
                ...shown,
                sort: readRequest(shown.query).request.sort,
                columns,
                now: now(),
                starOf: star(shortlist, explorerPath(shown.query.parameters)),
              })}
            {apiPanel(
              origin,
              query.view === 'groups'
                ? groupsRequest(parameters, args, query.groups.by)
                : listRequest(parameters, args, fieldsOf(columns)),
              errors.length === 0 && <a href={withQuery(EMBED_PATH, embedded)}>Embed this list</a>,
            )}
          </div>
        </>
      ),
    });
  };
}

/** The views of the same list. */
const viewLinks = ({ parameters, view }: ExplorerQuery): Html => (
  <nav class="views" aria-label="View">
    {views.map((one) => (
      <a
        id={`view-${one}`}
        href={explorerPath(withView(changed(parameters, 'page', null), one))}
        aria-current={one === view ? 'true' : undefined}
      >
        {wordsOf(one)}
      </a>
    ))}
  </nav>
);

/** Keeps the chosen columns in the browser. */
function columnCookies(ids: readonly string[] | undefined): string[] {
  const known = optionalColumns.filter(({ id }) => ids?.includes(id)).map(({ id }) => id);
  return ids === undefined
    ? []
    : [
        `${COLUMNS_COOKIE}=${known.join('.')}; Path=/dashboard; Max-Age=${YEAR_SECONDS}; HttpOnly; SameSite=Lax`,
      ];
}

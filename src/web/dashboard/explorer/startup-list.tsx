import { LRUCache } from 'lru-cache';
import { readLists } from '../../../access/accounts/lists.ts';
import type { FieldUnit } from '../../../startups/model/field-labels.ts';
import { figureLabel, figureUnit } from '../../../startups/model/figure-labels.ts';
import { defaultSort } from '../../../startups/model/requests/list-request.ts';
import { type Page, redirect, type SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import {
  bestDealsText,
  columnsOf,
  fieldsOf,
  readField,
  type StartupColumn,
  showValue,
  startupNameCell,
  startupsText,
  tableColumns,
  trendLine,
} from '../../parts/startups/columns.tsx';
import { type ShownStartup, TREND_DAYS } from '../../parts/startups/documents.ts';
import { filterTexts } from '../../parts/startups/filter-texts.ts';
import { choiceLabel, type Filters, filtersWith, parameterLabel } from '../../parts/startups/filters.ts';
import {
  changed,
  type ExplorerQuery,
  explorerPath,
  listParametersOf,
  readExplorerQuery,
  readRequest,
  views,
  withoutParameters,
  withQuery,
  withView,
} from '../../parts/startups/query.ts';
import { resultsTable } from '../../parts/startups/results-table.tsx';
import { recordOpened, searchesMenu } from '../../parts/startups/saved-searches.tsx';
import { star, starLook } from '../../parts/startups/star.tsx';
import { buttonLink, EmptyState, type Figure, Figures, Tabs } from '../../shared/components.tsx';
import { count, money, nameInWords } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { pageLinks } from '../../shared/page-links.ts';
import { EXPLORER_PATH, NEW_EMBED_PATH } from '../../shared/paths.ts';
import { filterChips, filterForm, quickFilterLinks, searchControl } from './form.tsx';
import { groupView } from './groups.tsx';
import { groupsRequest, type ListData, listRequest, readList } from './list-documents.ts';
import { apiPanel, errorSummary, refusal } from './panels.tsx';
import { type Point, readPoints, scatter } from './scatter.tsx';
import { noSuggestions, readSuggestions, type Suggestions } from './suggestions.ts';

/** What was read for a list. */
interface Shown {
  readonly query: Pick<ExplorerQuery, 'view' | 'groups' | 'parameters'>;
  /** The order in force. */
  readonly sort: string;
  readonly data: ListData;
  /** What a chart shows. */
  readonly points: readonly Point[];
  /** Filters that a search without a result may have meant. */
  readonly suggestions: Suggestions;
}

/** For so many accounts, what they saw last is kept for the time in which they have no page left. */
const REMEMBERED_ACCOUNTS = 100;

/** The list of the explorer, in each of its views. */
export function listPages(services: Services) {
  const { origin, now } = services;
  const lastShown = new LRUCache<string, Shown>({ max: REMEMBERED_ACCOUNTS });

  return async (context: SignedInContext): Promise<Page | Response> => {
    const { visitor, exceeded } = context.var;
    const sent = new URLSearchParams(context.env.request.query);
    const own = services.engine.own();
    const filters = filtersWith(own);
    const query = readExplorerQuery(sent, filters);
    const columns = columnsOf(context, own, query.columns);
    // Each list has one URL, in the units of the API.
    const path = explorerPath(query.parameters, query.open);
    const isInPlace = context.req.header('x-requested-with') !== undefined;
    if (query.typed.size === 0 && path !== explorerPath(sent) && !isInPlace) {
      return redirect(context, path);
    }
    const { errors, parameters, args, request } = readRequest(query, filters);
    const { shortlist: saved, searches } = await readLists(services.prisma, visitor.id);
    const readShown = async (): Promise<Shown> => {
      const data = await readList(services, context, query, args, fieldsOf(columns));
      const { count } = data.startups.stats.multiple;
      const points = query.view === 'chart' ? await readPoints(services, context, args, count) : [];
      const isEmpty = data.startups.meta.total === 0;
      const suggestions = isEmpty ? await readSuggestions(services, context, args) : noSuggestions;
      await recordOpened(services, context, searches, parameters, data.dataset.importedAt);
      const read = { query: { ...query, parameters }, sort: request.sort, data, points, suggestions };
      lastShown.set(visitor.id, read);
      return read;
    };
    // At the limit, what was read before is shown as it was asked for.
    const shown = exceeded === undefined ? await readShown() : lastShown.get(visitor.id);
    const { startups, dataset, counts = {} } = shown?.data ?? {};
    const form = { query, errors, filters, columns, counts, defaultSort: defaultSort(request.filter) };
    const list = listParametersOf(withoutParameters(query.parameters, 'page'));
    const chips = filterChips(parameters, filters);
    return {
      // What a script shows in place has the address without the open menu.
      headers: { 'Content-Location': explorerPath(query.typed.size === 0 ? query.parameters : sent) },
      status: exceeded !== undefined ? 429 : errors.length > 0 ? 400 : 200,
      title: pageLinks.explorer.label,
      isWide: true,
      scripts: [...starLook.scripts, 'chart.js', 'scatter.js'],
      styles: ['explorer.css', ...starLook.styles],
      connects: true,
      action: [
        searchControl(form),
        errors.length === 0 && <div class="actions saved">{searchesMenu(searches, list)}</div>,
      ],
      main: [
        <a class="skip" href="#results">
          Skip to the results
        </a>,
        errors.length > 0 && errorSummary(errors, filters, explorerPath(parameters), chips !== null),
        filterForm(form),
        // Always there, so that the first filter moves nothing below it.
        <div class="chip-line">
          {chips}
          {quickFilterLinks(parameters, now())}
        </div>,
        <div class="list-line">
          {startups !== undefined && <p class="shown">{totalText(startups)}</p>}
          <div class="totals" tabindex="0" role="group" aria-label="All that match">
            {dataset?.importedAt === null && <span class="badge">Invented sample</span>}
            {shown !== undefined && shown.data.startups.meta.total > 0 && summary(shown.data)}
          </div>
          <Tabs
            label="View"
            className="views"
            tabs={views.map((view) => ({
              path: explorerPath(withView(withoutParameters(query.parameters, 'page'), view)),
              label: nameInWords(view),
              isCurrent: view === query.view,
            }))}
          />
        </div>,
        exceeded && refusal(exceeded, now(), explorerPath(parameters), shown !== undefined),
        <div id="results" tabindex="-1">
          {shown !== undefined &&
            results(shown, columns, filters, star(saved, explorerPath(shown.query.parameters)), now())}
          {apiPanel(
            origin,
            query.view === 'groups'
              ? groupsRequest(parameters, args, query.groups.by)
              : listRequest(parameters, args, fieldsOf(columns)),
            errors.length === 0 && !hasOwn(list) && (
              <a href={withQuery(NEW_EMBED_PATH, list)}>Embed this list</a>
            ),
            'REST, GraphQL, embed',
          )}
        </div>,
      ],
    };
  };
}

/** Whether a list is filtered or sorted by declared fields, which embedded elements do not know. */
const hasOwn = (list: URLSearchParams): boolean =>
  [...list].some(([name, value]) => name.startsWith('own.') || (name === 'sort' && value.startsWith('own.')));

/**
 * A list in its view.
 *
 * @param columns of its table, after that of the names.
 * @param starOf the button that puts a startup aside.
 */
function results(
  { data, points, query, sort, suggestions }: Shown,
  columns: readonly StartupColumn[],
  filters: Filters,
  starOf: (startup: ShownStartup) => Html,
  now: number,
): Content {
  const { view, groups, parameters } = query;
  const { page = [], meta, stats } = data.startups;
  const priced = stats.multiple.count;
  const marksSale = parameters.get('onSale') !== 'true';
  const without = (...names: string[]) => explorerPath(withoutParameters(parameters, 'page', ...names));
  if (meta.total === 0) {
    const search = parameters.get('search');
    const isOne = filterTexts(parameters, filters).length === 1;
    const all = isOne ? 'this filter' : 'all of these filters';
    // No other list has an order by relevance.
    const isByRelevance = parameters.get('sort') === 'relevance';
    const withoutSearch = withoutParameters(parameters, 'search', isByRelevance ? 'sort' : '');
    const searched = `“${search}”${isOne ? '' : ' and all other filters'}`;
    return (
      <EmptyState title={`No startup matches ${search === null ? all : searched}`}>
        {suggestions.filters.length > 0 && (
          <p class="actions">
            {suggestions.isCorrected ? 'Did you mean' : 'Filter by'}{' '}
            {suggestions.filters.map(({ parameter, value, count: found }) =>
              buttonLink(
                explorerPath(changed(withoutSearch, parameter, value)),
                `${parameterLabel(parameter)}: ${choiceLabel(parameter, value)}, ${count(found)}`,
              ),
            )}
          </p>
        )}
        <p class="actions">
          {filters.all
            .filter((one) => !isOne && one.parameters.some((name) => parameters.has(name)))
            .map((one) => buttonLink(without(...one.parameters), `Remove “${one.label}”`, 'second'))}
          {buttonLink(EXPLORER_PATH, 'Show all startups', 'second')}
        </p>
      </EmptyState>
    );
  }
  if (view === 'table' && page.length === 0) {
    return (
      <EmptyState title={`There is no page ${count(meta.page)}`}>
        <p>{buttonLink(without(), 'First page', 'second')}</p>
      </EmptyState>
    );
  }
  return [
    meta.corrected && (
      <p>
        No startup matches “{parameters.get('search')}” exactly; these match with one typing error in a word.
      </p>
    ),
    view === 'groups' ? (
      groupView(data.startups.groups ?? [], groups, parameters)
    ) : view === 'table' ? (
      resultsTable({
        label: 'Startups',
        rows: page,
        sort,
        columns: tableColumns(columns, (one) => startupNameCell(one, starOf(one), marksSale), now),
        link: (to) => explorerPath(changed(parameters, 'sort', to)),
        file: { name: 'startups.csv', label: 'Download this page as CSV' },
        pager: {
          ...meta,
          pages: Math.ceil(meta.total / meta.limit),
          link: (to) => explorerPath(changed(parameters, 'page', `${to}`)),
        },
      })
    ) : priced === 0 ? (
      <EmptyState title="No startup of this list has a price and revenue" />
    ) : (
      scatter(points, priced, meta.total)
    ),
    view === 'table' && sort === 'best-deal' && (
      <p class="soft small">
        {bestDealsText} Payback does not count growth.{' '}
        <a href="/docs/startups#sort-order">How the deal score is computed</a>.
      </p>
    ),
  ];
}

/** How many startups match, and which of them a table shows. */
function totalText({ page = [], meta }: ListData['startups']): Content {
  const from = (meta.page - 1) * meta.limit + 1;
  const place = `${count(from)}–${count(from + page.length - 1)} of ${count(meta.total)}`;
  return page.length === 0 ? startupsText(meta.total) : [place, <span class="rest"> startups</span>];
}

const figures = ['revenue.sum', 'mrr.median', 'growth.median', 'price.median'];

/** Figures of all that match, and the MRR of the last days where they are stored: of the market and of a category. */
function summary({ startups, market = [] }: ListData): Html {
  const shown = figures.map((path): Figure => {
    const value = readField(startups.stats, path);
    return [figureLabel(path), showValue(value, figureUnit(path) as FieldUnit)];
  });
  const days = market.slice(-TREND_DAYS);
  const last = days.at(-1);
  const counts = [days[0]?.count ?? 0, last?.count ?? 0];
  // If fewer than half can be in the data on both days, a line would show who came, not who grew.
  if (days.length > 1 && last !== undefined && Math.min(...counts) * 2 >= Math.max(...counts)) {
    const line = <span title={`${TREND_DAYS} days`}>{trendLine(days.map(({ mrr }) => mrr.sum))}</span>;
    shown.splice(1, 0, [figureLabel('mrr.sum'), [money(last.mrr.sum), ' ', line]]);
  }
  return <Figures className="line-of-figures" figures={shown} />;
}

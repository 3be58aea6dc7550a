import { LRUCache } from 'lru-cache';
import { readLists } from '../../../access/accounts/lists.ts';
import type { FieldUnit } from '../../../startups/model/field-labels.ts';
import { figureLabel, figureUnit } from '../../../startups/model/figure-labels.ts';
import { defaultSort } from '../../../startups/model/requests/list-request.ts';
import { buttonLink, EmptyState, type Figure, Figures, Pager, Tabs } from '../../shared/components.tsx';
import { count, money, wordsOf } from '../../shared/figures.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { redirect, type SignedInContext, setCookies } from '../page.ts';
import type { Services } from '../services.ts';
import { recordOpened, searchesMenu } from '../shortlist/searches.tsx';
import { star, starLook } from '../shortlist/star.tsx';
import { filterChips, quickFilterLinks } from './chips.tsx';
import {
  columnCookies,
  columnsOf,
  fieldsOf,
  nameCell,
  readField,
  type StartupColumn,
  showValue,
  startupsText,
  tableColumns,
  trendLine,
} from './columns.tsx';
import {
  groupsRequest,
  type ListData,
  listRequest,
  readList,
  type ShownStartup,
  TREND_DAYS,
} from './documents.ts';
import { filterForm, searchControl } from './form.tsx';
import { groupView } from './groups.tsx';
import { apiPanel, errorSummary, refusal } from './panels.tsx';
import {
  changed,
  EMBED_PATH,
  EXPLORER_PATH,
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
import { csvLink, csvOf, resultsTable } from './results-table.tsx';
import { type Point, readPoints, scatter } from './scatter.tsx';

/** What was read for a list. */
interface Shown {
  readonly query: Pick<ExplorerQuery, 'view' | 'groups' | 'parameters'>;
  /** The order in force. */
  readonly sort: string;
  readonly data: ListData;
  /** What a chart shows. */
  readonly points: readonly Point[];
}

interface Results extends Shown {
  /** After that of the names. */
  readonly columns: readonly StartupColumn[];
  /** ms since 1970. */
  readonly now: number;
  /** The button that puts a startup aside. */
  readonly starOf: (startup: ShownStartup) => Html;
}

/** For so many accounts, what they saw last is kept for the time in which they have no page left. */
const REMEMBERED_ACCOUNTS = 100;

/** The list of the explorer, in each of its views. */
export function listPages(services: Services) {
  const { origin, now } = services;
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
    const { errors, parameters, args, request } = readRequest(query);
    const columns = columnsOf(context, query.columns);
    const { shortlist, searches } = await readLists(services.prisma, visitor.id);
    const readShown = async (): Promise<Shown> => {
      const data = await readList(services, context, query, args, fieldsOf(columns));
      const { count } = data.startups.stats.multiple;
      const isChart = query.view === 'chart' && count > 0;
      const points = isChart ? await readPoints(services, context, args, count) : [];
      await recordOpened(services, context, searches, parameters, data.dataset.importedAt);
      const read = { query: { ...query, parameters }, sort: request.sort, data, points };
      lastShown.set(visitor.id, read);
      return read;
    };
    // At the limit, what was read before is shown as it was asked for.
    const shown = exceeded === undefined ? await readShown() : lastShown.get(visitor.id);
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
          {filterForm(
            form,
            <Tabs
              label="View"
              className="views"
              tabs={views.map((view) => ({
                path: explorerPath(withView(changed(query.parameters, 'page', null), view)),
                label: wordsOf(view),
                isCurrent: view === query.view,
              }))}
            />,
          )}
          <div class="chip-line">
            {startups !== undefined && <p class="shown">{totalText(startups)}</p>}
            {filterChips(parameters)}
            <p class="actions">
              {quickFilterLinks(parameters, now())}
              {shown?.data.dataset.importedAt === null && <span class="badge">Invented sample data</span>}
            </p>
          </div>
          {exceeded && refusal(exceeded, now(), explorerPath(parameters), shown !== undefined)}
          <div id="results" tabindex="-1">
            {shown !== undefined &&
              results({
                ...shown,
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
              'This list by REST and GraphQL, and embedded',
            )}
          </div>
        </>
      ),
    });
  };
}

/** A list in its view, below figures of all that match. */
function results(shown: Results): Content {
  const { data, points, query, sort } = shown;
  const { view, groups, parameters } = query;
  const { page = [], meta, stats } = data.startups;
  const { count: priced } = stats.multiple;
  if (meta.total === 0) {
    return empty('No startup matches all of these filters', EXPLORER_PATH, 'Show all startups');
  }
  if (view === 'table' && page.length === 0) {
    const first = explorerPath(changed(parameters, 'page', null));
    return empty(`There is no page ${count(meta.page)}`, first, 'First page');
  }
  return (
    <>
      {meta.corrected && (
        <p>
          No startup matches “{parameters.get('search')}” exactly; these match with one typing error in a
          word.
        </p>
      )}
      {summary(data)}
      {view === 'table' && sort === 'best-deal' && (
        <p class="hint">
          Best deals have the lowest price ÷ yearly profit, adjusted for growth. Where the margin is unknown,
          50% is assumed.
        </p>
      )}
      {view === 'groups' ? (
        groupView(data.startups.groups ?? [], groups, parameters)
      ) : view === 'table' ? (
        startupTable(shown)
      ) : priced === 0 ? (
        <EmptyState title="No startup of this list has a price and revenue" />
      ) : (
        scatter(points, priced)
      )}
    </>
  );
}

const empty = (text: string, path: string, label: string): Html => (
  <EmptyState title={text}>
    <p>{buttonLink(path, label, 'second')}</p>
  </EmptyState>
);

function startupTable({ data, query: { parameters }, sort, columns, now, starOf }: Results): Content {
  const { page: rows = [], meta } = data.startups;
  const marksSale = parameters.get('onSale') !== 'true';
  const shown = tableColumns(columns, (record) => nameCell(record, starOf(record), marksSale), now);
  return (
    <>
      {resultsTable({
        ...{ label: 'Startups', kind: 'cards', columns: shown, rows, sort },
        link: (to) => explorerPath(changed(parameters, 'sort', to)),
      })}
      <div class="heading sub below">
        {csvLink('startups.csv', csvOf(shown, rows), 'Download this page as CSV')}
        <Pager
          {...meta}
          pages={Math.ceil(meta.total / meta.limit)}
          link={(to) => explorerPath(withParameter(parameters, 'page', `${to}`))}
        />
      </div>
    </>
  );
}

/** How many startups match, and which of them a table shows. */
function totalText({ page = [], meta }: ListData['startups']): string {
  const from = (meta.page - 1) * meta.limit + 1;
  const place = `${count(from)}–${count(from + page.length - 1)} of `;
  return (page.length === 0 ? '' : place) + startupsText(meta.total);
}

const figures = ['revenue.sum', 'mrr.median', 'growth.median', 'price.median'];

/** Figures of all that match, and the MRR of the last days where they are stored: of the market and of a category. */
function summary({ startups, market }: ListData): Html {
  const shown = figures.map((path): Figure => {
    const value = readField(startups.stats, path);
    return [figureLabel(path), showValue(value, figureUnit(path) as FieldUnit)];
  });
  return <Figures className="line-of-figures" figures={shown.toSpliced(1, 0, ...trend(market))} />;
}

function trend(market: ListData['market'] = []): Figure[] {
  const days = market.slice(-TREND_DAYS);
  const [first, last] = [days[0], days.at(-1)];
  // If fewer than half can be in the data on both days, a line would show who came, not who grew.
  return days.length < 2 ||
    first === undefined ||
    last === undefined ||
    Math.min(first.count, last.count) * 2 < Math.max(first.count, last.count)
    ? []
    : [
        [
          figureLabel('mrr.sum'),
          <>
            {money(last.mrr.sum)} {trendLine(days.map(({ mrr }) => mrr.sum))}
            <span class="soft small">{TREND_DAYS} days</span>
          </>,
        ],
      ];
}

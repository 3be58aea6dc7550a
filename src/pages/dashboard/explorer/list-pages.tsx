import { getCookie } from 'hono/cookie';
import { type AccountLists, readLists } from '../../../accounts/lists.ts';
import type { RateLimitState } from '../../../rate-limit/limiter.ts';
import { rateLimitHeaders } from '../../../rate-limit/responses.ts';
import { RECORDS_PER_READ } from '../../../startups/requests/list-parameters.ts';
import { defaultSort } from '../../../startups/requests/list-request.ts';
import type { QueryArguments } from '../../../startups/requests/query-parameters.ts';
import { buttonLink } from '../../shared/components.tsx';
import type { Content, Html } from '../../shared/jsx.ts';
import { type Page, redirect, type SignedInContext } from '../page.ts';
import type { Services } from '../services.ts';
import { recordOpened } from '../shortlist/search-matches.tsx';
import { searchesMenu } from '../shortlist/searches-menu.tsx';
import { star } from '../shortlist/star.tsx';
import { COLUMNS_COOKIE, fieldsOf, optionalColumns, type ShownColumn, shownColumns } from './columns.tsx';
import type { FilterForm } from './controls.tsx';
import { recordsCsv } from './csv.tsx';
import { filterForm, searchControl, tableSettings } from './form.tsx';
import { filterChips, quickFilterLinks } from './labels.tsx';
import {
  type ListData,
  type PagesData,
  pagesApart,
  pagesDocument,
  pageVariables,
  prepareList,
  UNBOUNDED,
} from './list-documents.ts';
import { look } from './look.ts';
import { budgetLine, errorSummary, refusal, samplePanel } from './panels.tsx';
import {
  countedParameters,
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
import { createReader, type Reader, sumOf } from './reader.ts';
import { type Counts, groupsRequest, listRequest, type ShownStartup } from './requests.ts';
import { results, resultsHeading } from './results.tsx';
import type { Point } from './scatter.tsx';

const YEAR_SECONDS = 31_536_000;

/** How many pages of a list a chart reads at most. */
const CHART_READS = 20;

/** The list of the explorer, in each of its views, and all of it as CSV. */
export function listPages(services: Services) {
  const { origin, now } = services;
  const reader = createReader(services);

  const show = async (context: SignedInContext): Promise<Response> => {
    const sent = new URLSearchParams(context.env.request.query);
    const query = readExplorerQuery(sent);
    if (query.typed.size === 0 && withQuery('', query.parameters) !== withQuery('', sent)) {
      // Each list has one URL, in the units of the API.
      return redirect(context, explorerPath(query.parameters), columnCookies(query.columns));
    }
    const { view, groups } = query;
    const { errors, parameters, args, request } = readValidRequest(query);
    const columns = columnsOf(context, query);
    const { shortlist, searches } = await readLists(services.prisma, context.var.visitor.id);
    const form = { query, errors, columns, searches, defaultSort: defaultSort(request.filter) };
    const snippets = samplePanel(
      origin,
      view === 'groups'
        ? groupsRequest(parameters, args, groups.by)
        : listRequest(parameters, args, fieldsOf(columns)),
    );
    const operation = prepareList(reader, query, args, fieldsOf(columns));
    const budget = await reader.reserve(context, operation);
    if (!budget.admitted) {
      return refuse(context, form, budget, explorerPath(parameters), snippets);
    }
    const data = await reader.run<ListData>(context, operation);
    const { startups, dataset } = data;
    await recordOpened(services, context, searches, parameters, dataset.importedAt);
    const more =
      view === 'chart' && startups.stats.multiple.count > 0
        ? await readPoints(reader, context, args, startups.stats.multiple.count, budget.remaining)
        : undefined;
    const total = sumOf(budget, more?.budget);
    const counts = Object.fromEntries(
      countedParameters.map((name) => [name, (data[name] ?? startups).facets[name]]),
    ) as Counts;
    const shown = {
      list: startups,
      market: data.market,
      points: more?.points,
      sort: request.sort,
      query: parameters,
      view,
      groups,
      columns,
      budget: total,
      now: now(),
      starOf: star(shortlist, explorerPath(parameters)),
    };
    const main = (
      <>
        {results(shown)}
        {budgetLine(total, now())}
        {snippets}
      </>
    );
    const histograms = (data[UNBOUNDED] ?? startups).facets;
    return context.render({
      ...listPage(
        { ...form, counts, histograms, total: startups.meta.total },
        main,
        now(),
        resultsHeading(shown),
      ),
      headers: rateLimitHeaders(total, now()),
    });
  };

  /** The filters without counts, below what the limit is. A script keeps the results that it has shown before. */
  const refuse = (
    context: SignedInContext,
    form: Omit<ListForm, 'counts' | 'histograms' | 'total'>,
    budget: RateLimitState,
    path: string,
    main?: Html,
  ) =>
    context.render({
      ...listPage({ ...form, counts: undefined, histograms: undefined, total: undefined }, main, now(), {
        notice: [
          refusal(budget, now(), path),
          <p class="soft small kept">Until then, the results below are those of the filters before.</p>,
        ],
      }),
      status: 429,
      headers: rateLimitHeaders(budget, now()),
    });

  const download = async (context: SignedInContext): Promise<Response> => {
    const query = readExplorerQuery(new URLSearchParams(context.env.request.query));
    const { errors, parameters, args, request } = readValidRequest(query);
    const { filter, sort } = args;
    const list = explorerPath(parameters);
    const total = await reader.readMore<CountData>(context, COUNT_DOCUMENT, { filter });
    const reads = Math.ceil((total?.data.startups.meta.total ?? 0) / RECORDS_PER_READ);
    if (total === undefined || reads === 0 || reads + 1 > total.budget.limit) {
      return redirect(context, list);
    }
    const columns = columnsOf(context, query);
    const fields = fieldsOf(columns);
    const operation = reader.prepare(pagesDocument(fields, reads), {
      filter,
      ...(sort !== undefined && { sort }),
      ...pageVariables(Array.from({ length: reads }, (_, index) => index + 1)),
    });
    const budget = await reader.reserve(context, operation);
    const headers = rateLimitHeaders(sumOf(total.budget, budget), now());
    if (!budget.admitted) {
      // The next attempt counts first, too.
      const { searches } = await readLists(services.prisma, context.var.visitor.id);
      const form = { query, errors, columns, searches, defaultSort: defaultSort(request.filter) };
      const path = withQuery(context.req.path, listParametersOf(parameters));
      return refuse(context, form, { ...sumOf(total.budget, budget), cost: operation.cost + 1 }, path);
    }
    const rows = rowsOf(await reader.run<PagesData>(context, operation));
    return context.body(recordsCsv(rows, fields), 200, {
      ...headers,
      'Content-Type': 'text/csv; charset=utf-8',
      'Content-Disposition': 'attachment; filename="startups.csv"',
    });
  };

  return { show, download };
}

const COUNT_DOCUMENT = 'query Count($filter: StartupFilter) { startups(filter: $filter) { meta { total } } }';
interface CountData {
  readonly startups: { readonly meta: { readonly total: number } };
}

const rowsOf = (pages: PagesData): readonly ShownStartup[] =>
  Object.values(pages).flatMap(({ page }) => page);

function columnsOf(context: SignedInContext, query: ExplorerQuery): ShownColumn[] {
  return shownColumns(query.columns ?? getCookie(context, COLUMNS_COOKIE)?.split('.'));
}

/** Reads startups with a price and revenue: all, or some at equal distances by their rank. */
async function readPoints(
  reader: Reader,
  context: SignedInContext,
  { filter }: QueryArguments,
  total: number,
  remaining: number,
): Promise<{ budget: RateLimitState; points: readonly Point[] } | undefined> {
  const numbers = pagesApart(Math.ceil(total / RECORDS_PER_READ), Math.min(CHART_READS, remaining));
  if (numbers.length === 0) {
    return undefined;
  }
  const read = await reader.readMore<PagesData>(
    context,
    pagesDocument(
      ['name', 'slug', 'onSale', 'askingPrice', 'multiple', 'growth30d', 'revenue.last30Days'],
      numbers.length,
    ),
    {
      // Only startups with a price and revenue have a multiple.
      filter: { minMultiple: 0, ...filter },
      sort: 'total-desc',
      ...pageVariables(numbers),
    },
  );
  return (
    read && {
      budget: read.budget,
      points: (rowsOf(read.data) as readonly unknown[] as readonly Point[]).filter(isDrawn),
    }
  );
}

/** A scale of powers of ten has no place for 0. */
const isDrawn = ({ askingPrice, revenue }: Point): boolean => askingPrice > 0 && revenue.last30Days > 0;

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
}

/** The page of a list: the search and the filters above the results. */
function listPage(form: ListForm, main: Content, now: number, { notice, heading, links }: Top): Page {
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
          {quickFilterLinks(query.parameters, now)}
        </div>
        <p class="hidden" id="announcement" role="status" />
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

import { Hono } from 'hono';
import { ApiError } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import { rateLimitHeaders } from '../../rate-limit/headers.ts';
import { accountSubject } from '../../rate-limit/subject.ts';
import type { Catalogue } from '../../startups/catalogue/catalogue.ts';
import { type Day, dayOf } from '../../startups/days.ts';
import { defaultSort, type StartupFilter } from '../../startups/filter.ts';
import { MAX_DAYS } from '../../startups/history/parameters.ts';
import { findPoints } from '../../startups/history/points.ts';
import { dayRange, type HistoryRequest } from '../../startups/history/request.ts';
import { type Steps, timeSlices } from '../../time-slices.ts';
import { historyChart } from '../history-chart.ts';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { requireAcceptedPolicy } from './access.ts';
import { activeFilters, filterChips } from './chips.ts';
import { EMBED_PATH } from './embed-pages.ts';
import { countedParameters, FILTERS_ID, type FilterForm, filterForm, sortControl } from './form.ts';
import { budgetLine, errorSummary, refusal, snippetPanel } from './panels.ts';
import { EXPLORER_PATH, explorerPath, readExplorerQuery, readRequest, withoutParameters } from './query.ts';
import { rangeText, results } from './results.ts';
import { listSnippets, startupSnippets } from './snippets.ts';
import { startupDetails } from './startup-view.ts';

const look = { styles: ['data.css', 'explorer.css'], scripts: ['explorer.js'] } as const;

/**
 * The explorer: the data and the rules of the API. It requires an accepted policy, and each page of startups
 * costs 1 of a separate budget of the account.
 */
export function explorerRoutes(services: Services): Hono<SignedInEnv> {
  const { limiter, catalogue, prisma, origin, now } = services;

  /** Writes a page from one edition of the data. */
  const reading = async (write: (edition: Catalogue) => Promise<Page> | Page): Promise<Page> => {
    const pinned = catalogue.pin();
    try {
      return await write(pinned.catalogue);
    } finally {
      pinned.release();
    }
  };

  const list = async (context: SignedInContext): Promise<Response> => {
    const sent = new URLSearchParams(context.env.request.query);
    const query = readExplorerQuery(sent);
    const { parameters, typed } = query;
    if (typed.size === 0 && parameters.toString() !== sent.toString()) {
      // Each list has one URL, in the units of the API.
      return redirect(context, explorerPath(parameters));
    }
    const read = readRequest(query);
    if ('errors' in read) {
      const { errors } = read;
      const form: FilterForm = { query, errors, counts: undefined };
      return context.render(explorerPage(400, { form, above: errorSummary(errors), main: html`` }));
    }
    const { args, request } = read;
    const form: FilterForm = { query, errors: [], counts: undefined };
    const snippets = snippetPanel(listSnippets(origin, parameters, args));
    const budget = await limiter.reserve(accountSubject(context.var.visitor.id), 1);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      const main = html`${refusal(budget, now(), explorerPath(parameters))}${filterChips(parameters)}${snippets}`;
      return context.render({ ...explorerPage(429, { form, main }), headers });
    }
    const page = await reading(async (edition) => {
      const found = await timeSlices.run(edition.list(request, { total: true }));
      const stats = await timeSlices.run(found.stats());
      const counts = await timeSlices.run(countChoices(edition, request.filter));
      const main = html`<div class="toolbar"><p class="shown">${rangeText(found)}</p>${sortControl(query, defaultSort(request.filter))}</div>
${filterChips(parameters)}${results(found, stats, parameters)}${budgetLine(budget, now())}${snippets}`;
      return { ...explorerPage(200, { form: { ...form, counts }, main }), headers };
    });
    return context.render(page);
  };

  const show = async (context: SignedInContext): Promise<Response> => {
    const slug = context.req.param('slug') ?? '';
    const budget = await limiter.reserve(accountSubject(context.var.visitor.id), 1);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      const main = refusal(budget, now(), context.req.path);
      return context.render({ ...look, status: 429, title: 'Explorer', main, headers });
    }
    const page = await reading(async (edition) => {
      const record = edition.get(slug);
      if (record === null) {
        throw new ApiError('NOT_FOUND', 'There is no such startup.');
      }
      const history = await findPoints(prisma, [record.id], wholeHistory(dayOf(now())));
      return {
        ...look,
        headers,
        title: record.name,
        back: { path: EXPLORER_PATH, label: 'All startups' },
        main: html`<div class="beside"><div>${startupDetails(record)}${historyChart(history.get(record.id) ?? [])}${budgetLine(budget, now())}</div>${snippetPanel(startupSnippets(origin, record.slug))}</div>`,
      };
    });
    return context.render(page);
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(EXPLORER_PATH, hasAccepted, list)
    .get(`${EXPLORER_PATH}/:slug`, hasAccepted, show);
}

/** Every day that one response may hold. */
function wholeHistory(today: Day): HistoryRequest {
  return { ...dayRange({}, today), last: MAX_DAYS, fill: true };
}

/** The page of a list: the filters beside the results. */
function explorerPage(
  status: 200 | 400 | 429,
  { form, above, main }: { form: FilterForm; above?: Html; main: Html },
): Page {
  const { parameters } = form.query;
  const active = activeFilters(parameters).length;
  const embedded = withoutParameters(parameters, 'page');
  return {
    ...look,
    status,
    title: 'Explorer',
    action: html`<div class="actions"><a class="button second to-filters" href="#${FILTERS_ID}">Filters${active > 0 && ` (${active})`}</a>${status !== 400 && html`<a class="button second" href="${EMBED_PATH}${embedded.size > 0 && `?${embedded}`}">Embed this list</a>`}</div>`,
    main: html`<a class="skip" href="#results">Skip to the results</a>${above}<div class="explorer">${filterForm(form)}<div id="results">${main}</div></div>`,
  };
}

/** How many startups each choice leaves: those that pass all the other filters. */
function* countChoices(edition: Catalogue, filter: StartupFilter): Steps<NonNullable<FilterForm['counts']>> {
  const all = yield* edition.facets(filter);
  const counts: [string, unknown][] = [];
  for (const name of countedParameters) {
    const { [name]: chosen, ...others } = filter;
    counts.push([name, (chosen === undefined ? all : yield* edition.facets(others))[name]]);
  }
  return Object.fromEntries(counts) as NonNullable<FilterForm['counts']>;
}

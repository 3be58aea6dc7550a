import { Hono } from 'hono';
import { findPolicyAcceptance } from '../../accounts/accept-policy.ts';
import { ApiError, type ErrorDetail } from '../../errors.ts';
import { type Html, html } from '../../html.ts';
import { rateLimitHeaders } from '../../rate-limit/headers.ts';
import { accountSubject } from '../../rate-limit/subject.ts';
import type { Catalogue } from '../../startups/catalogue/catalogue.ts';
import { type Day, dayOf } from '../../startups/days.ts';
import { defaultSort, type StartupFilter } from '../../startups/filter.ts';
import { MAX_DAYS } from '../../startups/history/parameters.ts';
import { findPoints } from '../../startups/history/points.ts';
import { dayRange, type HistoryRequest } from '../../startups/history/request.ts';
import { type QueryArguments, readListQuery } from '../../startups/list-query.ts';
import { type ListArguments, type ListRequest, readListArguments } from '../../startups/list-request.ts';
import { type Steps, timeSlices } from '../../time-slices.ts';
import { historyChart } from '../history-chart.ts';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { countedParameters, type FilterForm, filterForm } from './form.ts';
import { budgetLine, errorSummary, refusal, snippetPanel } from './panels.ts';
import { results } from './results.ts';
import { listSnippets, startupSnippets } from './snippets.ts';
import { startupDetails } from './startup-view.ts';

const PATH = '/dashboard/explorer';
const look = { styles: ['data.css'], scripts: ['explorer.js'] } as const;

/**
 * The explorer: what the API gives, on the terms of the API. It requires an accepted policy, and each page of startups
 * costs 1 of a budget of the account's own.
 */
export function explorerRoutes(services: Services): Hono<SignedInEnv> {
  const { prisma, policy, limiter, catalogue, origin, now } = services;

  /** Writes a page from one edition of the data. */
  const reading = async (write: (edition: Catalogue) => Promise<Page> | Page): Promise<Page> => {
    const pinned = catalogue.pin();
    try {
      return await write(pinned.catalogue);
    } finally {
      pinned.release();
    }
  };

  /** What stands between a visitor and the data. */
  const findObstacle = async (context: SignedInContext): Promise<Response | undefined> => {
    return (await findPolicyAcceptance(prisma, context.var.visitor.id, policy.version)) === null
      ? redirect(context, '/dashboard/policy?needed')
      : undefined;
  };

  const list = async (context: SignedInContext): Promise<Response> => {
    const { visitor } = context.var;
    const query = new URLSearchParams(context.env.request.query);
    const plain = withoutEmpty(query);
    if (plain !== undefined) {
      // A form sends its empty fields too; what is shown has one address.
      return redirect(context, plain.size === 0 ? PATH : `${PATH}?${plain}`);
    }
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    const asked = readQuery(query);
    const form: FilterForm = { values: query, errors: [], counts: undefined, defaultSort: 'revenue-desc' };
    if ('errors' in asked) {
      const { errors } = asked;
      const main = html`${errorSummary(errors)}${filterForm({ ...form, errors })}`;
      return context.render(explorerPage(400, main));
    }
    const { args, request } = asked;
    const sorted = { ...form, defaultSort: defaultSort(request.filter) };
    const panel = snippetPanel(listSnippets(origin, query.toString(), args));
    const budget = await limiter.reserve(accountSubject(visitor.id), 1);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      const main = html`${refusal(budget, now())}${filterForm(sorted)}<div class="beside"><div></div>${panel}</div>`;
      return context.render({ ...explorerPage(429, main), headers });
    }
    const page = await reading(async (edition) => {
      const list = await timeSlices.run(edition.list(request, { total: true }));
      const section = results(list, await timeSlices.run(list.stats()), query);
      const counts = await timeSlices.run(countChoices(edition, request.filter));
      const main = html`<a class="skip" href="#results">Skip to the results</a>${filterForm({ ...sorted, counts })}
<div class="beside"><div>${section}${budgetLine(budget, now())}</div>${panel}</div>`;
      return { ...explorerPage(200, main), headers };
    });
    return context.render(page);
  };

  const show = async (context: SignedInContext): Promise<Response> => {
    const obstacle = await findObstacle(context);
    if (obstacle !== undefined) {
      return obstacle;
    }
    const budget = await limiter.reserve(accountSubject(context.var.visitor.id), 1);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      return context.render({ ...explorerPage(429, refusal(budget, now())), headers });
    }
    const page = await reading(async (edition) => {
      const record = edition.get(context.req.param('slug') ?? '');
      if (record === null) {
        throw new ApiError('NOT_FOUND', 'There is no such startup.');
      }
      const history = await findPoints(prisma, [record.id], wholeHistory(dayOf(now())));
      return {
        ...look,
        headers,
        title: record.name,
        back: { path: PATH, label: 'All startups' },
        main: html`<div class="beside"><div>${startupDetails(record)}${historyChart(history.get(record.id) ?? [])}${budgetLine(budget, now())}</div>${snippetPanel(startupSnippets(origin, record.slug))}</div>`,
      };
    });
    return context.render(page);
  };

  return new Hono<SignedInEnv>().get(PATH, list).get(`${PATH}/:slug`, show);
}

/** Every day that one response may hold. */
function wholeHistory(today: Day): HistoryRequest {
  return { ...dayRange({}, today), last: MAX_DAYS, fill: true };
}

function explorerPage(status: 200 | 400 | 429, main: Html): Page {
  return { ...look, status, title: 'Explorer', main };
}

/** The query without empty parameters and outer spaces; undefined where it has none. */
function withoutEmpty(query: URLSearchParams): URLSearchParams | undefined {
  const given = [...query].map(([name, value]): [string, string] => [name, value.trim()]);
  const kept = new URLSearchParams(given.filter(([, value]) => value !== ''));
  return kept.toString() === query.toString() ? undefined : kept;
}

type Asked =
  | { readonly args: QueryArguments; readonly request: ListRequest }
  | { readonly errors: readonly ErrorDetail[] };

/** Reads the parameters as REST does, with the same errors. */
function readQuery(query: URLSearchParams): Asked {
  const { args, details } = readListQuery(query.toString());
  const read = readListArguments(args as ListArguments);
  const errors = [...details, ...('details' in read ? read.details : [])];
  return 'request' in read && errors.length === 0 ? { args, request: read.request } : { errors };
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

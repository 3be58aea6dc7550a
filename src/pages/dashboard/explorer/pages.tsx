import { Hono } from 'hono';
import { getCookie } from 'hono/cookie';
import { ApiError } from '../../../errors.ts';
import { dataOf } from '../../../graphql/errors.ts';
import type { Operation } from '../../../graphql/execution/engine.ts';
import type { RateLimitState } from '../../../rate-limit/limiter.ts';
import { rateLimitHeaders } from '../../../rate-limit/responses.ts';
import { accountSubject, type Subject } from '../../../rate-limit/subject.ts';
import { paramsOf } from '../../../rest/params.ts';
import { defaultSort } from '../../../startups/filter.ts';
import { type ListParameter, listParameters } from '../../../startups/requests/list-parameters.ts';
import { buttonLink, monogram } from '../../shared/components.tsx';
import type { Html } from '../../shared/jsx.ts';
import { requireAcceptedPolicy } from '../access.ts';
import { historyChart, type StartupDay } from '../history-chart.tsx';
import { type Page, redirect, type SignedInContext, type SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { badgePanel } from './badge-panel.tsx';
import { fieldsOf, optionalColumns, shownColumns } from './columns.tsx';
import { chartEmbedPath } from './embed-pages.tsx';
import { type FilterForm, filterForm, searchControl } from './form.tsx';
import { choiceLabel, filterChips, quickFilterLinks } from './labels.tsx';
import { budgetLine, errorSummary, refusal, samplePanel } from './panels.tsx';
import {
  type CountedParameter,
  countedParameters,
  EMBED_PATH,
  EXPLORER_PATH,
  explorerPath,
  readExplorerQuery,
  readValidRequest,
  withoutParameters,
  withQuery,
} from './query.ts';
import {
  type Counts,
  type ListData,
  listDocument,
  listRequest,
  nearest,
  type ShownStartup,
  SIMILAR_DOCUMENT,
  type SimilarData,
  STARTUP_DOCUMENT,
  similarVariables,
  startupRequest,
} from './requests.ts';
import { results } from './results.tsx';
import { fieldsHelp, similarStartups, startupFacts, startupSummary } from './startup-view.tsx';

const look = { scripts: ['explorer.js'], styles: ['explorer.css'], connects: true } as const;

/** The cookie with the ids of the chosen columns. */
const COLUMNS_COOKIE = 'revgate.columns';
const YEAR_SECONDS = 31_536_000;

/**
 * The explorer: the data and the rules of the API. It requires an accepted policy, and each page of startups costs its
 * reads, which are charged to a separate budget of the account.
 */
export function explorerRoutes(services: Services): Hono<SignedInEnv> {
  const { limiter, engine, origin, now, badges } = services;

  const prepare = (query: string, variables: { readonly [name: string]: unknown } = {}): Operation =>
    engine.prepare(paramsOf(query, variables));
  const subjectOf = (context: SignedInContext): Subject => accountSubject(context.var.visitor.id);

  /** Reserves the cost of everything that a page reads. */
  const reserve = (context: SignedInContext, ...operations: readonly Operation[]): Promise<RateLimitState> =>
    limiter.reserve(
      subjectOf(context),
      operations.reduce((sum, { cost }) => sum + cost, 0),
    );

  /** @throws ApiError the first error of the result. */
  const run = async <Data,>(context: SignedInContext, operation: Operation): Promise<Data> =>
    dataOf(await engine.run(operation, context.env.request, subjectOf(context)));

  const list = async (context: SignedInContext): Promise<Response> => {
    const sent = new URLSearchParams(context.env.request.query);
    const query = readExplorerQuery(sent);
    if (query.typed.size === 0 && withQuery('', query.parameters) !== withQuery('', sent)) {
      // Each list has one URL, in the units of the API.
      return redirect(context, explorerPath(query.parameters), columnCookies(query.columns));
    }
    const { errors, parameters, args, request } = readValidRequest(query);
    const columns = shownColumns(query.columns ?? getCookie(context, COLUMNS_COOKIE)?.split('.'));
    const fields = fieldsOf(columns);
    const form = { query, errors, columns, defaultSort: defaultSort(request.filter) };
    const snippets = samplePanel(origin, listRequest(parameters, args, fields));
    const chosen = countedParameters.filter((name) => hasChosen(args.filter, name));
    const operation = prepare(listDocument(fields, chosen), {
      ...args,
      ...Object.fromEntries(chosen.map((name) => [name, without(args.filter, name)])),
    });
    const budget = await reserve(context, operation);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      const main = (
        <>
          {refusal(budget, now(), explorerPath(parameters))}
          {snippets}
        </>
      );
      return context.render({
        ...listPage({ ...form, counts: undefined }, main, now()),
        status: 429,
        headers,
      });
    }
    const data = await run<ListData>(context, operation);
    const { startups } = data;
    const counts = Object.fromEntries(
      countedParameters.map((name) => [name, (data[name] ?? startups).facets[name]]),
    ) as Counts;
    const main = (
      <>
        {results({ list: startups, sort: request.sort, query: parameters, columns, now: now() })}
        {budgetLine(budget, now())}
        {snippets}
      </>
    );
    return context.render({ ...listPage({ ...form, counts }, main, now()), headers });
  };

  const show = async (context: SignedInContext): Promise<Response> => {
    const operation = prepare(STARTUP_DOCUMENT, { slug: context.req.param('slug') ?? '' });
    const budget = await reserve(context, operation);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      const main = refusal(budget, now(), context.req.path);
      return context.render({ ...look, status: 429, title: 'Explorer', main, headers });
    }
    const { startup } = await run<{ startup: (ShownStartup & { history: StartupDay[] }) | null }>(
      context,
      operation,
    );
    if (startup === null) {
      throw new ApiError('NOT_FOUND', 'There is no such startup.');
    }
    const { name, slug, category } = startup;
    const similar = await findSimilar(context, startup);
    const total =
      similar === undefined
        ? budget
        : { ...similar.budget, cost: (budget.cost ?? 0) + (similar.budget.cost ?? 0) };
    return context.render({
      ...look,
      scripts: ['chart.js'],
      headers: rateLimitHeaders(total, now()),
      title: name,
      back: { path: EXPLORER_PATH, label: 'All startups' },
      icon: monogram(name),
      main: (
        <>
          {startupSummary(startup, now())}
          {historyChart(startup.history, (value) => chartEmbedPath(slug, value))}
          {startupFacts(startup)}
          {category !== null &&
            similarStartups(similar?.startups ?? [], choiceLabel('category', category), now())}
          {samplePanel(origin, startupRequest(slug))}
          {badges !== undefined && !badges.except.includes(slug) && badgePanel(origin, slug)}
          {fieldsHelp()}
          {budgetLine(total, now())}
        </>
      ),
    });
  };

  /** Similar startups, unless there are none to find or nothing is left of the limit. */
  const findSimilar = async (context: SignedInContext, startup: ShownStartup) => {
    const variables = similarVariables(startup);
    if (variables === undefined) {
      return undefined;
    }
    const operation = prepare(SIMILAR_DOCUMENT, variables);
    const budget = await reserve(context, operation);
    return budget.admitted
      ? { budget, startups: nearest(startup, await run<SimilarData>(context, operation)) }
      : undefined;
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(EXPLORER_PATH, hasAccepted, list)
    .get(`${EXPLORER_PATH}/:slug`, hasAccepted, show);
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

/** The page of a list: the search and the filters above the results. */
function listPage(form: FilterForm, main: Html, now: number): Page {
  const { errors, query } = form;
  const embedded = withoutParameters(query.parameters, 'page');
  return {
    ...look,
    status: errors.length === 0 ? 200 : 400,
    title: 'Explorer',
    isWide: true,
    action: (
      <>
        {searchControl(form)}
        <div data-part="embed">
          {errors.length === 0 && buttonLink(withQuery(EMBED_PATH, embedded), 'Embed this list', 'second')}
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
          {quickFilterLinks(query.parameters, now)}
          {filterChips(query.parameters)}
        </div>
        <p class="hidden" id="announcement" role="status" />
        <div id="results" data-part="results" tabindex="-1">
          {main}
        </div>
      </>
    ),
  };
}

/** The parameters of one choice, or of several. */
const namesOf = (name: CountedParameter): readonly string[] => {
  const parameter: ListParameter = listParameters[name];
  return 'plural' in parameter && parameter.plural !== undefined ? [name, parameter.plural] : [name];
};

const hasChosen = (filter: object, name: CountedParameter): boolean =>
  namesOf(name).some((one) => Object.hasOwn(filter, one));

/** A filter without a choice. */
const without = (filter: object, name: CountedParameter): { [name: string]: unknown } =>
  Object.fromEntries(Object.entries(filter).filter(([one]) => !namesOf(name).includes(one)));

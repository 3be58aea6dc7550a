import { Hono } from 'hono';
import { ApiError } from '../../../errors.ts';
import { rateLimitHeaders } from '../../../rate-limit/responses.ts';
import { monogram } from '../../shared/components.tsx';
import { requireAcceptedPolicy } from '../access.ts';
import { drawnSeries, historyChart, type StartupDay } from '../history-chart.tsx';
import type { SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { COMPARE_MAX, comparePath } from '../shortlist/paths.ts';
import { starLook, starsOf } from '../shortlist/star.tsx';
import { badgePanel } from './badge-panel.tsx';
import { chartEmbedPath } from './embed-pages.tsx';
import { choiceLabel } from './labels.tsx';
import { listPages } from './list-pages.tsx';
import { look } from './look.ts';
import { budgetLine, refusal, samplePanel } from './panels.tsx';
import { CSV_PATH, EXPLORER_PATH } from './query.ts';
import { createReader, sumOf } from './reader.ts';
import {
  nearest,
  type ShownStartup,
  SIMILAR_DOCUMENT,
  type SimilarData,
  STARTUP_DOCUMENT,
  similarVariables,
  startupRequest,
} from './requests.ts';
import { fieldsHelp, similarStartups, startupFacts, startupLinks, startupSummary } from './startup-view.tsx';

const back = { path: EXPLORER_PATH, label: 'All startups' };

/**
 * The explorer: the data and the rules of the API. It requires an accepted policy, and each page of startups costs its
 * reads, which are charged to a separate budget of the account.
 */
export function explorerRoutes(services: Services): Hono<SignedInEnv> {
  const { origin, now, badges } = services;
  const reader = createReader(services);
  const list = listPages(services);

  const show = async (context: SignedInContext): Promise<Response> => {
    const operation = reader.prepare(STARTUP_DOCUMENT, { slug: context.req.param('slug') ?? '' });
    const budget = await reader.reserve(context, operation);
    const headers = rateLimitHeaders(budget, now());
    if (!budget.admitted) {
      const main = refusal(budget, now(), context.req.path);
      return context.render({ ...look, status: 429, title: 'Startup', back, main, headers });
    }
    const { startup } = await reader.run<{ startup: (ShownStartup & { history: StartupDay[] }) | null }>(
      context,
      operation,
    );
    if (startup === null) {
      throw new ApiError('NOT_FOUND', 'There is no such startup.');
    }
    const { name, slug, category, history } = startup;
    const drawn = drawnSeries(history);
    const similar = await findSimilar(context, startup);
    const total = sumOf(budget, similar?.budget);
    return context.render({
      scripts: ['chart.js', ...starLook.scripts],
      styles: ['series.css', 'startup.css', ...starLook.styles],
      connects: true,
      action: (
        <div class="actions">
          {startupLinks(startup)}
          {(await starsOf(services, context, context.req.path))(startup, 'Shortlist')}
        </div>
      ),
      headers: rateLimitHeaders(total, now()),
      title: name,
      back,
      icon: monogram(name),
      main: (
        <>
          {startupSummary(startup, now())}
          <div class="startup">
            {historyChart(history, drawn, (value) => chartEmbedPath(slug, value))}
            {startupFacts(
              startup,
              drawn.map(({ path }) => path),
              now(),
            )}
            {category !== null &&
              similarStartups(
                similar?.startups ?? [],
                choiceLabel('category', category),
                (others) => comparePath([slug, ...others].slice(0, COMPARE_MAX)),
                now(),
              )}
            {samplePanel(origin, startupRequest(slug))}
            {badges !== undefined && !badges.except.includes(slug) && badgePanel(origin, slug)}
          </div>
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
    const read = await reader.readMore<SimilarData>(context, SIMILAR_DOCUMENT, variables);
    return read && { budget: read.budget, startups: nearest(startup, read.data) };
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(EXPLORER_PATH, hasAccepted, list.show)
    .get(CSV_PATH, hasAccepted, list.download)
    .get(`${EXPLORER_PATH}/:slug`, hasAccepted, show);
}

import { Hono } from 'hono';
import { ApiError } from '../../../lib/errors.ts';
import { monogram } from '../../shared/components.tsx';
import { requireAcceptedPolicy } from '../access.ts';
import { chartEmbedPath } from '../embeds/embed-pages.tsx';
import { drawnSeries, historyChart, type StartupDay } from '../history-chart.tsx';
import type { SignedInContext, SignedInEnv } from '../page.ts';
import type { Services } from '../services.ts';
import { COMPARE_MAX, comparePath } from '../shortlist/paths.ts';
import { starLook, starsOf } from '../shortlist/star.tsx';
import { badgePanel } from './badge-panel.tsx';
import { choiceLabel } from './labels.tsx';
import { listPages } from './list-pages.tsx';
import { samplePanel } from './panels.tsx';
import { EXPLORER_PATH } from './query.ts';
import { createReader } from './reader.ts';
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
 * The explorer: the data and the rules of the API. It requires an accepted policy.
 */
export function explorerRoutes(services: Services): Hono<SignedInEnv> {
  const { origin, now, badges } = services;
  const read = createReader(services);

  const show = async (context: SignedInContext): Promise<Response> => {
    const slugOf = { slug: context.req.param('slug') ?? '' };
    const { startup } = await read<{ startup: (ShownStartup & { history: StartupDay[] }) | null }>(
      context,
      STARTUP_DOCUMENT,
      slugOf,
    );
    if (startup === null) {
      throw new ApiError('NOT_FOUND', 'There is no such startup.');
    }
    const { name, slug, category, history } = startup;
    const drawn = drawnSeries(history);
    const similar = await findSimilar(context, startup);
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
                similar,
                choiceLabel('category', category),
                (others) => comparePath([slug, ...others].slice(0, COMPARE_MAX)),
                now(),
              )}
            {samplePanel(origin, startupRequest(slug))}
            {badges !== undefined && !badges.except.includes(slug) && badgePanel(origin, slug)}
          </div>
          {fieldsHelp()}
        </>
      ),
    });
  };

  /** Similar startups; none of a startup without a category. */
  const findSimilar = async (context: SignedInContext, startup: ShownStartup) => {
    const variables = similarVariables(startup);
    return variables === undefined
      ? []
      : nearest(startup, await read<SimilarData>(context, SIMILAR_DOCUMENT, variables));
  };

  const hasAccepted = requireAcceptedPolicy(services);
  return new Hono<SignedInEnv>()
    .get(EXPLORER_PATH, hasAccepted, listPages(services))
    .get(`${EXPLORER_PATH}/:slug`, hasAccepted, show);
}

import { readLists } from '../../../access/accounts/lists.ts';
import { ownSelection, POINT_SELECTION } from '../../../api/rest/endpoint-documents.ts';
import { UnknownError } from '../../../lib/errors.ts';
import { MAX_DAYS } from '../../../startups/history/request.ts';
import type { OwnField } from '../../../startups/model/own-fields.ts';
import { type Page, page, type SignedInContext } from '../../page/page.ts';
import type { Services } from '../../page/services.ts';
import { nameOf, shownColumns, startupNameCell, tableColumns } from '../../parts/startups/columns.tsx';
import { DETAILS, readDocument, type ShownStartup } from '../../parts/startups/documents.ts';
import { choiceLabel } from '../../parts/startups/filters.ts';
import { drawnSeries, historyChart, type StartupDay } from '../../parts/startups/history-chart.tsx';
import { resultsTable } from '../../parts/startups/results-table.tsx';
import { COMPARE_MAX, comparePath, notListed } from '../../parts/startups/saved.tsx';
import { star, starLook } from '../../parts/startups/star.tsx';
import { monogram } from '../../shared/components.tsx';
import type { Content } from '../../shared/jsx.ts';
import { chartEmbedPath, EXPLORER_PATH } from '../../shared/paths.ts';
import { startupRequest } from './list-documents.ts';
import { apiPanel } from './panels.tsx';
import { listPages } from './startup-list.tsx';
import { startupBadge, startupFacts, startupLinks, startupSummary } from './startup-view.tsx';

/** The document of a startup's own page, with its history: every day that one response may hold. */
const startupDocument = (own: readonly OwnField[]): string => `query ExplorerStartup($slug: String!) {
  startup(slug: $slug) {
    ${DETAILS}${ownSelection(own)}
    history(last: ${MAX_DAYS}, fill: true) {
      ${POINT_SELECTION}
    }
  }
}`;

/** The startups of the same category that have the nearest MRR, from below and from above. */
const SIMILAR_DOCUMENT = `query Similar($below: StartupFilter!, $above: StartupFilter!) {
  below: startups(filter: $below, sort: MRR_DESC, limit: 5) { page { ...Similar } }
  above: startups(filter: $above, sort: MRR_ASC, limit: 5) { page { ...Similar } }
}
fragment Similar on Startup {
  name slug category onSale revenue { last30Days mrr } growth30d askingPrice previousAskingPrice multiple
}`;

/** How many similar startups a page shows. */
const SIMILAR = 4;

type Startup = ShownStartup & { readonly revenue: { readonly mrr: number } };

/** The explorer: the data and the rules of the API. */
export const explorerPages = (services: Services) => {
  const { origin, now, badges, prisma } = services;

  const show = async (context: SignedInContext, id: string): Promise<Page> => {
    type Data = { readonly startup: (Startup & { readonly history: StartupDay[] }) | null };
    const own = services.engine.own();
    const { startup } = await readDocument<Data>(services, context, startupDocument(own), { slug: id });
    if (startup === null) {
      throw new UnknownError(notListed([id]));
    }
    const { slug, history } = startup;
    const name = nameOf(startup);
    const drawn = drawnSeries(history);
    const paths = drawn.map(({ path }) => path);
    const { shortlist: saved } = await readLists(prisma, context.var.visitor.id);
    const hasBadge = badges !== undefined && !badges.except.includes(slug);
    return {
      scripts: ['chart.js', ...starLook.scripts],
      styles: ['series.css', 'explorer.css', 'startup.css', ...starLook.styles],
      connects: true,
      action: (
        <div class="actions">
          {star(saved, context.req.path)(startup, true)}
          {startupLinks(startup)}
        </div>
      ),
      title: name,
      back: { path: EXPLORER_PATH, label: 'All startups' },
      icon: monogram(name),
      main: [
        startupSummary(startup, now()),
        <div class="startup">
          {historyChart(history, drawn, (value) => chartEmbedPath(slug, value))}
          {startupFacts(startup, paths, own, now())}
          {await similar(context, startup)}
          {apiPanel(
            origin,
            startupRequest(slug, own),
            hasBadge && startupBadge(origin, slug),
            `REST, GraphQL${hasBadge ? ', badge' : ''}`,
          )}
        </div>,
      ],
    };
  };

  /** The startups of its category that have the nearest MRR; nothing for a startup without a category. */
  const similar = async (context: SignedInContext, startup: Startup): Promise<Content> => {
    const { category, slug, revenue } = startup;
    if (category === null) {
      return null;
    }
    type Data = Record<'below' | 'above', { readonly page: readonly Startup[] }>;
    const { below, above } = await readDocument<Data>(services, context, SIMILAR_DOCUMENT, {
      below: { category, maxMrr: revenue.mrr },
      above: { category, minMrr: revenue.mrr },
    });
    const distance = (one: Startup): number => Math.abs(one.revenue.mrr - revenue.mrr);
    const bySlug = new Map([...below.page, ...above.page].map((one) => [one.slug, one]));
    bySlug.delete(slug);
    const rows = [...bySlug.values()].toSorted((a, b) => distance(a) - distance(b)).slice(0, SIMILAR);
    const shown = shownColumns([]).filter(({ id }) => id !== 'category');
    const compared = [slug, ...rows.map((one) => one.slug)].slice(0, COMPARE_MAX);
    return (
      rows.length > 0 && (
        <section class="similar">
          <div class="heading sub">
            <h2>Similar in {choiceLabel('category', category)}</h2>
            <a href={comparePath(compared)}>Compare</a>
          </div>
          {resultsTable<ShownStartup>({
            label: 'Similar startups',
            columns: tableColumns(shown, (one) => startupNameCell(one, null, true), now()),
            rows,
          })}
        </section>
      )
    );
  };

  const list = listPages(services);
  return [
    page({ path: EXPLORER_PATH, needsPolicy: true, view: ({ context }) => list(context) }),
    page({ path: `${EXPLORER_PATH}/:id`, needsPolicy: true, view: ({ context, id }) => show(context, id) }),
  ];
};

import type { Handler } from 'hono';
import type { TierLimits } from '../../access/limits/tiers.ts';
import { type Engine, runDocument } from '../../api/graphql/execution/engine.ts';
import { type Day, dayOf } from '../../lib/text/days.ts';
import type { LiveCatalogue } from '../../startups/catalogue/live-catalogue.ts';
import { compareMarket, type HistorySource, type MarketComparison } from '../../startups/history/history.ts';
import type { ShownStartup } from '../parts/startups/documents.ts';
import { Samples } from '../shared/code-blocks.tsx';
import { compactJson } from '../shared/code-samples.ts';
import { buttonLink } from '../shared/components.tsx';
import { count } from '../shared/figures.tsx';
import { highlight } from '../shared/highlight.tsx';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Content } from '../shared/jsx.ts';
import { pageLinks } from '../shared/page-links.ts';
import { EXPLORER_PATH } from '../shared/paths.ts';
import { hasSessionCookie, type Look } from '../shared/shell.tsx';
import {
  FACTS,
  type Facts,
  type MarketDay,
  marketChart,
  rowOrderOf,
  rowsDocument,
  saleFilter,
  startupRows,
} from './landing-view.tsx';
import { publicPage } from './public-page.tsx';

const TITLE = 'Query startups with verified revenue';

/** The request of the page, whose response it shows. */
const SAMPLE = `{
  startups(sort: MRR_DESC, limit: 2) {
    page {
      name
      revenue { mrr }
    }
  }
}`;

/** The chart of the page. */
const MARKET = '{ market { day onSale revenue { sum } mrr { sum median } } }';

/** Clients of the page share its result. */
const OWNER = { ownerId: 'page:/' };

/** For how long a comparison of the market is shown: it reads a point of each startup. */
const COMPARED_MS = 600_000;

interface LandingOptions extends Look {
  readonly prisma: HistorySource['prisma'];
  readonly engine: Engine;
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  /** ms since 1970. */
  readonly now: () => number;
  /** Where the gateway is reached; called at the first request, when it is known. */
  readonly origin: () => string;
  readonly limits: TierLimits;
  /** Whether it shows no startup. */
  readonly hidesRows: boolean;
}

/** Creates the page at /, which shows what is for sale, a request, and ten startups in an order to choose. */
export function createLandingPage(options: LandingOptions): Handler<PageEnv> {
  const { prisma, engine, catalogue, now, origin, limits, brand, assetUrl, hidesRows } = options;
  /** The main part of the page in each order, for visitors with a session and without, with the edition and the day. */
  const rendered = new Map<string, { readonly readAt: number; readonly day: Day; readonly main: Content }>();
  let compared:
    | { readonly from: Day; readonly until: number; readonly found: MarketComparison | undefined }
    | undefined;

  /** How the market has grown since the first of its days; undefined while the database does not answer. */
  const compare = async (from: Day): Promise<MarketComparison | undefined> => {
    if (compared?.from !== from || compared.until <= now()) {
      compared = { from, until: now() + COMPARED_MS, found: await compareMarket(prisma, from) };
    }
    return compared.found;
  };

  return async (c) => {
    const { readAt } = catalogue.current();
    const day = dayOf(now());
    const order = rowOrderOf(c.req.query('order'));
    const isSignedIn = hasSessionCookie(c.env.request.header('cookie'));
    const last = rendered.get(`${order} ${isSignedIn}`);
    let main = last?.main;
    if (main === undefined || last?.readAt !== readAt || last.day !== day) {
      const read = <Data extends object>(document: string) =>
        runDocument<Data>(engine, document, {}, c.env.request, OWNER);
      const facts = await read<Facts>(FACTS);
      const isShown = !hidesRows && facts.dataset.total > 0;
      const response = isShown ? await read<object>(SAMPLE) : undefined;
      type Rows = { readonly startups: { readonly page: readonly ShownStartup[] } };
      const rows = isShown ? (await read<Rows>(rowsDocument(order))).startups.page : undefined;
      // Undefined while the database does not answer.
      const market = await read<{ market: MarketDay[] }>(MARKET).catch(() => undefined);
      const { market: days = [] } = market ?? {};
      const [first] = days;
      const comparison = first && (await compare(first.day as Day).catch(() => undefined));
      main = [
        <div class="hero">
          <section>
            <h1>{TITLE}</h1>
            <p class="lead">
              Buyers and investors compare startups by revenue that payment providers verified. Developers
              read the same data in GraphQL or REST.
            </p>
            <p class="actions">
              {isSignedIn
                ? [
                    buttonLink(EXPLORER_PATH, pageLinks.explorer.label),
                    buttonLink('/dashboard/keys', 'API keys', 'second'),
                  ]
                : [
                    buttonLink('/dashboard/sign-up', 'Get an API key'),
                    buttonLink('/docs', 'Read the docs', 'second'),
                  ]}
            </p>
            <p class="soft small">Free: {count(limits.standard)} requests a minute.</p>
          </section>
          {saleFilter(facts, now())}
        </div>,
        rows !== undefined && startupRows(facts, rows, order, now(), isSignedIn),
        <section aria-labelledby="query">
          <h2 id="query">The same data as an API</h2>
          <p class="soft">GraphQL, REST or MCP. This request finds the two with the highest MRR.</p>
          <div class="request-and-response">
            <Samples
              origin={origin()}
              request={{ path: '/graphql', body: { query: SAMPLE } }}
              graphql={SAMPLE}
            />
            <p class="hidden" id="copied" role="status" />
            {response !== undefined && (
              <div class="response">
                <p class="hint">Response (amounts in US cents)</p>
                <pre tabindex="0" role="region" aria-label="Response">
                  <code>{highlight('json', compactJson({ data: response }, '', 48))}</code>
                </pre>
              </div>
            )}
          </div>
        </section>,
        days.length > 1 && marketChart(<h2>The market, day by day</h2>, days, comparison),
      ];
      if (market !== undefined) {
        rendered.set(`${order} ${isSignedIn}`, { readAt, day, main });
      }
    }
    return publicPage(c, {
      title: TITLE,
      brand,
      assetUrl,
      main,
      styles: ['site.css', 'series.css'],
      scripts: ['dashboard.js', 'chart.js'],
    });
  };
}

import type { Handler } from 'hono';
import type { TierLimits } from '../../access/limits/tiers.ts';
import { type Engine, runDocument } from '../../api/graphql/execution/engine.ts';
import { type Day, dayOf } from '../../lib/text/days.ts';
import type { LiveCatalogue } from '../../startups/catalogue/live-catalogue.ts';
import type { HistorySource } from '../../startups/history/edition.ts';
import { compareMarket, type MarketComparison } from '../../startups/history/market.ts';
import { sampleStartups } from '../../startups/sample/sample.ts';
import type { ShownStartup } from '../dashboard/explorer/requests.ts';
import type { Brand } from '../shared/brand.ts';
import type { PageEnv } from '../shared/hono-app.ts';
import type { Html } from '../shared/jsx.ts';
import type { AssetUrl } from '../shared/shell.tsx';
import { landingView, type MarketDay, type Row, SAMPLE, TITLE } from './landing-view.tsx';
import { publicPage } from './public-page.tsx';
import { type RowOrder, rowOrderOf, rowsDocument, startupRows } from './startup-rows.tsx';

/** What the page says of all startups. */
const FACTS = '{ dataset { total importedAt } startups { facets { paymentProvider { value } } } }';

/** The startups of the response to the sample request, with more of each. */
const ROWS = `{ startups(sort: MRR_DESC, limit: 3) { page {
  name paymentProvider growthMRR30d revenue { mrr } history(fill: true) { revenue { mrr } }
} } }`;

/** The chart of the page. */
const MARKET = '{ market { day onSale revenue { sum } mrr { sum median } } }';

/** Clients of the page share its result. */
const OWNER = { ownerId: 'page:/' };

/** For how long a comparison of the market is shown: it reads a point of each startup. */
const COMPARED_MS = 600_000;

interface LandingOptions {
  readonly prisma: HistorySource['prisma'];
  readonly engine: Engine;
  readonly catalogue: Pick<LiveCatalogue, 'current'>;
  /** ms since 1970. */
  readonly now: () => number;
  /** Where the gateway is reached; called at the first request, when it is known. */
  readonly origin: () => string;
  readonly limits: TierLimits;
  readonly brand: Brand;
  readonly assetUrl: AssetUrl;
  /** Whether it shows invented startups in place of those of the data. */
  readonly hidesRows: boolean;
}

/** Creates the page at /, which shows a request, three startups, and ten in an order to choose. */
export function createLandingPage(options: LandingOptions): Handler<PageEnv> {
  const { prisma, engine, catalogue, now, origin, limits, brand, assetUrl, hidesRows } = options;
  /** The main part of the page in each order, with the edition and the day that it shows. */
  const shown = new Map<RowOrder, { readonly readAt: number; readonly day: Day; readonly main: Html }>();
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
    const last = shown.get(order);
    let main = last?.main;
    if (main === undefined || last?.readAt !== readAt || last.day !== day) {
      const read = <Data extends object>(document: string) =>
        runDocument<Data>(engine, document, {}, c.env.request, OWNER);
      const { dataset, startups } = await read<Facts>(FACTS);
      const isShown = !hidesRows && dataset.total > 0;
      // Undefined while the database does not answer.
      const [rows, days, response, listed] = await Promise.all([
        isShown
          ? read<RowsData>(ROWS).then(
              (data) => data.startups.page,
              () => undefined,
            )
          : inventedRows(),
        read<MarketData>(MARKET).catch(() => undefined),
        isShown ? read<object>(SAMPLE) : undefined,
        isShown ? read<ListedData>(rowsDocument(order)) : undefined,
      ]);
      const [first] = days?.market ?? [];
      main = landingView({
        dataset,
        providers: startups.facets.paymentProvider.length,
        rows,
        response,
        listed: listed && startupRows(listed.startups.page, order, now()),
        days: days?.market ?? [],
        comparison: first && (await compare(first.day as Day).catch(() => undefined)),
        origin: origin(),
        limits,
        day,
      });
      if (rows !== undefined && days !== undefined) {
        shown.set(order, { readAt, day, main });
      }
    }
    const scripts = ['dashboard.js', 'chart.js'];
    return publicPage(c, {
      title: TITLE,
      brand,
      assetUrl,
      styles: ['site.css', 'series.css'],
      scripts,
      main,
    });
  };
}

interface Facts {
  readonly dataset: { readonly total: number; readonly importedAt: string | null };
  readonly startups: { readonly facets: { readonly paymentProvider: readonly unknown[] } };
}

interface RowsData {
  readonly startups: { readonly page: readonly Row[] };
}

interface ListedData {
  readonly startups: { readonly page: readonly ShownStartup[] };
}

interface MarketData {
  readonly market: readonly MarketDay[];
}

const INVENTED_DAYS = 60;

/** Three startups of the sample, with a curve that ends where they are. */
function inventedRows(): Row[] {
  return [...sampleStartups({ count: 60, seed: 1 })]
    .filter(({ growthMRR30d, revenue }) => growthMRR30d !== null && growthMRR30d > 5 && revenue.mrr > 0)
    .slice(0, 3)
    .map(({ name, paymentProvider, growthMRR30d, revenue: { mrr } }) => ({
      name,
      paymentProvider,
      growthMRR30d,
      revenue: { mrr },
      history: Array.from({ length: INVENTED_DAYS }, (_, day) => ({
        revenue: { mrr: mrr * (1 + (growthMRR30d ?? 0) / 100) ** ((day - INVENTED_DAYS + 1) / 30) },
      })),
    }));
}
